import { existsSync, realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { AuditEntry } from '../domain/audit.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { HOUR } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { type Arrival, openArrival } from './postgres/arrival.ts';
import { asText, type Connections, speaking } from './postgres/connections.ts';
import { lookAtServer } from './postgres/look-at-server.ts';
import { openPool, serverPlaceOf } from './postgres/pool.ts';
import { sqlStore } from './sql/sql.ts';
import { aroundRows, type StoredTable, storedTables } from './sql/stored-tables.ts';
import { damaged, knownDamage, noNote } from './sqlite/damage.ts';
import { departure, markMoved, type StoredRow } from './sqlite/departure.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { assertWhole, sizeOf } from './sqlite/file-header.ts';
import { lockStopped } from './sqlite/lock.ts';
import { type Marker, readMarker } from './sqlite/marker.ts';
import { openFile } from './sqlite/open-database.ts';
import { isFileBusy, isFileStorage } from './sqlite/storage-failure.ts';

interface MoveOptions {
  /** The SQLite file to move from. Unchanged, except that its marker records where the installation went. */
  file: string;
  /** The empty PostgreSQL database to move to. */
  url: string;
  by: string;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  onProgress?: (progress: MoveProgress) => void;
  /** For tests: connections to another PostgreSQL. */
  connections?: Connections;
}

/** Rows of all tables together. `doing`: copying them, comparing them, or creating indexes. */
export interface MoveProgress {
  doing: 'copying' | 'comparing' | 'indexing';
  rows: number;
  of: number;
}

export interface Moved {
  file: string;
  to: string;
  /** Rows copied and verified, by table. */
  tables: Record<string, number>;
  rows: number;
  /** The file was an older copy or had been moved before, so bookings that waited in it will be held. */
  held: boolean;
}

type Source = Awaited<ReturnType<typeof openSource>>;

/** Enough to index millions of rows. */
const ANSWER_TIMEOUT_MS = HOUR;

/**
 * Moves an installation from its file to an empty database on a server, and compares every row with the file. Throws
 * `Failure` refused while a daemon runs on either, if the file is not up to date, or if the server's database is not
 * empty; transient if either fails. Nothing is changed then, and it can be repeated, even after a crash at any point.
 */
export async function moveStore(options: MoveOptions): Promise<Moved> {
  const { url, clock, log, connections = openPool(url, log, ANSWER_TIMEOUT_MS) } = options;
  const place = serverPlaceOf(url);
  try {
    const source = await openSource(resolve(options.file), clock);
    try {
      const speak = speaking(connections, place);
      const server = await lookAtServer(speak, place);
      const target = await openArrival({ speak, server, place, clock });
      try {
        return await fill(source, target, { ...options, place });
      } finally {
        await target.close();
      }
    } finally {
      source.close();
    }
  } finally {
    await connections.end();
  }
}

async function fill(source: Source, target: Arrival, options: MoveOptions & { place: string }) {
  const { place, by, clock } = options;
  const say = sayer(source, options);
  const { before, after } = aroundRows();
  await target.run(before);
  const tables: Moved['tables'] = {};
  for (const table of storedTables) tables[table.name] = await copy(source, target, table, say);
  say.next('comparing');
  for (const table of storedTables) await compare(source, target, table, say);
  say.next('indexing');
  await target.run(['close all', ...after]);
  for (const table of storedTables) await target.continueNumbers(table, source.lastNumber(table));
  const at = instant(clock.now());
  const role: AuditEntry['role'] = 'cli';
  const entry = { at, actor: by, role, action: 'migrate', subject: basename(source.file), result: 'ok' };
  await target.run([
    ...(source.isOlder ? [`update identity set copied_at = coalesce(copied_at, '${at}')`] : []),
    insertText('memory', { scope: 'backups', key: source.file, value: at }),
    insertText('audit', entry),
    `analyze ${storedTables.map(({ name }) => name).join(', ')}`,
  ]);
  refuseStopped(options.signal);
  const takeBack = source.markMoved({ to: place, at });
  try {
    await target.commit();
  } catch (error) {
    if (target.inDoubt()) throw inDoubt(place, error);
    takeBack();
    throw error;
  }
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  return { file: source.file, to: place, tables, rows, held: source.isOlder };
}

function refuseStopped(signal: AbortSignal): void {
  if (signal.aborted)
    throw new Failure({ kind: 'refused', message: 'Stopped before the end: nothing was changed.' });
}

const inDoubt = (place: string, cause: unknown): Failure =>
  new Failure({
    kind: 'transient',
    message: `The connection was lost at the end: it is not known whether the installation is in ${place} now.`,
    hint: 'Run the same command again: it reports that it is, or moves it.',
    cause,
  });

function insertText(table: string, values: Record<string, string>): string {
  const literals = Object.values(values).map((value) => `'${value.replaceAll("'", "''")}'`);
  return `insert into ${table} (${Object.keys(values).join(', ')}) values (${literals.join(', ')})
    on conflict do nothing`;
}

interface Say {
  next(doing: MoveProgress['doing']): void;
  /** Reports progress and lets other work of the process run. */
  more(rows: number): Promise<void>;
}

function sayer(source: Source, { onProgress = () => {}, signal }: MoveOptions): Say {
  const progress: MoveProgress = { doing: 'copying', rows: 0, of: 0 };
  for (const table of storedTables) progress.of += source.count(table);
  return {
    next(doing) {
      Object.assign(progress, { doing, rows: 0 });
      onProgress({ ...progress });
    },
    async more(rows) {
      progress.rows += rows;
      onProgress({ ...progress });
      await turn();
      refuseStopped(signal);
    },
  };
}

async function copy(source: Source, target: Arrival, table: StoredTable, say: Say): Promise<number> {
  let count = 0;
  for (const rows of source.batches(table)) {
    await target.insert(table, rows);
    count += rows.length;
    await say.more(rows.length);
  }
  return count;
}

async function compare(source: Source, target: Arrival, table: StoredTable, say: Say): Promise<void> {
  const read = await target.read(table);
  for (const rows of source.batches(table)) {
    const there = await read(rows.length);
    const differing = rows.findIndex((row, i) => !isEqual(row, there[i]));
    if (differing >= 0) throw unlike(table.name, 'a row differs');
    await say.more(rows.length);
  }
  if ((await read(1)).length > 0) throw unlike(table.name, 'there is an extra row');
}

/** Compares values as the database stores them: without NUL characters. */
const isEqual = (row: StoredRow, there: StoredRow | undefined): boolean =>
  there !== undefined &&
  row.every((value, i) =>
    typeof value === 'string' ? asText(value) === there[i] : (value ?? null) === (there[i] ?? null),
  );

const unlike = (table: string, how: string): Failure =>
  new Failure({
    kind: 'transient',
    message: `The copy of the table ${table} is not equal to the original: ${how}.`,
    hint: 'Nothing was changed. Try again, and report this if it happens again.',
  });

/** Opens the file of a stopped installation: locked, intact and up to date. */
async function openSource(given: string, clock: Clock) {
  if (sizeOf(given) === 0)
    throw new Failure({
      kind: 'refused',
      message: `There is no database ${given}.`,
      hint: 'Check the path after sqlite:.',
    });
  const file = existsSync(given) ? realpathSync(given) : given;
  const lock = lockStopped(file, 'migrate');
  try {
    const marker = readMarker(file);
    assertWhole(file, marker);
    const damage = await knownDamage(file, new AbortController().signal);
    if (damage !== undefined) throw damaged(file, damage);
    const { identity, isOlder } = await lookInto(file, marker, clock);
    const leaving = departure(openFile(file, { create: false }), file);
    return {
      ...leaving,
      file,
      isOlder,
      markMoved: (moved: NonNullable<Marker['moved']>) => markMoved(file, { marker, identity }, moved),
      close() {
        leaving.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function lookInto(file: string, marker: Marker | undefined, clock: Clock) {
  const dialect = sqliteDialect(openFile(file, { create: false }), file, noNote);
  const sql = sqlStore({ dialect, place: file, clock, isBusy: isFileBusy, isStorage: isFileStorage });
  try {
    const { pending } = await sql.schema();
    const identity = pending.length === 0 ? await sql.identity() : undefined;
    if (identity !== undefined) return { identity, isOlder: await sql.isOlderCopy(marker) };
    throw new Failure({
      kind: 'refused',
      message: `The database ${file} is not up to date.`,
      hint: 'Start the daemon of this version on it once, stop it, then migrate.',
    });
  } finally {
    await sql.close();
  }
}
