import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { formatBytes } from '../../../platform/bytes.ts';
import type { Instant } from '../../../platform/clock.ts';
import { codeOf, Failure } from '../../../platform/failure.ts';
import { freeBytes } from '../../../platform/free-space.ts';
import { backUp } from './backup.ts';

export interface DirectoryBackup {
  /** The database, by its real path. */
  file: string;
  directory: string;
  /** How many of its own copies stay, with the new one. */
  keep: number;
  /** Bytes that must stay free where the database shares the volume. */
  floor: number;
  /** Whether the directory may be created: false once it existed. */
  isFirst: boolean;
  at: Instant;
}

export interface BackedUp {
  path: string;
  bytes: number;
  /** Paths of this installation's copies that are there now, newest first, and of those that were removed. */
  kept: string[];
  removed: string[];
}

const NAME = /^clinic-sync-(\d{8}T\d{6}Z)\.db$/;
const stampOf = (at: string): string => at.replace(/[-:]|\.\d+/g, '');

/**
 * Writes a verified copy into a directory and removes the oldest of this installation's own. Blocks for as long as both
 * disks take, so the daemon runs it in a process of its own. Throws `Failure`; then nothing was removed.
 */
export async function backUpInDirectory(task: DirectoryBackup): Promise<BackedUp> {
  const { file, directory, at, keep } = task;
  const source = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    source.pragma('cache_size = -4000');
    const instance = instanceOf(source)?.instance ?? '';
    assertDirectory(task);
    const opened = statSync(file);
    const path = join(directory, `clinic-sync-${stampOf(at)}.db`);
    // Of this installation, so that what a killed process left is removed by the next.
    const partial = join(directory, `clinic-sync-${instance}.db.partial`);
    rmSync(`${partial}-journal`, { force: true });
    assertRoom(task, partial);
    const bytes = await backUp({
      ...{ target: path, partial, at },
      run: async (statement, ...given) => {
        const prepared = source.prepare(statement);
        if (prepared.reader) return prepared.all(...given) as Record<string, unknown>[];
        prepared.run(...given);
        return [];
      },
      replaced: () =>
        statSync(file, { throwIfNoEntry: false })?.ino === opened.ino ? undefined : gone(file),
    });
    // The new one first: a clock that was set back would make it the oldest.
    const own = [path, ...ownCopies(directory, instance).filter((one) => one !== path)];
    return { path, bytes, kept: own.slice(0, keep), removed: own.slice(keep).filter(isRemoved) };
  } finally {
    source.close();
  }
}

/** Another process may be checkpointing. */
const BUSY_MS = 5_000;

/** One that cannot be removed is tried again after the next copy. */
function isRemoved(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Newest first. A copy is our own if it has the name and, inside, the time and the installation: it may be one of
 * another installation, or anything that a person named like this.
 */
function ownCopies(directory: string, instance: string): string[] {
  const names = readdirSync(directory).filter((name) => NAME.test(name));
  return names
    .toSorted()
    .toReversed()
    .map((name) => join(directory, name))
    .filter((path) => {
      const found = identityIn(path);
      return found?.instance === instance && path.endsWith(`-${stampOf(found.copied_at ?? '')}.db`);
    });
}

interface Identity {
  instance: string;
  copied_at: string | null;
}

const instanceOf = (database: Database.Database): Identity | undefined =>
  database.prepare('select instance, copied_at from identity').get() as Identity | undefined;

function identityIn(path: string): Identity | undefined {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { readonly: true, fileMustExist: true });
    return instanceOf(database);
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

function assertDirectory({ directory, isFirst }: DirectoryBackup): void {
  try {
    // Not its parents: they are missing where a volume is not mounted.
    if (isFirst && !existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
    if (!statSync(directory).isDirectory())
      throw unusable(`${directory} is not a directory`, 'Name a directory under backup.directory.');
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = codeOf(error) ?? '';
    const [what, hint] = reasons[code] ?? [`cannot be used (${code})`, CHECK];
    throw unusable(`${directory} ${what}`, hint, error);
  }
}

const CHECK = 'Check backup.directory and the volume that it is on.';
const NOT_WRITABLE = 'Give it to the user of the daemon; under systemd, also name it in ReadWritePaths=.';
const reasons: Record<string, [what: string, hint: string]> = {
  ENOENT: ['does not exist', 'Is its volume mounted? If it is to be a new directory, create it.'],
  ENOTDIR: ['is not a directory', CHECK],
  EACCES: ['cannot be written by this user', NOT_WRITABLE],
  EROFS: ['is read-only', NOT_WRITABLE],
  ENOSPC: ['is on a full disk', 'Free space on its volume.'],
};

/** A copy that fills the disk of the database would keep leads out. */
function assertRoom({ file, directory, floor }: DirectoryBackup, partial: string): void {
  const free = freeBytes(directory);
  if (free === null) return;
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const needed = sizeOf(file) + sizeOf(`${file}-wal`);
  const isShared = statSync(directory).dev === statSync(file).dev;
  const least = needed + (isShared ? floor : 0);
  const available = free + sizeOf(partial);
  if (available >= least) return;
  const why = isShared ? ` and ${formatBytes(floor)} must stay free for the database` : '';
  throw unusable(
    `${directory} has ${formatBytes(available)} free; the copy needs ${formatBytes(needed)}${why}`,
    'Free space there, keep fewer copies (backup.keep), or name another volume.',
  );
}

const unusable = (what: string, hint: string, cause?: unknown) =>
  new Failure({ kind: 'transient', message: `No backup was written: ${what}.`, hint, cause });

const gone = (file: string) =>
  new Failure({ kind: 'transient', message: `The database ${file} was replaced.` });
