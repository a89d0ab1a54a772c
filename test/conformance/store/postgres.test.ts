import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { silentLog } from '../../../src/platform/log.ts';
import { openPostgres } from '../../../src/store/postgres.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { EMPTY, patientTimes } from '../../support/store/empty-postgres.ts';
import { openPgliteStore, pglite } from '../../support/store/pglite.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/store/postgres-server.ts';
import { describePostgresServer } from './postgres-server.ts';
import { describeSchema } from './schema.ts';
import { describeStore } from './store.ts';

describe.skipIf(!hasPostgres)('a server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  describePostgresServer(() => server);

  const open = async () => {
    await server.run(EMPTY);
    const store = await openPostgres({
      url: server.url(),
      clock: fakeClock(),
      log: silentLog,
      mode: 'daemon',
      version: '0.0.0',
      times: patientTimes,
    });
    onTestFinished(() => store.close());
    return store;
  };
  describeStore('PostgreSQL', open, 'process');
  describeSchema(async (statement) => {
    await open();
    return (await server.run(statement)).map(({ name }) => name);
  });
});

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;

// PostgreSQL inside the process stands in for a server, and says nothing that a server does not.
if (!hasPostgres || isLongRun)
  describe('without a server', () => {
    describeStore('PGlite', openPgliteStore, 'process');
    describeSchema(async (statement) => {
      await openPgliteStore();
      const { rows } = await pglite().query<{ name: string }>(statement);
      return rows.map(({ name }) => name);
    });
  });
