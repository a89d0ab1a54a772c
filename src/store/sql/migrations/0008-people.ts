import type { Migration } from './migration.ts';

/** Younger rows cannot be deleted at all, independent of retention. */
const PROTECTED = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-30 days')";

export const people: Migration = {
  number: 8,
  name: 'people',
  statements: [
    `CREATE TABLE sessions (
      id TEXT NOT NULL PRIMARY KEY,
      person TEXT NOT NULL,
      "by" TEXT NOT NULL,
      proof TEXT NOT NULL,
      address TEXT NOT NULL,
      started_at TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      ends_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE audit (
      n INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      role TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT,
      result TEXT NOT NULL,
      address TEXT
    ) STRICT`,
    `CREATE INDEX audit_in_time ON audit (at)`,
    `CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
      BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
    `CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit WHEN OLD.at > ${PROTECTED}
      BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
  ],
};
