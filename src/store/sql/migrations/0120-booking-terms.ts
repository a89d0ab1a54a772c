import { sql } from 'kysely';
import type { Trx } from '../database.ts';
import { writeMemory } from '../installation/key-value.ts';
import type { Migration } from './migration.ts';

const create = (text: string, rest: string) => [
  `CREATE TABLE booking_terms (
    term ${text} NOT NULL,
    received_at ${text} NOT NULL,
    ref ${text} NOT NULL REFERENCES bookings (ref) ON DELETE CASCADE,
    PRIMARY KEY (term, received_at, ref)
  )${rest}`,
  'CREATE INDEX booking_terms_of ON booking_terms (ref, term)',
];

async function noteUnfilled(trx: Trx): Promise<void> {
  const { rows } = await sql`select 1 from bookings limit 1`.execute(trx);
  if (rows.length > 0) await writeMemory(trx, 'search', 'filled', 'no');
}

/** Search terms of bookings. Existing bookings get theirs while the daemon runs; see `fillTerms`. */
export const bookingTerms: Migration = {
  number: 120,
  name: 'booking-terms',
  statements: create('TEXT', ' STRICT, WITHOUT ROWID'),
  postgres: create('text COLLATE "C"', ''),
  fill: noteUnfilled,
};
