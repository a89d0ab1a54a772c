import type { Migration } from './migration.ts';

const statements = [
  'DROP INDEX bookings_converted',
  'CREATE INDEX bookings_converted ON bookings (clinic, completed_at, ref) WHERE completed_at IS NOT NULL',
];

/** An index in the order in which conversion files are read, page by page. */
export const conversionsInOrder: Migration = {
  number: 111,
  name: 'conversions-in-order',
  statements,
  postgres: statements,
};
