import type { Migration } from './migration.ts';

const statements = [
  'DROP INDEX bookings_converted',
  'CREATE INDEX bookings_converted ON bookings (clinic, completed_at, ref) WHERE completed_at IS NOT NULL',
];

/** The files of conversions are read in parts: the index has their order. */
export const conversionsInOrder: Migration = {
  number: 111,
  name: 'conversions-in-order',
  statements,
  postgres: statements,
};
