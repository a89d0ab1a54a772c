import type { Migration } from './migration.ts';

/** Removed bookings stay counted, and a change log that begins late says where. */
const statements = [
  `CREATE TABLE removed_bookings (
    clinic TEXT NOT NULL,
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    day TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (clinic, source, state, day)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE removed_changes (
    clinic TEXT NOT NULL PRIMARY KEY,
    through INTEGER NOT NULL,
    at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

export const retention: Migration = { number: 19, name: 'retention', statements };
