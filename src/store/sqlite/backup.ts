import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { Instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import { syncFolder } from './marker.ts';
import { sqliteCode, storageFailure } from './storage-failure.ts';

/** Tables that grow, or shrink when old rows are removed: a copy taken in between has a number of rows in between. */
const growing = ['changes', 'bookings', 'booking_events'] as const;
type Counts = Record<string, number>;

interface BackupOptions {
  target: string;
  /** For copies of our own. A person's file is never replaced. */
  replace?: boolean;
  at: Instant;
  run: (statement: string, ...parameters: string[]) => Promise<Record<string, unknown>[]>;
}

/**
 * A copy of a database in use: of one moment, compact, without companion files. It gets its name only once it was read
 * back whole, and knows that it is a copy. Resolves to its size in bytes.
 */
export async function backUp({ target, replace = false, at, run }: BackupOptions): Promise<number> {
  const path = resolve(target);
  if (!replace) refuseExisting(path);
  const partial = `${path}.partial`;
  try {
    remove(partial);
    // VACUUM INTO takes an existing empty file, so no other user can read it from the first byte on.
    closeSync(openSync(partial, 'wx', 0o600));
    const before = await countRows(run);
    await run('vacuum into ?', partial);
    const after = await countRows(run);
    verify(partial, at, before, after);
    syncFile(partial);
    failpoint('store.backup.before-rename');
    if (!replace) refuseExisting(path);
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

/** What is left of an attempt; that there may be nothing, or not even a folder, is no news. */
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
