import type { Migration } from './migration.ts';

const table = (text: string, number: string) => `CREATE TABLE retractions (
    ref ${text} NOT NULL REFERENCES bookings (ref) ON DELETE CASCADE,
    n ${number} NOT NULL,
    clinic ${text} NOT NULL,
    converted_at ${text} NOT NULL,
    retracted_at ${text} NOT NULL,
    outcome ${text},
    fee ${text},
    currency ${text},
    PRIMARY KEY (ref, n)
  )`;

const after = [
  'CREATE INDEX retractions_in_order ON retractions (clinic, retracted_at, ref, n)',
  // Only the last retraction of each lead is known.
  `INSERT INTO retractions (ref, n, clinic, converted_at, retracted_at, fee, currency)
    SELECT ref, 1, clinic, completed_at, retracted_at, fee, currency FROM bookings
    WHERE completed_at IS NOT NULL AND retracted_at IS NOT NULL`,
];

/** Every conversion that the clinic retracted, to be reported to advertising platforms. */
export const retractions: Migration = {
  number: 155,
  name: 'retractions',
  statements: [`${table('TEXT', 'INTEGER')} STRICT, WITHOUT ROWID`, ...after],
  postgres: [table('text COLLATE "C"', 'bigint'), ...after],
};
