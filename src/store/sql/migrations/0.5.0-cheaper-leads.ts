import { textsFor } from '../people/texts-with-numbers.ts';
import type { Migration } from './migration.ts';

const numbersAgain = (condition: string) => [
  'DROP INDEX bookings_numbers',
  `CREATE INDEX bookings_numbers ON bookings (ref) WHERE ${condition}`,
];

/** The apostrophe of our own messages put every held booking into this index, at half the cost of storing it. */
export const fewerNumbers: Migration = {
  number: 220,
  name: 'fewer-numbers',
  statements: numbersAgain(textsFor.sqlite.withNumbers),
  postgres: numbersAgain(textsFor.postgres.withNumbers),
};

const oneForBoth = [
  'DROP INDEX bookings_source',
  'DROP INDEX bookings_source_in_time',
  'CREATE INDEX bookings_source_in_time ON bookings (source, received_at, clinic)',
];

/** The limits of a source are counted in its index over time as well. */
export const sourcesInTime: Migration = {
  number: 221,
  name: 'sources-in-time',
  statements: oneForBoth,
  postgres: oneForBoth,
};
