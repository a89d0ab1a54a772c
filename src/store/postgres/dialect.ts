import { crc32 } from 'node:zlib';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  HandleEmptyInListsPlugin,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryResult,
  replaceWithNoncontingentExpression,
  sql,
  WithSchemaPlugin,
} from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import { commitFate } from './commit-fate.ts';
import { asText, type Connections, type Held, releaseConnection, speaking } from './connections.ts';
import { OF_NO_EXTENSION, SERVER_IDENTITY } from './look-at-server.ts';
import { isConnectionLost } from './postgres-failure.ts';

/** How long a write waits for the previous one, and the database for an idle transaction. */
const LOCK_WAIT_MS = 2_000;
const STANDSTILL_MS = 15_000;

interface DialectOptions {
  connections: Connections;
  schema: string;
  place: string;
  clock: Clock;
  /** `SERVER_IDENTITY` when the database was opened. */
  server: string | null;
  /** A further statement at the start of every transaction. */
  first: () => string | undefined;
}

export interface PostgresDialect extends Dialect {
  readonly plugins: KyselyPlugin[];
  /**
   * Set when it remained unknown whether a COMMIT took effect, or after another server answered. Only a restart tells
   * what is stored.
   */
  readonly commitFailure: () => Failure | undefined;
}

/** `xid`: number of its transaction, to look up its fate. */
type Writing = Held & { xid?: string };

/**
 * Kysely over node-postgres. Works behind a transaction pooler: no session settings, named statements only where there
 * is none, and tables are qualified with their schema.
 *
 * Writes are serialised across all processes, as on SQLite: every transaction begins by taking the same lock.
 */
export function postgresDialect(options: DialectOptions): PostgresDialect {
  const { connections, schema, place, clock, server, first } = options;
  const held = new WeakMap<DatabaseConnection, Writing>();
  const { connect, ask, askKept, rollBack, row } = speaking(connections, place);
  const fate = commitFate({ row, place, clock, server });
  let elsewhere: Failure | undefined;
  const commitFailure = () => fate.failure() ?? elsewhere;

  const holding = (connection: DatabaseConnection): Writing => {
    const found = held.get(connection);
    if (found === undefined) throw new Failure({ kind: 'refused', message: 'This connection is not ours.' });
    return found;
  };

  const driver: Driver = {
    async init() {},

    async acquireConnection() {
      const one = await connect();
      const connection: DatabaseConnection = {
        async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
          const say = holding(connection).xid === undefined ? askKept : ask;
          const [result] = await say(one, text, parameters.map(asText));
          const { rows = [], rowCount } = result ?? {};
          return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
        },
        streamQuery() {
          throw new Failure({ kind: 'refused', message: 'This database does not stream.' });
        },
      };
      held.set(connection, one);
      return connection;
    },

    async releaseConnection(connection) {
      releaseConnection(holding(connection));
    },

    async beginTransaction(connection) {
      const broken = commitFailure();
      if (broken !== undefined) throw broken;
      const one = holding(connection);
      const more = first();
      const statements = [...beginning(schema), ...(more === undefined ? [] : [more])];
      try {
        const results = await ask(one, statements.join(';\n'));
        const begun = results.flatMap(({ rows }) => rows).find(({ xid }) => xid !== undefined);
        one.xid = begun?.xid as string;
        if (server !== null && begun?.server !== server) {
          elsewhere ??= movedOn(place);
          throw elsewhere;
        }
      } catch (error) {
        await rollBack(one);
        throw error;
      }
    },

    async commitTransaction(connection) {
      const one = holding(connection);
      try {
        const [result] = await ask(one, 'commit');
        if (result?.command === 'ROLLBACK') throw notCommitted(place);
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        // Closed first: only then does the server abort a transaction whose COMMIT never arrived.
        releaseConnection(one);
        if ((await fate.fateOf(one.xid, error)) === 'aborted') throw error;
      }
    },

    rollbackTransaction: (connection) => rollBack(holding(connection)),

    destroy: () => connections.end(),
  };

  return {
    createDriver: () => driver,
    createAdapter: () => Object.assign(new PostgresAdapter(), { schema }),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => introspector(db, schema),
    plugins: [
      new WithSchemaPlugin(schema),
      new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression }),
    ],
    commitFailure,
  };
}

/** A replica may lack the latest writes, such as that a booking was sent. */
const movedOn = (place: string): Failure =>
  new Failure({
    kind: 'transient',
    message:
      'Another server, or a replica that took over, answers for the ' +
      `database ${place}: it may lack what was stored last.`,
    hint: 'Restart the program; what waited to be sent is then held until you have looked.',
  });

/** Number of the advisory lock that each writing transaction holds on the schema. */
export const lockNumber = (schema: string): number => crc32(`clinic-sync ${schema}`);

/** One round trip. Transaction number and server come last, because a guard may follow them. */
const beginning = (schema: string): string[] => [
  'begin',
  // Settings of a database or user may be unsafe in a power cut: synchronous_commit. With the default costs of a disk
  // that has to seek, the look-ups of a large group of leads would read whole tables instead of indexes.
  `select pg_catalog.set_config('lock_timeout', '${LOCK_WAIT_MS}', true),
    pg_catalog.set_config('idle_in_transaction_session_timeout', '${STANDSTILL_MS}', true),
    pg_catalog.set_config('synchronous_commit', 'on', true),
    pg_catalog.set_config('random_page_cost', '1.1', true)`,
  `select pg_catalog.pg_advisory_xact_lock(${lockNumber(schema)})`,
  `select pg_catalog.pg_current_xact_id()::text as xid, (${SERVER_IDENTITY}) as server`,
];

const notCommitted = (place: string): Failure =>
  new Failure({
    kind: 'transient',
    message: `The database did not store the last write (${place}).`,
    hint: 'Try again.',
  });

/** Kysely's own introspector reads every column of every schema. */
function introspector(
  db: Parameters<Dialect['createIntrospector']>[0],
  schema: string,
): DatabaseIntrospector {
  const getTables: DatabaseIntrospector['getTables'] = async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_catalog.pg_class where relkind in ('r', 'p', 'v')
        and relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ${schema})
        and ${sql.raw(OF_NO_EXTENSION)}`.execute(db);
    return rows.map(({ name }) => ({ name, schema, isView: false, isForeign: false, columns: [] }));
  };
  return { getTables, getSchemas: async () => [{ name: schema }] };
}
