import type { Migration } from './migration.ts';

const statements = [
  'CREATE INDEX bookings_state_in_time ON bookings (state, received_at)',
  'CREATE INDEX bookings_source_in_time ON bookings (source, received_at)',
];

/** Without these, a page of bookings over several clinics read and sorted all bookings of a state or source. */
export const listsInTime: Migration = {
  number: 121,
  name: 'lists-in-time',
  statements,
  postgres: statements,
};
