import type { Migration } from './migration.ts';

const statements = [
  'CREATE INDEX bookings_state_in_time ON bookings (state, received_at)',
  'CREATE INDEX bookings_source_in_time ON bookings (source, received_at)',
];

/** A page of the desk's list over several clinics read all bookings of a state, or of a source, to sort them. */
export const listsInTime: Migration = {
  number: 121,
  name: 'lists-in-time',
  statements,
  postgres: statements,
};
