/** The tables that connectors and people read: one row per thing, the API's field names as columns. */
export const mirrorTables = [
  'organization',
  'organization_statistics',
  'website',
  'treatments',
  'dentists',
  'fees',
  'consultation_fees',
  'appointments',
  'bookings',
  'leads',
  'conversions',
] as const;
export type MirrorTable = (typeof mirrorTables)[number];
export type Row = Record<string, string | number | null>;

/** Tables that grow with the history of a clinic; of those, the ones whose rows the change log knows by their id. */
export const loggedTables = ['appointments', 'bookings', 'leads', 'conversions'] as const;
export type LoggedTable = (typeof loggedTables)[number];
export const growingTables = ['organization_statistics', ...loggedTables] as const;
export type GrowingTable = (typeof growingTables)[number];
/** Those that pages show in parts. */
export type PagedTable = GrowingTable | 'treatments' | 'dentists';
