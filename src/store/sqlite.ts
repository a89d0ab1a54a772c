import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, instant } from '../platform/clock.ts';
import { asFailure, Failure, type FailureDetails } from '../platform/failure.ts';
import { makeFolder } from '../platform/folder.ts';
import type { Log } from '../platform/log.ts';
import { type SqlStore, sqlStore } from './sql/sql.ts';
import { backUp, notNoted } from './sqlite/backup/backup.ts';
import type { BackedUp } from './sqlite/backup/directory-backup.ts';
import type { MissingBooking } from './sqlite/backup/missing-from-backup.ts';
import { REPLACED_SUFFIX, type Restored, restoreDatabase } from './sqlite/backup/restore.ts';
import { childAnswer } from './sqlite/child-process.ts';
import { clearLog } from './sqlite/clear-log.ts';
import { damaged, knownDamage, noNote, noteBeside } from './sqlite/damage.ts';
import { type SqliteDialect, sqliteDialect } from './sqlite/dialect.ts';
import { assertReadable, assertWhole, sizeOf } from './sqlite/file-header.ts';
import { healthCheck } from './sqlite/health.ts';
import { findDamage } from './sqlite/integrity.ts';
import { forThisUserAlone, isLocked, lockDatabase } from './sqlite/lock.ts';
import {
  assertNotMoved,
  hasMarker,
  isCopied,
  type Marker,
  markerPath,
  readMarker,
  updateMarker,
  writeMarker,
} from './sqlite/marker.ts';
import { assertOneName } from './sqlite/one-name.ts';
import { openFile } from './sqlite/open-database.ts';
import { markProgress, settling, stamp } from './sqlite/progress.ts';
import { type FileWatch, unwatched, watchFile } from './sqlite/replaced-file.ts';
import { freeSpace } from './sqlite/space.ts';
import { type StopTime, stopTime } from './sqlite/stop-time.ts';
import { isFileBusy, isFileStorage } from './sqlite/storage-failure.ts';
import type { Store } from './store.ts';

