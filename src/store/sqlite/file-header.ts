import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { codeOf, Failure } from '../../platform/failure.ts';
import { damaged } from './damage.ts';
import type { Marker } from './marker.ts';
import { type PageOne, pageOne, readLog } from './write-ahead-log.ts';

/** The first 100 bytes of an SQLite file (https://www.sqlite.org/fileformat2.html#the_database_header). */
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

export interface FileHeader extends PageOne {
  /** Backups are `rollback`; a daemon's own file is always `wal`. */
  journal: 'wal' | 'rollback';
  pageSize: number;
  /** Number of pages the file should have. */
  pages: number;
}

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Throws `Failure` refused for a folder, and for another user's file, which would look like a damaged one. */
export function assertReadable(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory())
    throw new Failure({
      kind: 'refused',
      message: `The database ${file} is a folder.`,
      hint: 'Name a file under store.sqlite. Docker makes a folder where a file that it should mount is missing.',
    });
  try {
    closeSync(openSync(file, 'r'));
  } catch (cause) {
    if (codeOf(cause) !== 'EACCES') return;
    const user = process.geteuid?.();
    throw new Failure({
      kind: 'refused',
      message: `The database ${file} cannot be read by user id ${user}; it belongs to user id ${found.uid}.`,
      hint:
        user === found.uid
          ? `Make it readable: chmod 600 ${file}`
          : `Run this as its owner, or give it to the user of the daemon: chown ${user} ${file}`,
      cause,
    });
  }
}

/**
 * Reads the header without SQLite, which would replay a log into the file first. Undefined if it is not a database. Not
 * for a file that SQLite has open in this process; see `watchFile`.
 */
function readFileHeader(path: string): FileHeader | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    return headerOf(descriptor);
  } catch {
    // SQLite gives a better reason for why it cannot be read.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export function headerOf(descriptor: number): FileHeader | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(descriptor, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
  if (header.toString('latin1', 0, 16) !== MAGIC) return undefined;
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  return {
    journal: header[18] === 2 ? 'wal' : 'rollback',
    pageSize,
    pages: header.readUInt32BE(28),
    ...pageOne(header),
  };
}

/**
 * Call before SQLite opens the file, because SQLite would replay any log beside it, even another database's, and so
 * destroy a copy that was put in place. Throws `Failure` refused for a foreign log or a truncated file, transient for a
 * file without a valid header.
 */
export function assertWhole(file: string, marker: Marker | undefined): void {
  const header = readFileHeader(file);
  if (header === undefined && (marker?.epoch ?? 0) > 0 && sizeOf(file) > 0) throw damaged(file);
  if (header === undefined) return;
  if (sizeOf(`${file}-wal`) === 0) {
    const bytes = header.pages * header.pageSize;
    if (sizeOf(file) < bytes) throw cutShort(file, bytes);
    return;
  }
  const isOwnLog = header.journal === 'wal' && continues(header, `${file}-wal`);
  if (isOwnLog && header.commits >= (marker?.stamp ?? 0)) return;
  // Another process may have checkpointed between the two reads.
  const isChanging = readFileHeader(file)?.commits !== header.commits;
  if (isChanging) assertWhole(file, marker);
  else throw isOwnLog ? olderPair(file) : foreignLog(file);
}

const foreignLog = (file: string) =>
  new Failure({
    kind: 'refused',
    message: `${file}-wal does not belong to ${file}: the file was replaced and its log left behind.`,
    hint:
      'Nothing was changed. Put the copy in place with clinic-sync restore, or ' +
      `move ${file}-wal and ${file}-shm away and start again.`,
  });

/** The log continues the file, but according to the marker the database was further ahead. */
const olderPair = (file: string) =>
  new Failure({
    kind: 'refused',
    message: `${file} and its log are an older copy of this database, put back by hand.`,
    hint:
      `Nothing was changed. Move ${file}, ${file}-wal and ${file}-shm to another folder, then run ` +
      `clinic-sync restore with the path of ${file} there: it holds what may have been sent since.`,
  });

/**
 * Whether the log continues this file. It must be from the same installation, begin no later than the commit after the
 * file's last one, and not end before it. Our commits always write the first page, which contains both numbers. Other
 * programs may not, but then leave the file's length unchanged.
 */
function continues({ pageSize, pages, installation, commits }: FileHeader, path: string): boolean {
  const log = readLog(path, pageSize, (page) => page.commits >= commits);
  if (log?.pages === undefined) return log !== undefined;
  if (log.pageOnes === undefined) return log.pages === pages;
  const { first, last } = log.pageOnes;
  const isOwn = installation === 0 || first.installation === installation;
  return isOwn && first.commits <= commits + 1 && last.commits >= commits;
}

const cutShort = (file: string, bytes: number) =>
  new Failure({
    kind: 'refused',
    message: `The database ${file} is cut short: it has ${sizeOf(file)} of ${bytes} bytes.`,
    hint: 'Restore a backup: clinic-sync restore FILE.',
  });
