import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { codeOf, Failure } from '../../platform/failure.ts';
import { isFileBusy, NO_LOCKS, storageFailure } from './storage-failure.ts';

/** Whether a daemon has this database open. Does not take the lock, so a daemon can start right after. */
export function isLocked(file: string): boolean {
  const path = `${file}.lock`;
  if (!existsSync(path)) return false;
  const lock = new Database(path, { timeout: 0, readonly: true });
  try {
    lock.prepare('select 1 from sqlite_schema').get();
    return false;
  } catch (error) {
    return isFileBusy(error);
  } finally {
    lock.close();
  }
}

/**
 * Allows one daemon per database, because a second could send the same booking. The lock is an open exclusive
 * transaction on a separate, empty SQLite file: the operating system releases it however the process ends, even by kill
 * -9, and commands beside the daemon can still use the database.
 */
export function lockDatabase(file: string): { release(): void } {
  const path = `${file}.lock`;
  let lock: Database.Database | undefined;
  try {
    // Another user who can read it could lock it and keep the daemon from starting.
    closeSync(openSync(path, 'a', 0o600));
    forThisUserAlone(path);
    lock = new Database(path, { timeout: 0 });
    lock.pragma('locking_mode = exclusive');
    // It never holds a row: to sync a journal of nothing would take a slow disk seconds of the ten that a stop has.
    lock.pragma('journal_mode = memory');
    lock.pragma('synchronous = off');
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    if (!isFileBusy(error))
      throw storageFailure(error, path, {
        message: `The lock file ${path} cannot be opened for writing.`,
        hint: 'Check that its folder exists and that this user may write in it.',
      });
    if (!canLock(path))
      throw new Failure({
        kind: 'transient',
        lasting: true,
        message: `${NO_LOCKS.message} (${path}).`,
        hint: NO_LOCKS.hint,
        cause: error,
      });
    throw new Failure({
      kind: 'refused',
      message: `A clinic-sync daemon already has the database ${file} open.`,
      hint: 'Stop it first, or name another database under store.sqlite.',
      cause: error,
    });
  }
  const held = lock;
  return { release: () => void held.close() };
}

/** SQLite says `busy` also where the system has no locks (ENOLCK): there, even a file that nobody knows is. */
function canLock(path: string): boolean {
  const unknown = `${path}.${randomUUID()}`;
  const probe = new Database(unknown, { timeout: 0 });
  try {
    probe.exec('begin exclusive');
    return true;
  } catch (error) {
    return !isFileBusy(error);
  } finally {
    probe.close();
    rmSync(unknown, { force: true });
  }
}

/** The daemon's lock, for work that needs the daemon stopped. `then`: what the user does after stopping it. */
export function lockStopped(file: string, then: string): { release(): void } {
  try {
    return lockDatabase(file);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'refused') throw error;
    throw new Failure({
      kind: 'refused',
      message: `A daemon has the database ${file} open.`,
      hint: `Stop it first, then ${then}.`,
      cause: error,
    });
  }
}

/** Gives a file to the owner of another one. Without effect where only root may. */
export function belongLike(like: string, path: string): void {
  const owner = statSync(like);
  const { uid, gid } = statSync(path);
  if (uid === owner.uid && gid === owner.gid) return;
  try {
    chownSync(path, owner.uid, owner.gid);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error;
  }
}

/** Removes other users' permissions from a file, if it exists and we are allowed to. */
export function forThisUserAlone(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o600);
  } catch {
    // Another user's file, or a volume without permissions: opening it will show whether it is usable.
  }
}