export interface OpenOptions {
  /** Path of the database, or `:memory:` for tests. */
  file: string;
  clock: Clock;
  log: Log;
  /**
   * `daemon`: the only daemon on its file; creates and migrates it and begins a new epoch. `tool`: beside a running
   * daemon or alone; refuses a database that is missing or needs a migration.
   */
  mode: 'daemon' | 'tool';
  /** `store.min_free` in bytes; see `Store.space`. */
  minFree?: number;
  /** Ends the reading of a database that was found damaged before; then it rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Opens the database. Throws `Failure` refused when another daemon has it open, when it existed before but is missing,
 * or when a newer version wrote it; transient when disk or permissions prevent its use.
 */
export async function openFileStore(options: OpenOptions): Promise<FileStore> {
  const { mode, minFree = 0, signal = new AbortController().signal } = options;
  const file = options.file === ':memory:' ? options.file : resolve(options.file);
  const given = { ...options, file, minFree, signal };
  if (mode === 'tool') return openBesideDaemon(given);
  if (file === ':memory:') return openInMemory(given);
  return openAlone(given);
}

/** With what only a file needs. */
export type FileStore = Store & Required<Pick<Store, 'checkIntegrity' | 'backUpInto'>>;

type Given = Required<OpenOptions> & { signal: AbortSignal };

interface Opened {
  file: string;
  sql: SqlStore;
  dialect: SqliteDialect;
  watch: FileWatch;
  /** The whole database. */
  image: () => Buffer;
}

interface Connecting {
  create: boolean;
  place?: string;
  image?: Buffer | undefined;
  stop?: StopTime;
}

function connect(file: string, clock: Clock, { create, place = file, image, stop }: Connecting): Opened {
  const database = openFile(file, { create, image });
  const isOwn = file === place && file !== ':memory:';
  const watch = isOwn ? watchFile(file) : unwatched;
  const dialect = sqliteDialect(database, file, isOwn ? noteBeside(file) : noNote, watch, stop);
  const sql = sqlStore({ dialect, place, clock, isBusy: isFileBusy, isStorage: isFileStorage });
  return { file, sql, dialect, watch, image: () => database.serialize() };
}

/** Replaces the database with the copy; see `restoreDatabase`. */
export const restoreStore = (file: string, copy: string, by: string, clock: Clock): Promise<Restored> =>
  restoreDatabase({
    file,
    copy,
    by,
    clock,
    open(path) {
      const { sql } = connect(path, clock, { create: false, place: copy });
      const bringUpToDate = async () => sql.migrate(await sql.schema());
      return { ...sql, bringUpToDate, audit: sql.verbs.audit.record };
    },
  });

function assemble(
  { file, sql, dialect, watch }: Opened,
  { clock, log, minFree, mode }: Given,
  identity: Store['identity'],
  close: () => Promise<void>,
): FileStore {
  const { unwritable } = dialect;
  return {
    ...sql.verbs,
    identity,
    health: healthCheck({
      file,
      broken: unwritable,
      beat: () => sql.beat(mode),
      keyValue: sql.verbs.keyValue,
      mode,
      clock,
      log,
    }),
    commitFailure: dialect.commitFailure,
    unwritable,
    async checkIntegrity(signal) {
      const found = file === ':memory:' ? undefined : await findDamage(file, signal);
      if (found !== undefined) dialect.noteDamage(found);
      return dialect.damaged();
    },
    space: freeSpace({ file, floor: minFree, clock }),
    async erase(person, at, by) {
      const rows = await sql.erase(person, at, by);
      const backups = Object.keys(await sql.verbs.keyValue.list('backups', ''));
      return {
        ...rows,
        log_cleared: await clearLog(sql.run, clock),
        copies: copiesBeside(file),
        backups: backups.filter((path) => existsSync(path)),
      };
    },
    clearLog: () => clearLog(sql.run, clock),
    settleRestored: sql.settleRestored,
    hasDaemon: async () => existsSync(file) && isLocked(realpathSync(file)),
    takeDaemonsPlace: async () => takePlace(file),
    changedElsewhere: dataVersionWatch(sql),
    async backup(target) {
      const at = instant(clock.now());
      const path = resolve(target);
      const bytes = await backUp({ target: path, at, replaced: watch.replaced, run: sql.run });
      // So that an erasure can list the backups that still contain the person.
      await sql.verbs.keyValue.set('backups', { [path]: at }).catch((cause: unknown) => {
        throw notNoted(path, asFailure(cause, 'Noting it'));
      });
      return bytes;
    },
    async backUpInto(directory, signal) {
      const at = instant(clock.now());
      const unfit = dialect.unwritable() ?? watch.replaced();
      if (unfit !== undefined) throw unfit;
      const known = await sql.verbs.keyValue.list('backups', '');
      const place = resolve(directory.path);
      const task = { file: realpathSync(file), directory: place, keep: directory.keep, floor: minFree, at };
      const isFirst = !Object.keys(known).some((path) => dirname(path) === place);
      const made = await childAnswer('backup-child', [JSON.stringify({ ...task, isFirst })], signal);
      const { path, bytes, removed, kept } = madeOrThrow(made);
      const gone = removed.filter((one) => one in known).map((one) => [one, undefined]);
      await sql.verbs.keyValue.set('backups', { [path]: at, ...Object.fromEntries(gone) });
      return { at, bytes, count: kept.length };
    },
    close,
  };
}

/** What the process that made a backup in a directory answered. */
function madeOrThrow(answer: unknown): BackedUp {
  const { path, message, ...rest } = (answer ?? {}) as Partial<BackedUp & FailureDetails>;
  if (path !== undefined) return answer as BackedUp;
  throw new Failure({
    kind: rest.kind ?? 'transient',
    message: message ?? 'No backup was written: its process ended without an answer.',
    hint: rest.hint ?? 'It is tried again; check the memory and the disk of this machine.',
  });
}

/** Uses PRAGMA data_version, which counts the commits of other connections only. */
function dataVersionWatch(sql: SqlStore): Store['changedElsewhere'] {
  let last: unknown;
  return async () => {
    const [row] = await sql.run('pragma data_version');
    const before = last;
    last = row?.data_version;
    return before !== undefined && before !== last;
  };
}

/** One in memory as it was created: creating its tables again costs three times as much as the rest of opening it. */
let created: Buffer | undefined;

async function openInMemory(given: Given): Promise<FileStore> {
  const opened = connect(given.file, given.clock, { create: true, image: created });
  const { sql } = opened;
  await sql.migrate(await sql.schema());
  created ??= opened.image();
  const { instance, epoch } = await sql.begin({ instance: '', epoch: 0 }, randomUUID());
  return assemble(opened, given, { instance, epoch, restored: false }, () => sql.close());
}

async function openBesideDaemon(given: Given): Promise<FileStore> {
  const { file, clock } = given;
  assertNotMissing(file);
  if (sizeOf(file) === 0)
    throw new Failure({
      kind: 'refused',
      message: `There is no database ${file}.`,
      hint: 'Start the daemon once, or check the path under store.sqlite.',
    });
  assertReadable(file);
  const marker = readMarker(file);
  assertNotMoved(file, marker);
  assertWhole(file, marker);
  const damage = await knownDamage(file, given.signal);
  const opened = connect(file, clock, { create: false });
  const { sql, dialect } = opened;
  if (damage !== undefined) dialect.noteDamage(damage);
  try {
    const { pending } = await sql.schema();
    const identity = pending.length === 0 ? await sql.identity() : undefined;
    if (identity === undefined)
      throw new Failure({
        kind: 'refused',
        message: `The database ${file} is not up to date.`,
        hint: 'Start the daemon of this version once: it updates the database.',
      });
    return assemble(opened, given, { ...identity, restored: false }, () => sql.close());
  } catch (error) {
    await sql.close();
    throw error;
  }
}

async function openAlone(given: Given): Promise<FileStore> {
  const { file, clock, log, signal } = given;
  const stop = stopTime(clock, signal);
  /** A slow disk blocks the process, so that it hears of a stop only here. */
  const pause = async () => {
    await nextTurn();
    signal.throwIfAborted();
  };
  await createFolder(file);
  assertReadable(file);
  assertOneName(file);
  // By its real path, because through a link a second daemon would use another lock.
  const lock = lockDatabase(existsSync(file) ? realpathSync(file) : file);
  let opened: Opened | undefined;
  try {
    const remembered = remember(file);
    await pause();
    assertNotMoved(file, remembered);
    const copied = remembered !== undefined && isCopied(file, remembered);
    // Files copied by hand may be readable by other users.
    for (const suffix of ['', '-wal', '-shm', '.marker']) forThisUserAlone(file + suffix);
    if (sizeOf(file) > 0) assertWhole(file, remembered);
    const damage = await knownDamage(file, given.signal);
    if (damage !== undefined) throw damaged(file, damage);
    opened = connect(file, clock, { create: true, stop });
    const { sql } = opened;
    await pause();
    await bringUpToDate(opened, remembered, { clock, log });
    await pause();
    const { held, ...identity } = await sql.begin(remembered, remembered?.instance ?? randomUUID(), {
      copied,
    });
    await pause();
    const marker = markProgress({ file, sql, identity, stop, stamp: await stamp(sql, identity.instance) });
    await pause();
    await marker.write(writeMarker);
    await pause();
    if (identity.restored)
      log.warn('database is older than its marker: bookings that waited are held', {
        path: file,
        count: held,
      });
    log.info('database opened', { path: file });

    const settle = settling({ file, sql, marker, stop, unwritable: opened.dialect.unwritable, log });
    const store = assemble(opened, given, identity, () => sql.close(settle).finally(lock.release));
    const claim: Store['bookings']['claim'] = async (...asked) => {
      const claimed = await sql.verbs.bookings.claim(...asked);
      // Before the send: otherwise an older copy could pass for the newest one, and this booking would be sent again.
      if (claimed !== undefined) await marker.write(updateMarker);
      return claimed;
    };
    return { ...store, bookings: { ...store.bookings, claim } };
  } catch (error) {
    await opened?.sql.close(async () => (stop.fits(2) ? undefined : 'leave open'));
    lock.release();
    throw error;
  }
}

/** Takes the daemon's lock; undefined while a daemon has it. */
function takePlace(file: string): { release(): Promise<void> } | undefined {
  try {
    const lock = lockDatabase(existsSync(file) ? realpathSync(file) : file);
    return { release: async () => lock.release() };
  } catch (error) {
    if (error instanceof Failure && error.kind === 'refused') return undefined;
    throw error;
  }
}

/** Throws the failure the daemon would report at its start if the former database is gone. */
export function assertNotMissing(file: string): void {
  if (sizeOf(file) === 0 && (readMarker(file)?.epoch ?? 0) > 0) throw missing(file);
}

export type { MissingBooking };
export { assertOneName };

/** Whether the marker is there. Throws the failure that a send would have. */
export const isMarked = (file: string): boolean => hasMarker(resolve(file));

/** Refuses to start with an empty database where one used to be. A first start writes its marker before the file. */
function remember(file: string): Marker | undefined {
  assertNotMissing(file);
  const marker = readMarker(file);
  if (sizeOf(file) > 0) return marker;
  const first = marker ?? { instance: randomUUID(), epoch: 0 };
  writeMarker(file, first);
  return first;
}

async function bringUpToDate(
  { file, sql }: Opened,
  remembered: Marker | undefined,
  { clock, log }: { clock: Clock; log: Log },
): Promise<void> {
  const state = await sql.schema();
  // A file without tables counts as missing.
  if (state.current === 0 && (remembered?.epoch ?? 0) > 0) throw missing(file);
  if (state.pending.length === 0) return;
  if (state.current > 0) {
    const target = `${file}${COPY_SUFFIX}${state.pending[0]?.number}`;
    // One name for every try: a step that fails at each restart would otherwise fill the disk with copies.
    const bytes = await backUp({ target, replace: true, at: instant(clock.now()), run: sql.run });
    log.info('database backed up before it is changed', { path: target, bytes });
  }
  await sql.migrate(state);
  log.info('database brought up to date', { count: state.pending.length });
}

/** Made before a migration: `FILE.before-2`. */
const COPY_SUFFIX = '.before-';

function copiesBeside(file: string): string[] {
  if (file === ':memory:') return [];
  const starts = [COPY_SUFFIX, REPLACED_SUFFIX].map((suffix) => basename(file) + suffix);
  const names = readdirSync(dirname(file)).filter((name) => starts.some((start) => name.startsWith(start)));
  return names.map((name) => join(dirname(file), name)).sort();
}

function missing(file: string): Failure {
  const [state, remedy] = existsSync(file)
    ? ['empty, although it was not before', 'Restore a backup: clinic-sync restore FILE.']
    : [
        'missing, although it was there before',
        'Is the volume mounted? Put the file back or restore a backup: clinic-sync restore FILE.',
      ];
  return new Failure({
    kind: 'refused',
    message: `The database ${file} is ${state}.`,
    hint: `${remedy} To start afresh and forget what was booked, delete ${markerPath(file)}.`,
  });
}

async function createFolder(file: string): Promise<void> {
  try {
    await makeFolder(dirname(file), 0o700);
  } catch (error) {
    throw new Failure({
      kind: 'transient',
      message: `The folder of the database ${file} cannot be created.`,
      hint: 'Check the path under store.sqlite and the permissions of the folder above it.',
      cause: error,
    });
  }
}
