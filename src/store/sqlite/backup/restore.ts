import { constants, copyFileSync, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { AuditEntry } from '../../../domain/audit.ts';
import { type Clock, type Instant, instant } from '../../../platform/clock.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { Failure } from '../../../platform/failure.ts';
import { makeFolder } from '../../../platform/folder.ts';
import { assertWhole, sizeOf } from '../file-header.ts';
import { belongLike, forThisUserAlone, lockStopped } from '../lock.ts';
import { syncFolder } from '../marker.ts';
import { isDamage, sqliteCode, storageFailure } from '../storage-failure.ts';
import { syncFile } from './backup.ts';
import { type MissingBooking, missingFromBackup } from './missing-from-backup.ts';

/** Separates the database's name from the time it was replaced. */
export const REPLACED_SUFFIX = '.replaced-';
const COMPANIONS = ['', '-wal', '-shm', '.damaged'] as const;

export interface Restored {
  /** Size of the restored database. */
  bytes: number;
  /** When the copy was made; null if made by hand. */
  copied_at: Instant | null;
  /** New paths of the former database's files. */
  former: string[];
  /** Bookings the next start will hold (`restored_state`), because they may have been sent since. */
  held: number;
  /** Bookings that came or went on after the backup; null if the former database cannot be read. */
  missing: MissingBooking[] | null;
}

interface RestoreOptions {
  /** The database to replace; need not exist. */
  file: string;
  /** A backup, or a copy of a stopped database with its log beside it. Read only. */
  copy: string;
  /** Recorded in the audit of the restored database. */
  by: string;
  clock: Clock;
  open: (path: string) => Copy;
}

/** The copy, opened for verification. */
interface Copy {
  /** Throws `Failure` refused for another program's database and for a newer version's. */
  schema(): Promise<unknown>;
  run(statement: string, ...parameters: string[]): Promise<Record<string, unknown>[]>;
  bringUpToDate(): Promise<void>;
  audit(entry: AuditEntry): Promise<void>;
  close(): Promise<void>;
}

/**
 * Replaces the database with a verified copy and moves the former files aside. Throws `Failure` refused while a daemon
 * runs or when the copy is damaged, from another program or a newer version; transient when a disk fails. The database
 * is then unchanged. Can be repeated after a crash at any point.
 */
export async function restoreDatabase(options: RestoreOptions): Promise<Restored> {
  const { file: given, copy: from, by, clock, open } = options;
  const file = existsSync(given) ? realpathSync(given) : resolve(given);
  const copy = resolve(from);
  if (sizeOf(copy) === 0)
    throw new Failure({
      kind: 'refused',
      message: existsSync(copy) ? `The backup ${copy} is empty.` : `There is no backup ${copy}.`,
      hint: 'Check the path.',
    });
  if (existsSync(file) && realpathSync(copy) === file)
    throw new Failure({
      kind: 'refused',
      message: `${copy} is the database itself.`,
      hint: 'Name a backup.',
    });
  await makeFolder(dirname(file), 0o700);
  const lock = lockStopped(file, 'restore');
  const partial = `${file}.restoring`;
  try {
    remove(partial);
    const { copied_at, held } = await verified(copy, async () => {
      bring(copy, partial);
      return verify(open(partial), copy, { by, at: instant(clock.now()) });
    });
    // Root may restore what another user's daemon opens, also where no database has been yet.
    const owned = existsSync(file) ? file : dirname(file);
    for (const one of [partial, `${file}.lock`]) belongLike(owned, one);
    syncFile(partial);
    const former = moveAside(file, instant(clock.now()));
    failpoint('store.restore.before-rename');
    renameSync(partial, file);
    syncFolder(dirname(file));
    const [before] = former;
    const missing = before === undefined ? [] : missingFromBackup(before, file);
    return { bytes: statSync(file).size, copied_at, former, held, missing };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw storageFailure(error, copy, {
      message: `The backup ${copy} could not replace ${file}.`,
      hint: 'Check that both can be read and written and that the volume has free space.',
    });
  } finally {
    remove(partial);
    lock.release();
  }
}

/** Reports an unusable copy by its own path, with the remedy to use another one. */
async function verified<T>(copy: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (cause) {
    if (sqliteCode(cause) === 'SQLITE_NOTADB')
      throw notUsable(`${copy} is not a clinic-sync database.`, cause);
    if (isDamage(cause)) throw notUsable(`The backup ${copy} is damaged.`, cause);
    if (cause instanceof Failure && cause.kind === 'refused') throw notUsable(cause.message, cause);
    throw cause;
  }
}

/** Includes the log, which has the newest changes of a copy made by hand. */
function bring(copy: string, partial: string): void {
  assertWhole(copy, undefined);
  for (const suffix of ['', '-wal']) {
    if (sizeOf(copy + suffix) === 0) continue;
    copyFileSync(copy + suffix, partial + suffix, constants.COPYFILE_EXCL);
    forThisUserAlone(partial + suffix);
  }
}

/**
 * Leaves a single file with this version's schema, marked as a copy, with the restore in its audit. The given copy
 * stays unchanged.
 */
async function verify(sql: Copy, copy: string, { by, at }: { by: string; at: Instant }) {
  try {
    await sql.schema();
    const [integrity] = await sql.run('pragma integrity_check(1)');
    const orphans = await sql.run('pragma foreign_key_check');
    if (integrity?.integrity_check !== 'ok' || orphans.length > 0)
      throw notUsable(`The backup ${copy} is damaged.`);
    const [identity] = await sql.run('select copied_at from identity');
    if (identity === undefined) throw notUsable(`The backup ${copy} is damaged.`);
    await sql.run('update identity set copied_at = coalesce(copied_at, ?)', at);
    await sql.bringUpToDate();
    const restored = { action: 'restore', subject: basename(copy), result: 'ok', address: null };
    await sql.audit({ at, actor: by, role: 'cli', ...restored });
    return { copied_at: (identity.copied_at as string | null) ?? null, held: await countWaiting(sql) };
  } finally {
    await sql.close();
  }
}

async function countWaiting(sql: Copy): Promise<number> {
  const [row] = await sql.run(
    `select count(*) as count from bookings
     where state in ('received', 'queued') or (state = 'held' and reason is not 'restored_state')`,
  );
  return Number(row?.count);
}

/**
 * Moves the log along, because reading the former database takes both. Never overwrites what an earlier restore kept.
 */
function moveAside(file: string, at: Instant): string[] {
  const named = `${file}${REPLACED_SUFFIX}${at.replace(/[-:]|\.\d+/g, '')}`;
  const isTaken = (name: string) => COMPANIONS.some((suffix) => existsSync(name + suffix));
  let aside = named;
  for (let n = 2; isTaken(aside); n += 1) aside = `${named}-${n}`;
  return COMPANIONS.filter((suffix) => existsSync(file + suffix)).map((suffix) => {
    renameSync(file + suffix, aside + suffix);
    return aside + suffix;
  });
}

function remove(partial: string): void {
  for (const suffix of COMPANIONS) rmSync(partial + suffix, { force: true });
}

const notUsable = (message: string, cause?: unknown) =>
  new Failure({
    kind: 'refused',
    message,
    hint: 'Nothing was changed. Restore a backup that this version or an older one made.',
    cause,
  });
