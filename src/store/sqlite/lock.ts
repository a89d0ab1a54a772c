import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Failure } from '../../platform/failure.ts';
import { isBusy, storageFailure } from './storage-failure.ts';

/** Is there a daemon that has this database? Asked without taking the lock, so that one may start meanwhile. */
export function isLocked(file: string): boolean {
  const path = `${file}.lock`;
  if (!existsSync(path)) return false;
  const lock = new Database(path, { timeout: 0, readonly: true });
  try {
    lock.prepare('select 1 from sqlite_schema').get();
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    lock.close();
  }
}

/**
 * One daemon per database, for as long as it lives: a second one could send the same booking. The lock is an open
 * exclusive transaction on an empty SQLite file of its own, so the operating system releases it however the process
 * ends (kill -9 too), and readers and command-line tools beside the daemon are not shut out of the database itself.
 */
export function lockDatabase(file: string): { release(): void } {
  const path = `${file}.lock`;
  let lock: Database.Database | undefined;
  try {
    // A user who may read it may lock it, and so keep the daemon from starting.
    closeSync(openSync(path, 'a', 0o600));
    forThisUserAlone(path);
    lock = new Database(path, { timeout: 0 });
    lock.pragma('locking_mode = exclusive');
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    if (!isBusy(error))
      throw storageFailure(error, path, {
        message: `The lock file ${path} cannot be opened for writing.`,
        hint: 'Check that its folder exists and that this user may write in it.',
      });
    throw new Failure({
      kind: 'refused',
      message: `Another clinic-sync daemon has the database ${file}.`,
      hint: 'Stop the other one, or give this one a database of its own under store.sqlite.',
      cause: error,
    });
  }
  const held = lock;
  return { release: () => void held.close() };
}

/** Takes other users' permissions from a file, where there is one and it is ours to change. */
export function forThisUserAlone(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o600);
  } catch {
    // Another user's file, or a volume without permissions: whether it can be used shows when it is opened.
  }
}
