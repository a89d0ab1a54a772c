import type { Migration } from './migration.ts';

/**
 * The kind of a pause and the number of replays become columns; the former version kept them in a sentence and a note.
 * Erasures get their own log, so that every connector can remove a person from what it wrote.
 */
const statements = [
  `ALTER TABLE connectors ADD COLUMN pause_kind TEXT CHECK (pause_kind IN ('automatic', 'person', 'gone'))`,
  'ALTER TABLE connectors ADD COLUMN paused_at TEXT',
  'ALTER TABLE connectors ADD COLUMN paused_by TEXT',
  'ALTER TABLE connectors ADD COLUMN resumed_at TEXT',
  'ALTER TABLE connectors ADD COLUMN resumed_by TEXT',
  'ALTER TABLE connectors ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0',
  `UPDATE connectors SET pause_kind = iif(paused_reason LIKE 'Paused by itself: %', 'automatic', 'person')
    WHERE paused = 1`,

  'ALTER TABLE cursors ADD COLUMN replays INTEGER NOT NULL DEFAULT 0',
  // The note was "HIGHEST REPLAYS"; a cursor below the highest is a replay that was requested but not begun.
  `UPDATE cursors SET replays = coalesce((
      SELECT CAST(substr(value, instr(value, ' ') + 1) AS INTEGER)
        + (cursors.sequence < CAST(substr(value, 1, instr(value, ' ') - 1) AS INTEGER))
      FROM memory
      WHERE scope = 'deliveries' AND key = 'taken:' || cursors.connector || ':' || cursors.clinic
    ), 0)`,
  `DELETE FROM memory WHERE scope = 'deliveries' AND key LIKE 'taken:%'`,

  `CREATE TABLE erasures (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    refs TEXT NOT NULL,
    appointments TEXT NOT NULL
  ) STRICT`,

  // The newest deliveries of one connector.
  'CREATE INDEX deliveries_of_connector ON deliveries (connector, n)',
];

export const connectorsAndErasures: Migration = {
  number: 5,
  name: 'connectors-and-erasures',
  statements,
};
