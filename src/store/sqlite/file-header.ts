import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { Failure } from '../../platform/failure.ts';
import type { Marker } from './marker.ts';

/** The first 100 bytes of an SQLite file (https://www.sqlite.org/fileformat2.html#the_database_header). */
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

export interface FileHeader {
  /** `rollback`: written by a backup; a daemon's own file is `wal` from its first page on. */
  journal: 'wal' | 'rollback';
  /** Bytes the file has to have. */
  bytes: number;
  /**
   * The user version, which is the number of the epoch: each start writes it into the file itself. So a file whose stamp
   * is lower than the marker's is older than the log that lies beside it.
   */
  stamp: number;
}

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Read without SQLite, which would replay a log onto the file first. Undefined for a file that is no database. */
export function readFileHeader(path: string): FileHeader | undefined {
  const header = firstBytes(path);
  if (header === undefined || header.toString('latin1', 0, 16) !== MAGIC) return undefined;
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  return {
    journal: header[18] === 2 ? 'wal' : 'rollback',
    bytes: pageSize * header.readUInt32BE(28),
    stamp: header.readUInt32BE(60),
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
 * that was put in place. Throws `Failure` refused for a log of a former file and for a file that is cut short.
 */
export function assertWhole(file: string, marker: Marker | undefined): void {
  const header = readFileHeader(file);
  if (header === undefined) return;
  if (sizeOf(`${file}-wal`) === 0) {
    if (sizeOf(file) < header.bytes) throw cutShort(file, header.bytes);
    return;
  }
  const logged = stampInLog(`${file}-wal`) ?? header.stamp;
  if (header.journal === 'wal' && header.stamp >= (marker?.stamp ?? 0) && logged >= header.stamp) return;
  throw new Failure({
    kind: 'refused',
    message: `${file}-wal is the log of another database than ${file}: the file was replaced and the log left behind.`,
    hint: `Nothing was changed. Put the copy in place with clinic-sync restore, or move ${file}-wal and ${file}-shm away and start again.`,
  });
}

/**
 * The user version in the newest copy of the first page that the log would write into the file. Undefined when the log
 * does not touch that page. Each start raises the number, so the log that belongs to a file never has a lower one.
 * Layout: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
function stampInLog(path: string): number | undefined {
  const descriptor = openSync(path, 'r');
  try {
    const read = (at: number, bytes: Buffer) =>
      readSync(descriptor, bytes, 0, bytes.length, at) === bytes.length;
    const [log, frame, page] = [Buffer.alloc(32), Buffer.alloc(24), Buffer.alloc(64)];
    if (!read(0, log)) return undefined;
    let found: number | undefined;
    // Frames with another salt are left over from before the log was last begun again.
    for (
      let at = 32;
      read(at, frame) && frame.subarray(8, 16).equals(log.subarray(16, 24));
      at += 24 + log.readUInt32BE(8)
    )
      // Without its first bytes the page did not reach the disk before the power went; SQLite ignores such a frame, too.
      if (frame.readUInt32BE(0) === 1 && read(at + 24, page) && page.toString('latin1', 0, 16) === MAGIC)
        found = page.readUInt32BE(60);
    return found;
  } finally {
    closeSync(descriptor);
  }
}

const cutShort = (file: string, bytes: number) =>
  new Failure({
    kind: 'refused',
    message: `The database ${file} is cut short: it has ${sizeOf(file)} of ${bytes} bytes.`,
    hint: 'Restore a backup: clinic-sync restore FILE.',
  });
