import type { Clock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import { commitFate } from './commit-fate.ts';
import { asText, type Held, releaseConnection, type Speaking } from './connections.ts';
import { lockNumber } from './dialect.ts';
import { OF_NO_EXTENSION, type Server } from './look-at-server.ts';
import { isConnectionLost } from './postgres-failure.ts';

/** What this module needs to know about a table. */
interface Table {
  name: string;
  columns: readonly string[];
  key: readonly string[];
  numbered: string | undefined;
}
type Row = readonly unknown[];

interface ArrivalOptions {
  speak: Speaking;
  server: Server;
  place: string;
  clock: Clock;
}

/**
 * Fills an empty database in one transaction on one connection: it contains everything after `commit`, and otherwise
 * nothing. Throws `Failure` refused if it is not empty.
 */
export async function openArrival({ speak, server, place, clock }: ArrivalOptions) {
  const { schema } = server;
  const fate = commitFate({ row: speak.row, place, clock, server: server.identity });
  const held: Held = await speak.connect();
  const ask = (text: string, values?: string[]) => speak.ask(held, text, values);
  const rowsOf = async (text: string) => (await ask(text)).at(-1)?.rows ?? [];
  const named = (name: string) => `${quoted(schema)}.${quoted(name)}`;

  const close = async () => {
    await speak.rollBack(held);
    releaseConnection(held);
  };

  let xid: string | undefined;
  try {
    const [begun] = await rowsOf(beginning(schema));
    if (begun?.free !== true) throw busy(place);
    await refuseContents(place, rowsOf);
    xid = String(begun.xid);
  } catch (error) {
    await close();
    throw error;
  }

  return {
    async run(statements: readonly string[]): Promise<void> {
      for (const statement of statements) await ask(statement);
    },

    /** Passes any number of rows in one JSON value; the table determines the types. */
    async insert({ name, columns }: Table, rows: readonly Row[]): Promise<void> {
      const list = columns.map(quoted).join(', ');
      const objects = rows.map((row) =>
        Object.fromEntries(columns.map((column, i) => [column, asText(row[i] ?? null)])),
      );
      await ask(
        `insert into ${named(name)} (${list})
          select ${list} from pg_catalog.json_populate_recordset(null::${named(name)}, $1::json)`,
        [JSON.stringify(objects)],
      );
    },

    /** Reads a table in key order, as many rows as requested. */
    async read({ name, columns, key }: Table): Promise<(count: number) => Promise<Row[]>> {
      const list = columns.map(quoted).join(', ');
      await ask('close all');
      await ask(
        `declare stored no scroll cursor for select ${list} from ${named(name)} order by ${key.map(quoted).join(', ')}`,
      );
      return async (count) =>
        (await rowsOf(`fetch ${count} from stored`)).map((row) => columns.map((column) => row[column]));
    },

    /** Continues a table's numbering above all numbers ever assigned. */
    async continueNumbers({ name, numbered }: Table, last: number): Promise<void> {
      if (numbered === undefined || last === 0) return;
      await ask(
        `select pg_catalog.setval(pg_catalog.pg_get_serial_sequence('${named(name)}', '${numbered}'), ${last})`,
      );
    },

    /** Throws `Failure` transient if it took no effect, or if that remains unknown (`inDoubt`). */
    async commit(): Promise<void> {
      try {
        await ask('commit');
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        releaseConnection(held);
        if ((await fate.fateOf(xid, error)) === 'aborted') throw error;
      }
    },
    inDoubt: () => fate.failure() !== undefined,

    /** Discards everything unless `commit` came first. */
    close,
  };
}
export type Arrival = Awaited<ReturnType<typeof openArrival>>;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Lifts the timeouts set for users: indexing millions of rows takes longer. */
const beginning = (schema: string): string =>
  [
    'begin',
    'set local statement_timeout = 0',
    'set local idle_in_transaction_session_timeout = 0',
    'set local synchronous_commit = on',
    `set local search_path to ${quoted(schema)}`,
    `select pg_catalog.pg_try_advisory_xact_lock(${lockNumber(schema)}) as free,
      pg_catalog.pg_current_xact_id()::text as xid`,
  ].join(';\n');

/** Never adds to an existing database. */
async function refuseContents(
  place: string,
  rowsOf: (text: string) => Promise<Record<string, unknown>[]>,
): Promise<void> {
  const found = await rowsOf(
    `select relname as name from pg_catalog.pg_class where relkind in ('r', 'p', 'v', 'm', 'S', 'f')
      and relnamespace = (select oid from pg_catalog.pg_namespace where nspname = current_schema())
      and ${OF_NO_EXTENSION}`,
  );
  if (found.length === 0) return;
  const names = found.map(({ name }) => name);
  const isOurs = ['members', 'booking_events', 'identity'].every((name) => names.includes(name));
  const living = isOurs ? await rowsOf('select 1 from members where expires_at > clock_timestamp()') : [];
  throw new Failure({
    kind: 'refused',
    message:
      living.length > 0
        ? `A daemon runs on the database ${place}.`
        : `The database ${place} is not empty: it is ` +
          `${isOurs ? 'an installation of clinic-sync' : 'that of another program'}.`,
    hint: 'Create an empty database and name that one. Nothing was changed.',
  });
}

const busy = (place: string): Failure =>
  new Failure({
    kind: 'refused',
    message: `Another process is writing to the database ${place}.`,
    hint: 'Wait until it has finished, or use a separate empty database.',
  });
