import type { Migration } from './migration.ts';

/** Indexes for reads that slowed down with history. */
const statements = [
  // A clinic's bookings in display order, page by page.
  'CREATE INDEX bookings_of_clinic ON bookings (clinic, received_at, ref)',
];

export const growth: Migration = { number: 4, name: 'growth', statements };
