import type { Migration } from './migration.ts';

const statements = [
  // Without `verified_at` among its columns, SQLite preferred the unique index of appointments and read all of them.
  'DROP INDEX bookings_unverified',
  `CREATE INDEX bookings_unverified ON bookings (clinic, verified_at, appointment_id)
    WHERE state = 'booked' AND appointment_id IS NOT NULL AND verified_at IS NULL`,
];

export const unverifiedIndex: Migration = { number: 44, name: 'unverified-index', statements };
