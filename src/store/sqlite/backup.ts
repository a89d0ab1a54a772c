import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { Instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import { sentences } from '../../platform/text/sentences.ts';
import { syncFolder } from './marker.ts';
import { sqliteCode, storageFailure } from './storage-failure.ts';

/** Tables whose row counts only grow while a copy is made, so the copy's count must lie between two counts. */
const growing = ['changes', 'bookings', 'booking_events'] as const;
type Counts = Record<string, number>;

interface BackupOptions {
  target: string;
  /** Only for our own copies; never overwrites a user's file. */
  replace?: boolean;
  at: Instant;
  /** Set once what is copied is no longer the database at its path. */
  replaced?: () => Failure | undefined;
  run: (statement: string, ...parameters: string[]) => Promise<Record<string, unknown>[]>;
}

/**
 * Copies a database in use: consistent, compact, without companion files. The copy gets its name only after
 * verification and is marked as a copy inside. Resolves to its size in bytes.
 */
export async function backUp(options: BackupOptions): Promise<number> {
  const { target, replace = false, at, replaced, run } = options;
  const path = resolve(target);
  if (!replace) refuseExisting(path);
  const partial = `${path}.partial`;
  try {
    remove(partial);
    // VACUUM INTO accepts an existing empty file, so the copy is private from its first byte.
    closeSync(openSync(partial, 'wx', 0o600));
    const before = await countRows(run);
    await run('vacuum into ?', partial);
    const after = await countRows(run);
    verify(partial, at, before, after);
    syncFile(partial);
    failpoint('store.backup.before-rename');
    if (!replace) refuseExisting(path);
    const cause = replaced?.();
    if (cause !== undefined)
      throw new Failure({
        kind: 'transient',
        message: 'No backup was written: the database was replaced while it was copied.',
        hint: 'Run it again: it then copies the database that is there now.',
        cause,
      });
    renameSync(partial, path);
    syncFolder(dirname(path));
    return statSync(path).size;
  } catch (error) {
    remove(partial);
    if (error instanceof Failure) throw error;
    if (sqliteCode(error) !== undefined) throw storageFailure(error, path);
    throw new Failure({
      kind: 'transient',
      message: `The backup ${path} cannot be written.`,
      hint: 'Check that its folder exists, is writable and has free space.',
      cause: error,
    });
  }
}

function verify(partial: string, at: Instant, before: Counts, after: Counts): void {
  const copy = new Database(partial, { fileMustExist: true });
  try {
    const integrity = copy.pragma('integrity_check', { simple: true });
    const orphans = copy.pragma('foreign_key_check') as unknown[];
    if (integrity !== 'ok' || orphans.length > 0) throw unfaithful(partial, 'it is damaged');
    for (const table of growing) {
      const count = copy.prepare(`select count(*) from ${table}`).pluck().get() as number;
      const around = [before[table] ?? 0, after[table] ?? 0];
      if (count < Math.min(...around) || count > Math.max(...around))
        throw unfaithful(partial, `${table} has ${count} rows`);
    }
    copy.prepare('update identity set copied_at = ?').run(at);
  } finally {
    copy.close();
  }
}

async function countRows(run: BackupOptions['run']): Promise<Counts> {
  const counts: Counts = {};
  for (const table of growing) {
    const [row] = await run(`select count(*) as count from ${table}`);
    counts[table] = Number(row?.count);
  }
  return counts;
}

function refuseExisting(path: string): void {
  if (!existsSync(path)) return;
  throw new Failure({
    kind: 'refused',
    message: `${path} exists already.`,
    hint: 'Choose another name; a backup never replaces a file.',
  });
}

/** Removes what an earlier attempt left behind. */
function remove(path: string): void {
  if (existsSync(path)) rmSync(path, { force: true });
}

export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const unfaithful = (path: string, how: string) =>
  new Failure({
    kind: 'transient',
    message: `The backup ${path} is not a faithful copy: ${how}.`,
    hint: 'Try again, and check the volume with its own tools if it happens again.',
  });

export const notNoted = (path: string, cause: Failure) =>
  new Failure({
    kind: cause.kind,
    message: `The backup ${path} is complete, but the database could not note it: ${cause.message}`,
    hint: sentences(cause.hint, 'Keep in mind that the backup is there: an erasure will not list it'),
    cause,
  });
