import type { Migration } from './migration.ts';

const statements = [
  // Its order matches that of "the next queued one", so SQLite used it and read every booking of the clinic.
  'DROP INDEX bookings_of_clinic',
  // Only for pages: only a query that contains the expression can use it.
  `CREATE INDEX bookings_pages ON bookings (clinic, (received_at || ''), ref)`,
  `CREATE INDEX deliveries_dead_newest ON deliveries (n) WHERE state = 'dead'`,
];

export const narrowIndexes: Migration = { number: 34, name: 'narrow-indexes', statements };
