import pg from 'pg';
import { asFailure, Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { type Connections, parsers } from './connections.ts';
import type { Listen } from './notices.ts';

const POOLED = 4;
/** Beside the pool: one for signs of life, one that is told of changes. */
export const MOST_CONNECTIONS = POOLED + 2;
const CONNECT_TIMEOUT_MS = 5_000;
/** A server that is cut off answers nothing; the operating system would wait for a quarter of an hour. */
const ANSWER_TIMEOUT_MS = 60_000;
const IDLE_MS = 60_000;

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/** Connects when somebody asks. Throws `Failure` refused for an address that is none. */
export function openPool(
  url: string,
  log: Log,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
  most = POOLED,
): Connections {
  placeOf(url);
  const pool = new pg.Pool({
    connectionString: url,
    max: most,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: answerTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: 'clinic-sync',
    // Statements that are not waited for go out at once, each with its own answer.
    pipeline: true,
    types,
  });
  // Of a connection that nobody uses: the pool forgets it, and the next one is new.
  pool.on('error', (error) => {
    log.warn('a connection to the database ended', { problem: asFailure(error, 'A connection').message });
  });
  // Of one in use: its next statement fails, and says so.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** See `Listen`. */
export const listenAt =
  (url: string): Listen =>
  async (channel, heard, lost) => {
    const client = new pg.Client({
      connectionString: url,
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

/** What messages call the database: host and name, never user or password. */
export function placeOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new Failure({
      kind: 'refused',
      message: 'The address of the database cannot be read.',
      hint: 'It is postgres://USER:PASSWORD@HOST:5432/DATABASE; encode special characters of the password as %XX.',
    });
  const host = parsed.searchParams.get('host') ?? parsed.host;
  return `${host}${decodeURIComponent(parsed.pathname)}`;
}
