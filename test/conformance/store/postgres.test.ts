import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { silentLog } from '../../../src/platform/log.ts';
import type { Connections } from '../../../src/store/postgres/connections.ts';
import { openPool } from '../../../src/store/postgres/pool.ts';
import { openPostgres } from '../../../src/store/postgres.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { EMPTY, patientTimes } from '../../support/store/empty-postgres.ts';
import { openPgliteStore, pglite } from '../../support/store/pglite.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/store/postgres-server.ts';
import { describeFees } from './fees.ts';
import { describePostgresServer } from './postgres-server.ts';
import { describeSchema } from './schema.ts';
import { describeStore } from './store.ts';
import { describeTampering } from './tampering.ts';

describe.skipIf(!hasPostgres)('a server', { tags: ['thorough'] }, () => {
  let server: PostgresServer;
  let pool: Connections;
  beforeAll(async () => {
    server = await startPostgres();
    pool = openPool(server.url(), silentLog);
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  describePostgresServer(() => server);

  const run = async (statement: string) => {
    const client = await pool.connect();
    const result = await client.query(statement).finally(() => client.release());
    return Array.isArray(result) ? [] : result.rows;
  };
  /** Each connection is a process of the server: the stores of these tests share a few, one store after the other. */
  const open = async () => {
    await run(EMPTY);
    const store = await openPostgres({
      url: server.url(),
      clock: fakeClock(),
      log: silentLog,
      mode: 'daemon',
      version: '0.0.0',
      connections: { connect: () => pool.connect(), end: async () => {} },
      times: patientTimes,
    });
    onTestFinished(() => store.close());
    return store;
  };
  describeStore('PostgreSQL', open, 'process');
  describeTampering('PostgreSQL', async () => {
    const store = await open();
    return { store, alter: async (statement) => void (await run(statement)) };
  });
  describeFees('PostgreSQL', async () => {
    const store = await open();
    return {
      store,
      read: async (statement) => withNumbers(await run(statement)),
      alter: async (statement) => void (await run(statement)),
    };
  });
  describeSchema(async (statement) => {
    await open();
    return (await run(statement)).map(({ name }) => name);
  });
});

/** Drivers give bigint and numeric as text. */
const withNumbers = (rows: readonly Record<string, unknown>[]) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        name !== 'text' && typeof value === 'string' && /^-?[0-9.]+$/.test(value) ? Number(value) : value,
      ]),
    ),
  );

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;

// PostgreSQL inside the process replaces a server, and proves nothing that a server does not.
if (!hasPostgres || isLongRun)
  describe('without a server', () => {
    describeStore('PGlite', openPgliteStore, 'process');
    describeTampering('PGlite', async () => {
      const store = await openPgliteStore();
      return { store, alter: async (statement) => void (await pglite().exec(statement)) };
    });
    describeFees('PGlite', async () => {
      const store = await openPgliteStore();
      const read = async (statement: string) =>
        withNumbers((await pglite().query<Record<string, unknown>>(statement)).rows);
      return { store, read, alter: async (statement) => void (await pglite().exec(statement)) };
    });
    describeSchema(async (statement) => {
      await openPgliteStore();
      const { rows } = await pglite().query<{ name: string }>(statement);
      return rows.map(({ name }) => name);
    });
  });
