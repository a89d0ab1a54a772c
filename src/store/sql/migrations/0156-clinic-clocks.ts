import { leadViews } from '../leads/lead-views.ts';
import type { Migration } from './migration.ts';

const table = (text: string, number: string) => `CREATE TABLE clinic_clocks (
    clinic ${text} NOT NULL,
    since ${text} NOT NULL,
    ahead ${number} NOT NULL,
    PRIMARY KEY (clinic, since)
  )`;

/** Days follow the clinic's calendar; until the first start of the daemon, UTC. */
export const clinicClocks: Migration = {
  number: 156,
  name: 'clinic-clocks',
  statements: [
    `${table('TEXT', 'INTEGER')} STRICT, WITHOUT ROWID`,
    ...leadViews('sqlite').flatMap(({ name, select }) => [
      `DROP VIEW IF EXISTS ${name}`,
      `CREATE VIEW ${name} AS ${select}`,
    ]),
  ],
  // Keeps views that users built on these.
  postgres: [
    table('text COLLATE "C"', 'bigint'),
    ...leadViews('postgres').map(({ name, select }) => `CREATE OR REPLACE VIEW ${name} AS ${select}`),
  ],
};
