import { type Dialect, DummyDriver, Transaction } from 'kysely';
import type { Db, Trx } from './database.ts';
import type { Schema } from './schema.ts';

/** Never asked: the executor has all that a transaction needs. */
const dialect = {} as Dialect;
const driver = new DummyDriver();

/**
 * A write transaction whose statements need not wait for each other's answers: kysely's own sends one at a time, and each
 * is a round trip to a server. They run in the order in which they are asked for.
 */
export const inTransaction = <T>(db: Db, job: (trx: Trx) => Promise<T>): Promise<T> =>
  db.transaction().execute((trx) =>
    trx.getExecutor().provideConnection((connection) => {
      const executor = trx.getExecutor().withConnectionProvider({
        provideConnection: (consumer) => consumer(connection),
      });
      return job(new Transaction<Schema>({ config: { dialect }, dialect, driver, executor }));
    }),
  );

/**
 * Work that does not need each other's results, sent in one round trip where there are any. Rejects with the first failure
 * once all have ended: none may write after its transaction was rolled back.
 */
export async function atOnce<T extends readonly unknown[]>(
  ...work: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const all = Promise.all(work) as unknown as Promise<T>;
  all.catch(() => {});
  await Promise.allSettled(work);
  return all;
}
