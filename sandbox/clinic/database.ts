import { closeSync, fchmodSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Failure } from '../../src/platform/failure.ts';

export type SandboxDatabase = Database.Database;

const schema = `
CREATE TABLE IF NOT EXISTS practice (part TEXT PRIMARY KEY, fields TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS treatments (id INTEGER PRIMARY KEY, active INTEGER NOT NULL, fields TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS dentists (id INTEGER PRIMARY KEY, active INTEGER NOT NULL, fields TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS appointments (
  id INTEGER PRIMARY KEY, status TEXT NOT NULL, name TEXT NOT NULL, phone TEXT NOT NULL,
  date TEXT NOT NULL, time TEXT NOT NULL, origin TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS ledger (
  number INTEGER PRIMARY KEY, appointment_id INTEGER NOT NULL UNIQUE, request INTEGER NOT NULL,
  at TEXT NOT NULL, body TEXT NOT NULL
) STRICT;
`;

/** `file` undefined: in memory. Throws `Failure` refused if the file cannot be used. */
export function openSandboxDatabase(file: string | undefined): SandboxDatabase {
  try {
    if (file !== undefined) keepPrivate(file);
    return prepare(new Database(file ?? ':memory:', { timeout: 1_000 }));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure({
      kind: 'refused',
      message: `The sandbox’s data file ${file} cannot be opened.`,
      hint: 'Its folder must exist and be writable, and the file must be one that a sandbox made.',
      cause: error,
    });
  }
}

/** The file contains names and phones of made-up patients, and what people type into forms that lead here. */
function keepPrivate(file: string): void {
  const opened = openSync(file, 'a', 0o600);
  fchmodSync(opened, 0o600);
  closeSync(opened);
}

function prepare(database: SandboxDatabase): SandboxDatabase {
  database.pragma('journal_mode = WAL');
  // A reopened file would otherwise run with NORMAL and lose the last bookings in a power cut; but the ledger decides
  // what was committed.
  database.pragma('synchronous = FULL');
  if (database.pragma('synchronous', { simple: true }) !== 2)
    throw new Failure({
      kind: 'refused',
      message: 'The sandbox’s database does not write durably.',
      hint: 'Keep its file on a local disk.',
    });
  database.exec(schema);
  return database;
}
