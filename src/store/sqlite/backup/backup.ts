import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { Instant } from '../../../platform/clock.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { Failure } from '../../../platform/failure.ts';
import { sentences } from '../../../platform/text/sentences.ts';
import { syncFolder } from '../marker.ts';
import { sqliteCode, storageFailure } from '../storage-failure.ts';

/** Tables whose row counts only grow while a copy is made, so the copy's count must lie between two counts. */
const growing = ['changes', 'bookings', 'booking_events'] as const;
type Counts = Record<string, number>;

interface BackupOptions {
  target: string;
  /** Its path until it is complete; default: the target’s with `.partial`. */
  partial?: string;
  /** Only for our own copies; never overwrites a user's file. */
  replace?: boolean;
  at: Instant;
  /** Set once what is copied is no longer the database at its path. */
  replaced?: () => Failure | undefined;
  run: (statement: string, ...parameters: (string | number)[]) => Promise<Record<string, unknown>[]>;
}

/**
 * Copies a database in use: consistent, compact, without companion files. The copy gets its name only after
 * verification and is marked as a copy inside. Resolves to its size in bytes.
 */
export async function backUp(options: BackupOptions): Promise<number> {
  const { target, replace = false, at, replaced, run } = options;
  const path = resolve(target);
  const partial = options.partial ?? `${path}.partial`;
  if (!replace) refuseExisting(path);
  try {
    remove(partial);
    // VACUUM INTO accepts an existing empty file, so the copy is private from its first byte.
    closeSync(openSync(partial, 'wx', 0o600));
    const before = await countRows(run);
    await run('vacuum into ?', partial);
    const after = await countRows(run);
    markAsCopy(partial, at);
    await verify(partial, { before, after, run });
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

function markAsCopy(partial: string, at: Instant): void {
  const copy = new Database(partial, { fileMustExist: true });
  try {
    copy.prepare('update identity set copied_at = ?').run(at);
  } finally {
    copy.close();
  }
}

/** Reads all of the copy, as a restore would. */
async function verify(
  partial: string,
  { before, after, run }: { before: Counts; after: Counts; run: BackupOptions['run'] },
): Promise<void> {
  const copy = new Database(partial, { fileMustExist: true, readonly: true });
  try {
    const integrity = copy.pragma('integrity_check', { simple: true });
    const orphans = copy.pragma('foreign_key_check') as unknown[];
    if (integrity !== 'ok' || orphans.length > 0) throw unfaithful(partial, 'it is damaged');
    assertCounts(copy, { before, after }, partial);
    const [schema] = await run(NEWEST_MIGRATION);
    if (copy.prepare(NEWEST_MIGRATION).pluck().get() !== schema?.number)
      throw unfaithful(partial, 'it has another schema');
    for (const head of chainHeads(copy)) {
      const [original] = await run(HASH_AT, head.clinic, head.sequence);
      // Retention may have removed it meanwhile.
      if (head.hash !== head.last || (original ?? head).hash !== head.hash)
        throw unfaithful(partial, `the change log of ${head.clinic} ends elsewhere`);
    }
  } finally {
    copy.close();
  }
}

function assertCounts(
  copy: Database.Database,
  { before, after }: { before: Counts; after: Counts },
  partial: string,
): void {
  for (const table of growing) {
    const count = copy.prepare(`select count(*) from ${table}`).pluck().get() as number;
    const around = [before[table] ?? 0, after[table] ?? 0];
    if (count < Math.min(...around) || count > Math.max(...around))
      throw unfaithful(partial, `${table} has ${count} rows`);
  }
}

const NEWEST_MIGRATION = 'select max(number) as number from migrations';
interface ChainHead {
  clinic: string;
  sequence: number;
  hash: string;
  /** The hash of the last change itself; it has none if retention removed it. */
  last: string;
}
const CHAIN_HEADS = `select clinic, sequence, hash, coalesce((select hash from change_hashes
  where change_hashes.clinic = chain_heads.clinic and change_hashes.sequence = chain_heads.sequence), hash) as last
  from chain_heads where sequence > 0`;
/** A copy before an upgrade may be older than the chain. */
const chainHeads = (copy: Database.Database): ChainHead[] =>
  copy.prepare(`select 1 from sqlite_schema where name = 'chain_heads'`).get() === undefined
    ? []
    : (copy.prepare(CHAIN_HEADS).all() as ChainHead[]);
const HASH_AT = 'select hash from change_hashes where clinic = ? and sequence = ?';

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
