/** Tables for connectors and users: one row per object, with the API's field names as columns. */
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
  'retractions',
] as const;
export type MirrorTable = (typeof mirrorTables)[number];
export type Row = Record<string, string | number | null>;

/** Tables that grow with the clinic's history and whose rows the change log identifies by id. */
export const loggedTables = ['appointments', 'bookings', 'leads', 'conversions', 'retractions'] as const;
export type LoggedTable = (typeof loggedTables)[number];
export const growingTables = ['organization_statistics', ...loggedTables] as const;
export type GrowingTable = (typeof growingTables)[number];
/** Tables that are read page by page. */
export type PagedTable = GrowingTable | 'treatments' | 'dentists';
