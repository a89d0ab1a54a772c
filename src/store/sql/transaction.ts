import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  type QueryResult,
  Transaction,
} from 'kysely';
import type { Db, Trx } from './database.ts';
import type { Schema } from './schema.ts';

/** Placeholders that are never used: the executor has all that a transaction needs. */
const dialect = {} as Dialect;
const driver = new DummyDriver();
const connections = new WeakMap<Db, DatabaseConnection>();

/**
 * A write transaction whose statements need not wait for each other's answers: kysely's own sends one at a time, each a
 * round trip to a server. They run in the order in which they were issued.
 */
export const inTransaction = <T>(db: Db, job: (trx: Trx) => Promise<T>): Promise<T> =>
  db.transaction().execute((trx) =>
    trx.getExecutor().provideConnection((connection) => {
      const executor = trx.getExecutor().withConnectionProvider({
        provideConnection: (consumer) => consumer(connection),
      });
      const own = new Transaction<Schema>({ config: { dialect }, dialect, driver, executor });
      connections.set(own, connection);
      return job(own);
    }),
  );

/** For what is compiled already: in a transaction past kysely, whose six promises take longer than most statements. */
export const execute = <R>(db: Db, query: CompiledQuery<R>): Promise<QueryResult<R>> =>
  connections.get(db)?.executeQuery<R>(query) ?? db.executeQuery<R>(query);

/**
 * Runs independent statements, in one round trip on a server. Rejects with the first failure once all have ended, so
 * that none writes after its transaction was rolled back.
 */
export async function atOnce<T extends readonly unknown[]>(
  ...work: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const all = Promise.all(work) as unknown as Promise<T>;
  all.catch(() => {});
  await Promise.allSettled(work);
  return all;
}
