/** In ascending order: view figures, decide about bookings, run the installation. */
export const roles = ['viewer', 'desk', 'admin'] as const;
export type Role = (typeof roles)[number];

export const atLeast = (has: Role, needed: Role): boolean => roles.indexOf(has) >= roles.indexOf(needed);
