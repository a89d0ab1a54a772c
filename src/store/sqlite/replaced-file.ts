import { type BigIntStats, statSync } from 'node:fs';
import { Failure } from '../../platform/failure.ts';
import { type FileHeader, readFileHeader } from './file-header.ts';

const stat = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false });

/**
 * Says whether the file that is open now is still the one at its path, with the content that this program wrote: what is
 * written to a file without a name is lost with the process, and beside another content it is damage. About 3 µs each
 * time; the header is read only after the file was written to, as by a checkpoint.
 */
export function replacedFile(file: string): () => Failure | undefined {
  const opened = stat(file);
  let writtenAt = opened?.mtimeNs;
  let header = readFileHeader(file);
  let found: Failure | undefined;

  const isOverwritten = (): boolean => {
    const now = readFileHeader(file);
    const before = header;
    if (now !== undefined) header = now;
    return before !== undefined && !follows(before, now);
  };

  return () => {
    if (found !== undefined) return found;
    const now = stat(file);
    if (now?.ino !== opened?.ino || now?.dev !== opened?.dev) return gone(file);
    if (now?.mtimeNs === writtenAt) return undefined;
    writtenAt = now?.mtimeNs;
    if (isOverwritten()) found = overwritten(file);
    return found;
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

const overwritten = (file: string) =>
  new Failure({
    kind: 'transient',
    message: `The database file ${file} was overwritten while it was in use.`,
    hint: 'Stop clinic-sync, then put the newest backup in place: clinic-sync restore FILE.',
  });
