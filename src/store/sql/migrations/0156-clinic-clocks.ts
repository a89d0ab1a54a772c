import type { Migration } from './migration.ts';

const table = (text: string, number: string) => `CREATE TABLE clinic_clocks (
    clinic ${text} NOT NULL,
    since ${text} NOT NULL,
    ahead ${number} NOT NULL,
    PRIMARY KEY (clinic, since)
  )`;

/** Days follow the clinic's calendar; until the first start of the daemon, UTC. Step 210 creates the views that use it. */
export const clinicClocks: Migration = {
  number: 156,
  name: 'clinic-clocks',
  statements: [`${table('TEXT', 'INTEGER')} STRICT, WITHOUT ROWID`],
  postgres: [table('text COLLATE "C"', 'bigint')],
};
