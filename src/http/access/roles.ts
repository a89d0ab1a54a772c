import { atLeast, type Role } from '../../domain/role.ts';

/** `open`: anybody may ask; what a stranger gets to see is the route's own business. */
export type Need = Role | 'open';

/** The least each route needs. A path that ends in `*` stands for all below it; what is not listed is for admins. */
const table: readonly (readonly [Need, readonly string[]])[] = [
  ['open', ['/', '/livez', '/readyz', '/syncz', '/status.json', '/assets/*', '/in/*', '/admin/sign-in']],
  ['viewer', ['/metrics', '/sessions', '/admin/sessions/*', '/admin/sign-out']],
  ['desk', ['/bookings', '/bookings/*', '/admin/bookings/*']],
];

export const needOf = (path: string): Need =>
  table.find(([, paths]) => paths.some((one) => covers(one, path)))?.[0] ?? 'admin';

const covers = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;

/** May somebody of this role (undefined: a stranger) open this page, or press the button that posts there? */
export function may(role: Role | undefined, path: string): boolean {
  const need = needOf(path);
  return need === 'open' || (role !== undefined && atLeast(role, need));
}
