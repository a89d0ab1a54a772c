import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { Failure } from '../../platform/failure.ts';
import { damaged } from './damage.ts';
import type { Marker } from './marker.ts';
import { type PageOne, pageOne, readLog } from './write-ahead-log.ts';

/** The first 100 bytes of an SQLite file (https://www.sqlite.org/fileformat2.html#the_database_header). */
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

export interface FileHeader extends PageOne {
  /** `rollback`: written by a backup; a daemon's own file is `wal` from its first page on. */
  journal: 'wal' | 'rollback';
  pageSize: number;
  /** Pages the file has to have. */
  pages: number;
}

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Read without SQLite, which would replay a log onto the file first. Undefined for a file that is no database. */
export function readFileHeader(path: string): FileHeader | undefined {
  const header = firstBytes(path);
  if (header === undefined || header.toString('latin1', 0, 16) !== MAGIC) return undefined;
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  return {
    journal: header[18] === 2 ? 'wal' : 'rollback',
    pageSize,
    pages: header.readUInt32BE(28),
    ...pageOne(header),
  };
}

function firstBytes(path: string): Buffer | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    return readSync(descriptor, header, 0, HEADER_BYTES, 0) === HEADER_BYTES ? header : undefined;
  } catch {
    // SQLite will say better why it cannot be read.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Before SQLite opens the file: it would replay any log beside it, also that of another database, and so destroy a copy
 * that was put in place. Throws `Failure` refused for a log of another file and for a file that is cut short, transient
 * for one that has lost its header.
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
  if (header.journal === 'wal' && header.commits >= (marker?.stamp ?? 0) && continues(header, `${file}-wal`))
    return;
  // Another process may have moved the log into the file between the two readings.
  const isChanging = readFileHeader(file)?.commits !== header.commits;
  if (isChanging) assertWhole(file, marker);
  else
    throw new Failure({
      kind: 'refused',
      message: `${file}-wal is the log of another database than ${file}: the file was replaced and the log left behind.`,
      hint: `Nothing was changed. Put the copy in place with clinic-sync restore, or move ${file}-wal and ${file}-shm away and start again.`,
    });
}

/**
 * Does the log go on from this file? It is of the same installation, begins no later than with the commit after the
 * file's last one, and does not end before that one. Each of our commits writes the first page, where these are; other
 * programs need not, and then leave the file's length as it is.
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
