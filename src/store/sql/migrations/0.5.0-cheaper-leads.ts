import { NOT_OF_BOOKINGS } from '../dialects.ts';
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

const narrower = [
  'DROP INDEX changes_of_resource',
  `CREATE INDEX changes_of_resource ON changes (clinic, resource, sequence) WHERE ${NOT_OF_BOOKINGS}`,
  'DROP INDEX bookings_source',
  'DROP INDEX bookings_source_in_time',
  'CREATE INDEX bookings_source_in_time ON bookings (source, received_at, clinic)',
];

/** A lead writes three entries less. */
export const narrowerIndexes: Migration = {
  number: 221,
  name: 'narrower-indexes',
  statements: narrower,
  postgres: narrower,
};
