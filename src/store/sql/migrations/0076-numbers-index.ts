import { textsFor } from '../people/texts-with-numbers.ts';
import type { Migration } from './migration.ts';

/** The former condition compared each character of a booking's texts with some fifty ranges at every write. */
const statements = [
  'DROP INDEX bookings_numbers',
  `CREATE INDEX bookings_numbers ON bookings (ref) WHERE ${textsFor.sqlite.withNumbers}`,
];

// On PostgreSQL, the condition stays.
export const numbersIndex: Migration = { number: 76, name: 'numbers-index', statements, postgres: [] };
