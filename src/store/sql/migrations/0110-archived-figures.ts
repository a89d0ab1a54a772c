import type { Migration } from './migration.ts';

const visits = (text: string, number: string) => `CREATE TABLE archived_visits (
    clinic ${text} NOT NULL,
    date ${text} NOT NULL,
    status ${text} NOT NULL,
    visits ${number} NOT NULL,
    PRIMARY KEY (clinic, date, status)
  )`;

const statements = [
  'ALTER TABLE archived_leads ADD COLUMN minutes_to_booking INTEGER',
  `UPDATE archived_leads SET minutes_to_booking =
    CAST(round((julianday(booked_at) - julianday(received_at)) * 1440) AS INTEGER)`,
  `${visits('TEXT', 'INTEGER')} STRICT, WITHOUT ROWID`,
];

const postgres = [
  'ALTER TABLE archived_leads ADD COLUMN minutes_to_booking bigint',
  `UPDATE archived_leads SET minutes_to_booking = CAST(
    extract(epoch FROM CAST(booked_at AS timestamptz) - CAST(received_at AS timestamptz)) / 60 AS bigint)`,
  visits('text COLLATE "C"', 'bigint'),
];

/**
 * Keeps reports unchanged when retention removes the rows they count. The views are created by the last migration that
 * changes their tables.
 */
export const archivedFigures: Migration = { number: 110, name: 'archived-figures', statements, postgres };
