import type { Migration } from './migration.ts';

const create = (text: string, rest: string) => [
  `CREATE TABLE terms_due (
    received_at ${text} NOT NULL,
    ref ${text} NOT NULL,
    PRIMARY KEY (received_at, ref)
  )${rest}`,
];

/** Bookings whose terms are written after they were acknowledged. */
export const termsDue: Migration = {
  number: 130,
  name: 'terms-due',
  statements: create('TEXT', ' STRICT, WITHOUT ROWID'),
  postgres: create('text COLLATE "C"', ''),
};
