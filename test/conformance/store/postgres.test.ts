import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { silentLog } from '../../../src/platform/log.ts';
import { openPostgres } from '../../../src/store/postgres.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { EMPTY, patientTimes } from '../../support/store/empty-postgres.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/store/postgres-server.ts';
import { describePostgresServer } from './postgres-server.ts';
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
});
