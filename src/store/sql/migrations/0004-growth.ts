import type { Migration } from './migration.ts';

/** Reads that grew with the history get an index of their own. */
const statements = [
  // A clinic's bookings in the order people see them, page by page.
  'CREATE INDEX bookings_of_clinic ON bookings (clinic, received_at, ref)',
];

export const growth: Migration = { number: 4, name: 'growth', statements };
