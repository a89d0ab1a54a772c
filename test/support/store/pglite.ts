import { PGlite } from '@electric-sql/pglite';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/platform/log.ts';
import { type Connection, type Connections, parsers } from '../../../src/store/postgres/connections.ts';
import { openPostgres } from '../../../src/store/postgres.ts';
import type { Store } from '../../../src/store/store.ts';
import { fakeClock } from '../fake-clock.ts';
import { EMPTY, patientTimes } from './empty-postgres.ts';

let shared: PGlite | undefined;

/** PostgreSQL inside the process; one for all tests of it. */
export const pglite = (): PGlite => {
  shared ??= new PGlite();
  return shared;
};

/** PGlite has one connection: its holder has it alone until it is released. */
function pgliteConnections(database: PGlite): Connections {
  let free = Promise.resolve();
  return {
    async connect(): Promise<Connection> {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const before = free;
      free = free.then(() => released);
      await before;
      return {
        async query(text, values) {
          if (values === undefined) return await database.exec(text, { parsers });
          const { rows, affectedRows } = await database.query<Record<string, unknown>>(text, values, {
            parsers,
          });
          return { rows, rowCount: affectedRows ?? 0 };
        },
        release: () => release(),
      };
    },
    async end() {},
  };
}

/** An empty store on PGlite, closed with the test. */
export async function openPgliteStore(): Promise<Store> {
  const database = pglite();
  await database.exec(EMPTY);
  const store = await openPostgres({
    url: 'postgres://test@pglite/test',
    clock: fakeClock(),
    log: silentLog,
    mode: 'daemon',
    version: '0.0.0',
    connections: pgliteConnections(database),
    times: patientTimes,
  });
  onTestFinished(() => store.close());
  return store;
}
