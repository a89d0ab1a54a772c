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

const covering = ['organization', 'website', 'treatments', 'dentists'].flatMap((poll) => [
  `DROP INDEX ${poll}_present`,
  `DROP INDEX ${poll}_unseen`,
  `CREATE INDEX ${poll}_present ON ${poll}_things (clinic, id, hash, removed_at) WHERE removed_at IS NULL`,
  `CREATE INDEX ${poll}_unseen ON ${poll}_things (clinic, id, last_seen_at, removed_at)
    WHERE last_seen_at IS NOT NULL`,
]);

/** Every poll read all records of its clinic twice: neither index covered what it asked. */
export const pollsCovered: Migration = {
  number: 222,
  name: 'polls-covered',
  statements: covering,
  postgres: covering,
};
