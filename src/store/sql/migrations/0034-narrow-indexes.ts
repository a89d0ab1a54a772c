import type { Migration } from './migration.ts';

const statements = [
  // It offered the order that "the next queued one" is asked in, and SQLite read every booking of the clinic to find it.
  'DROP INDEX bookings_of_clinic',
  // For pages alone: only a query that writes the expression itself can use it.
  `CREATE INDEX bookings_pages ON bookings (clinic, (received_at || ''), ref)`,
  `CREATE INDEX deliveries_dead_newest ON deliveries (n) WHERE state = 'dead'`,
];

export const narrowIndexes: Migration = { number: 34, name: 'narrow-indexes', statements };
