import { type BigIntStats, closeSync, openSync, statSync } from 'node:fs';
import { Failure } from '../../platform/failure.ts';
import { type FileHeader, headerOf } from './file-header.ts';

export interface FileWatch {
  /** Why what is written now would be lost or do damage, if so. */
  replaced(): Failure | undefined;
  /** Call after SQLite has closed the file. */
  close(): void;
}

export const unwatched: FileWatch = { replaced: () => undefined, close() {} };

const stat = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false });

/**
 * Says whether the file that is open now and its log are still those at their paths, with the content that this program
 * wrote: what is written to a file without a name is lost with the process, and beside another content it is damage.
 * About 6 µs each time; the header is read only after the file was written to, as by a checkpoint.
 *
 * Reads by one descriptor, which stays open as long as SQLite has the file: closing any descriptor of a file releases
 * all locks that the process has on it, also SQLite's. The next program to look into the database would then believe to
 * be the last one, and delete the log under the daemon.
 */
export function watchFile(file: string): FileWatch {
  const descriptor = openSync(file, 'r');
  const opened = stat(file);
  let writtenAt = opened?.mtimeNs;
  let header = headerOf(descriptor);
  let log: bigint | undefined;
  let found: Failure | undefined;

  const isOverwritten = (): boolean => {
    const now = headerOf(descriptor);
    const before = header;
    if (now !== undefined) header = now;
    return before !== undefined && !follows(before, now);
  };

  /** SQLite makes the log with the first access, and deletes it with the last one. */
  const hasLostLog = (): boolean => {
    const now = stat(`${file}-wal`)?.ino;
    log ??= now;
    return log !== now;
  };

  return {
    replaced() {
      if (found !== undefined) return found;
      const now = stat(file);
      if (now?.ino !== opened?.ino || now?.dev !== opened?.dev) return gone(file);
      if (hasLostLog()) found = logGone(file);
      if (now?.mtimeNs === writtenAt) return found;
      writtenAt = now?.mtimeNs;
      if (isOverwritten()) found = overwritten(file);
      return found;
    },
    close: () => closeSync(descriptor),
  };
}

/** Commits are only ever added, by a daemon's journal, and the installation's number is written once. */
const follows = (before: FileHeader, now: FileHeader | undefined): boolean =>
  now !== undefined &&
  now.commits >= before.commits &&
  (now.journal === 'wal' || before.journal === now.journal) &&
  (before.installation === 0 || before.installation === now.installation);

const gone = (file: string) =>
  new Failure({
    kind: 'transient',
    message: `The database file ${file} was moved, deleted or replaced while it was in use.`,
    hint: 'Restart with the right file in place.',
  });

const logGone = (file: string) =>
  new Failure({
    kind: 'transient',
    message: `The log ${file}-wal of the database was deleted or replaced while it was in use.`,
    hint: 'Restart clinic-sync, without kill -9: what it accepted before is saved when it stops.',
  });

const overwritten = (file: string) =>
  new Failure({
    kind: 'transient',
    message: `The database file ${file} was overwritten while it was in use.`,
    hint: 'Stop clinic-sync, then put the newest backup in place: clinic-sync restore FILE.',
  });
