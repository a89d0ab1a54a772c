import { PGlite } from '@electric-sql/pglite';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/platform/log.ts';
import { type Connection, type Connections, parsers } from '../../../src/store/postgres/connections.ts';
import { openPostgres } from '../../../src/store/postgres.ts';
import type { Store } from '../../../src/store/store.ts';
import { fakeClock } from '../fake-clock.ts';

/** A test takes as long as the machine needs; nobody else wants its database. */
export const patientTimes = { beatMs: 3_600_000, ttlMs: 7_200_000 };

let shared: PGlite | undefined;

/** PostgreSQL inside the process; one for all tests of it. */
const pglite = (): PGlite => {
  shared ??= new PGlite();
  return shared;
};

/** PGlite has one connection: whoever takes it has it alone until it is given back. */
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

/** Empties the tables that have anything; the steps of the schema and the key stay. */
const EMPTY = `do $$ declare one text; found boolean; begin
  for one in select tablename from pg_tables where schemaname = 'public' and tablename not in ('migrations', 'memory') loop
    execute format('select exists (select 1 from %I)', one) into found;
    if found then execute format('truncate %I restart identity cascade', one); end if;
  end loop;
  if one is not null then delete from memory where scope <> 'erasing'; end if;
end $$`;

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
