import type { Migration } from './migration.ts';

const figures = 'total_users, total_patients, total_appointments, total_doctors';

/** Servers omit or vary fields: figures may be missing, and unreadable records are stored here. */
export const unreadable: Migration = {
  number: 2,
  name: 'unreadable',
  statements: [
    `CREATE TABLE unreadable (
      clinic TEXT NOT NULL,
      poll TEXT NOT NULL,
      thing TEXT NOT NULL,
      id TEXT,
      position INTEGER,
      field TEXT,
      problem TEXT NOT NULL,
      tries INTEGER NOT NULL,
      first_at TEXT NOT NULL,
      last_at TEXT NOT NULL,
      PRIMARY KEY (clinic, poll, thing)
    ) STRICT`,

    `ALTER TABLE polls ADD COLUMN last_idle_at TEXT`,

    `ALTER TABLE guards ADD COLUMN things TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE guards ADD COLUMN approval_only INTEGER NOT NULL DEFAULT 0 CHECK (approval_only IN (0, 1))`,

    // SQLite cannot drop NOT NULL in place.
    `CREATE TABLE organization_statistics_2 (
      clinic TEXT NOT NULL,
      at TEXT NOT NULL,
      total_users INTEGER,
      total_patients INTEGER,
      total_appointments INTEGER,
      total_doctors INTEGER,
      first_seen_at TEXT AS (at),
      changed_at TEXT AS (at),
      seen_at TEXT NOT NULL,
      removed_at TEXT AS (NULL),
      raw TEXT NOT NULL,
      PRIMARY KEY (clinic, at)
    ) STRICT`,
    `INSERT INTO organization_statistics_2 (clinic, at, ${figures}, seen_at, raw)
      SELECT clinic, at, ${figures}, seen_at, raw FROM organization_statistics`,
    `DROP TABLE organization_statistics`,
    `ALTER TABLE organization_statistics_2 RENAME TO organization_statistics`,
  ],
};
