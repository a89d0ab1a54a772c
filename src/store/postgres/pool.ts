import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { MINUTE } from '../../platform/duration.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { placeInAddress } from '../../platform/network/postgres-address.ts';
import { type Connection, type Connections, parsers } from './connections.ts';
import type { Listen } from './notices.ts';
import { isOfSession } from './postgres-failure.ts';

const POOLED = 4;
/** Beside the pool: one connection for heartbeats, one for notices. */
export const MOST_CONNECTIONS = POOLED + 2;
const CONNECT_TIMEOUT_MS = 5_000;
/** A disconnected server does not answer; the operating system would wait for a quarter of an hour. */
const ANSWER_TIMEOUT_MS = MINUTE;
const IDLE_MS = MINUTE;

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/** The driver checks as much in these modes, but warns at each start that its next version will not. */
const checked = (url: string): string =>
  url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full');

/** If signing in fails on this side, the driver leaves the socket open, and the process would not end. */
class Client extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super(options);
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.once('error', () => streamOf(this).destroy());
  }
}

const streamOf = (client: pg.ClientBase): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/**
 * Connects on demand, after a refused sign-in with the address as it is now. Throws `Failure` refused for an invalid
 * address.
 */
export function openPool(
  address: string | (() => string),
  log: Log,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
  most = POOLED,
): Connections {
  const addressOf = typeof address === 'string' ? () => address : address;
  const url = addressOf();
  serverPlaceOf(url);
  const pool = new pg.Pool({
    Client,
    connectionString: checked(url),
    max: most,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: answerTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: 'clinic-sync',
    // Statements that are not awaited are sent at once, each with its own answer.
    pipeline: true,
    types,
  });
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const nameOf = statementNames();
  // For idle connections: the pool drops them, and the next one is new.
  pool.on('error', (error) => {
    log.warn('a connection to the database ended', { problem: asFailure(error, 'A connection').message });
  });
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    open.add(client);
    // For connections in use: the next statement fails and reports it.
    client.on('error', () => {});
  });
  pool.on('remove', (client) => open.delete(client));
  const asked = new WeakSet<pg.PoolClient>();
  pool.on('release', (error, client) => {
    if (error || asked.has(client)) return;
    asked.add(client);
    keepStatements(client, nameOf);
  });
  return Object.assign(pool, {
    async connect() {
      try {
        return await connect();
      } catch (error) {
        // The password was changed: sessions that are open work on, new ones need the new one.
        const current = isOfSession(error) ? checked(addressOf()) : pool.options.connectionString;
        if (current === pool.options.connectionString) throw error;
        pool.options.connectionString = current;
        return await connect();
      }
    },
    suspect() {
      const some = [...open];
      return () => {
        for (const client of some) if (open.has(client)) streamOf(client).destroy();
      };
    },
  });
}

/** Each may be kept by every connection. */
const MOST_KEPT = 200;

/** Names statements from their second use on: for the small reads of a daemon, planning takes longer than running. */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text);
    if (name === undefined && names.size < MOST_KEPT) names.set(text, `clinic_sync_${names.size + 1}`);
    return name;
  };
}

/** A pooler gives its clients other numbers than those of the processes that run their statements. */
function keepStatements(
  client: pg.PoolClient & { processID?: number } & Pick<Connection, 'queryKept'>,
  nameOf: (text: string) => string | undefined,
): void {
  client.query('select pg_catalog.pg_backend_pid() as pid').then(
    ({ rows }) => {
      if (rows[0]?.pid !== client.processID) return;
      client.queryKept = (text, values) => client.query({ name: nameOf(text), text, values });
    },
    // The next statement on this connection fails, too, and reports it.
    () => {},
  );
}

/** See `Listen`. */
export const listenAt =
  (addressOf: () => string): Listen =>
  async (channel, heard, lost) => {
    const client = new Client({
      connectionString: checked(addressOf()),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'clinic-sync',
    });
    client.on('error', lost);
    client.on('notification', ({ payload }) => heard(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    return () => client.end();
  };

/** The database's name in messages. Throws `Failure` refused for an invalid address. */
export function serverPlaceOf(url: string): string {
  const place = placeInAddress(url);
  if (place !== undefined) return place;
  throw new Failure({
    kind: 'refused',
    message: 'The address of the database cannot be read.',
    hint: 'It is postgres://USER:PASSWORD@HOST:5432/DATABASE; encode special characters of the password as %XX.',
  });
}
