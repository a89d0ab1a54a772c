import { closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Failure } from '../../platform/failure.ts';
import { storageFailure } from './storage-failure.ts';

/**
 * How long SQLite waits for another process, in milliseconds. Short, because it blocks the whole program; the group
 * commit waits longer between tries.
 */
const BUSY_TIMEOUT_MS = 30;
/**
 * Page cache in KiB. With the default of 16 MB, memory grows during the first hour of a busy database; the operating
 * system caches the rest anyway.
 */
const CACHE_KB = 4_000;
/** Bytes to which the write-ahead log shrinks after a huge poll. */
const LOG_SIZE_LIMIT = 16 * 1024 * 1024;

/**
 * Pages in the write-ahead log before it is copied into the file, 16 MB. With SQLite's default of 1,000, a busy intake
 * copied the same pages again every few commits; beyond 4,062, looking up a page takes a second table.
 */
const CHECKPOINT_PAGES = 4_000;

interface OpenDatabaseOptions {
  create: boolean;
  /** What a database in memory begins with. */
  image?: Buffer | undefined;
}

/** Opens the file with the settings that durability depends on, and verifies them. */
export function openFile(file: string, { create, image }: OpenDatabaseOptions): Database.Database {
  let database: Database.Database | undefined;
  try {
    if (create && file !== ':memory:') createFile(file);
    database = new Database(image ?? file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: !create });
    const journal = database.pragma('journal_mode = WAL', { simple: true });
    // better-sqlite3 reopens a WAL database with NORMAL, which loses acknowledged data in a power cut.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    database.pragma('secure_delete = ON');
    database.pragma('trusted_schema = OFF');
    // Sorting must not leave patients' names in temporary files.
    database.pragma('temp_store = MEMORY');
    database.pragma(`cache_size = -${CACHE_KB}`);
    database.pragma(`journal_size_limit = ${LOG_SIZE_LIMIT}`);
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    assertSetting(database, file, 'synchronous', 2);
    assertSetting(database, file, 'foreign_keys', 1);
    assertSetting(database, file, 'secure_delete', 1);
    if (journal !== 'wal' && file !== ':memory:')
      throw new Failure({
        kind: 'refused',
        message: `The volume of ${file} does not support SQLite's write-ahead log.`,
        hint: 'Put the database on a local disk, not on a network share.',
      });
    return database;
  } catch (error) {
    database?.close();
    throw storageFailure(error, file);
  }
}

function assertSetting(database: Database.Database, file: string, name: string, wanted: number): void {
  const found = database.pragma(name, { simple: true });
  if (found === wanted) return;
  throw new Failure({
    kind: 'refused',
    message: `The database ${file} runs with ${name} = ${String(found)} instead of ${wanted}.`,
    hint: 'Please report this: without it, what was accepted could be lost.',
  });
}

/** Private, because it contains patients' data. SQLite gives the companion files the same permissions. */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw storageFailure(error, file, {
      message: `The database file ${file} cannot be opened for writing.`,
      hint: 'Check that its folder exists and that this user may write in it.',
    });
  }
}
