import Database from 'better-sqlite3';
import { Failure } from '../../platform/failure.ts';
import { isNoRoom } from '../../platform/file-faults.ts';
import { isOutOfRoom } from './space.ts';

type Explanation = [code: string, kind: 'transient' | 'refused', message: string, hint: string];

/** Some network and user-space file systems. */
export const NO_LOCKS = {
  message: 'The volume of the database has no file locks, or no memory that processes can share',
  hint: 'Put the database on a local disk, or mount the share with locks (NFS 4; SMB without nobrl).',
};

/** SQLite's errors with remedies. Its own messages may quote values and stay in `cause`. */
const explanations: Explanation[] = [
  [
    'SQLITE_FULL',
    'transient',
    'The disk is full: nothing can be stored',
    'Free space on its volume, or raise the quota of this user; work then continues.',
  ],
  [
    'SQLITE_BUSY',
    'transient',
    'Another process is writing to the database',
    'Wait, or end the program that holds it open.',
  ],
  ['SQLITE_LOCKED', 'transient', 'The database is in use', 'Try again.'],
  [
    'SQLITE_READONLY',
    'transient',
    'The database cannot be written: it is read-only',
    'Make the file, its folder and its volume writable for this user.',
  ],
  ...['SHMOPEN', 'SHMSIZE', 'SHMLOCK', 'SHMMAP', 'LOCK', 'RDLOCK', 'UNLOCK', 'CHECKRESERVEDLOCK'].map(
    (what): Explanation => [`SQLITE_IOERR_${what}`, 'transient', NO_LOCKS.message, NO_LOCKS.hint],
  ),
  [
    'SQLITE_IOERR',
    'transient',
    'The disk failed while the database was read or written',
    'Check the volume and its free space, then restart.',
  ],
  [
    'SQLITE_CANTOPEN',
    'transient',
    'The database file cannot be opened',
    'Check that its folder exists and that this user may read and write in it.',
  ],
  [
    'SQLITE_PERM',
    'transient',
    'The database file may not be used by this user',
    'Check its owner and permissions.',
  ],
  [
    'SQLITE_NOTADB',
    'refused',
    'The file is not a clinic-sync database',
    'Check the path under store.sqlite.',
  ],
  [
    'SQLITE_CORRUPT',
    'refused',
    'The database is damaged',
    'Stop the daemon, then restore a backup: clinic-sync restore FILE.',
  ],
  [
    'SQLITE_CONSTRAINT',
    'refused',
    'The database refused a row that breaks its rules',
    'Please report this: it should have been refused earlier.',
  ],
];

/** The SQLite code behind an error, extended codes included: `SQLITE_IOERR_FSYNC`. */
export function sqliteCode(error: unknown): string | undefined {
  if (error instanceof Database.SqliteError) return error.code;
  if (error instanceof Failure) return sqliteCode(error.cause);
  return undefined;
}

const isCode = (code: string, family: string) => code === family || code.startsWith(`${family}_`);

/** Nothing was written, and a retry may succeed. */
export const isFileBusy = (error: unknown): boolean => isCode(sqliteCode(error) ?? '', 'SQLITE_BUSY');

/** The file itself is damaged; neither a retry nor a restart helps. */
export const isDamage = (error: unknown): boolean =>
  ['SQLITE_CORRUPT', 'SQLITE_NOTADB'].some((family) => isCode(sqliteCode(error) ?? '', family));

/** The database failed, as opposed to a violated constraint. */
export const isFileStorage = (error: unknown): boolean => {
  const code = sqliteCode(error);
  return code !== undefined && !isCode(code, 'SQLITE_CONSTRAINT');
};

/** What a quota is called, and a full disk where the log or the shared memory is created. */
const PERHAPS_FULL = ['IOERR_WRITE', 'IOERR_TRUNCATE', 'IOERR_SHMOPEN', 'IOERR_SHMSIZE', 'CANTOPEN'];

const isFull = (error: unknown, file: string): boolean =>
  isNoRoom(error) ||
  (PERHAPS_FULL.some((what) => isCode(sqliteCode(error) ?? '', `SQLITE_${what}`)) && isOutOfRoom(file));

/** Turns an error of SQLite or the system into a `Failure`; `otherwise` describes errors that are not SQLite's. */
export function storageFailure(
  found: unknown,
  file: string,
  otherwise?: { message: string; hint: string },
): unknown {
  if (found instanceof Failure) return found;
  const error = isFull(found, file) ? new Database.SqliteError('no room', 'SQLITE_FULL') : found;
  const code = sqliteCode(error);
  if (code === undefined)
    return otherwise === undefined ? error : new Failure({ kind: 'transient', ...otherwise, cause: error });
  const explained = explanations.find(([family]) => isCode(code, family));
  const [, kind, message, hint] =
    explained ?? (['', 'transient', 'The database failed', 'Try again.'] as const);
  return new Failure({ kind, message: `${message} (${file}, ${code}).`, hint, cause: error });
}
