import { promiseHooks } from 'node:v8';
import { Kysely, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { newStoreFile } from '../../../test/support/store/store-file.ts';
import { createAccessQueue } from './access-queue.ts';
import { sqliteDialect } from './dialect.ts';
import { openFile } from './open-database.ts';

function openNotes() {
  const file = newStoreFile();
  const database = openFile(file, { create: true });
  database.exec('create table notes (note text) strict');
  const db = new Kysely<{ notes: { note: string } }>({ dialect: sqliteDialect(database, file) });
  onTestFinished(() => db.destroy());
  const notes = async () => (await db.selectFrom('notes').select('note').execute()).map(({ note }) => note);
  return { db, notes };
}

/** How many functions went on after an `await` or in a `then` meanwhile. */
async function continuations(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const stop = promiseHooks.onBefore(() => {
    count += 1;
  });
  try {
    await work();
  } finally {
    stop();
  }
  return count;
}

it('queues ten times as many waiters at about ten times the cost', async () => {
  const { db, notes } = openNotes();
  const waiting = (count: number) =>
    continuations(() =>
      db
        .transaction()
        .execute(async (trx) => {
          await trx.insertInto('notes').values({ note: 'one more' }).execute();
          void Promise.all(Array.from({ length: count }, notes)).then(all.resolve);
        })
        .then(() => all.promise),
    );
  let all = Promise.withResolvers<unknown>();

  const few = await waiting(1_000);
  all = Promise.withResolvers();
  const many = await waiting(10_000);

  expect(many / few).toBeLessThan(12);
});

it('shows no one else what a transaction has written before it is committed', async () => {
  const { db, notes } = openNotes();
  const seen: Promise<string[]>[] = [];

  const failing = db.transaction().execute(async (trx) => {
    await trx.insertInto('notes').values({ note: 'never' }).execute();
    seen.push(notes());
    await sql`select * from nowhere`.execute(trx);
  });

  await expect(failing).rejects.toThrow();
  expect(await Promise.all(seen)).toEqual([[]]);
});

it('serves waiters in the order of arrival', async () => {
  const { db, notes } = openNotes();
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const write = (text: string) =>
    db.transaction().execute(async (trx) => {
      await trx.insertInto('notes').values({ note: text }).execute();
    });

  const first = write('one').then(note('first transaction'));
  const [read, second, after] = [notes(), write('two'), notes()];
  const [before, later] = await Promise.all([read, after, first, second.then(note('second transaction'))]);

  expect(order).toEqual(['first transaction', 'second transaction']);
  expect([before, later]).toEqual([['one'], ['one', 'two']]);
});

it('lets timers and requests run while a thousand wait', async () => {
  const queue = createAccessQueue();
  const done: number[] = [];
  const busy = (index: number) => () => {
    for (const from = performance.now(); performance.now() - from < 1; );
    done.push(index);
  };
  const work = Array.from({ length: 100 }, (_, index) => queue.run({}, busy(index)));

  await new Promise((resolve) => setImmediate(resolve));
  const afterOneTurn = done.length;
  await Promise.all(work);

  expect(afterOneTurn).toBeLessThan(30);
  expect(done).toEqual(work.map((_, index) => index));
});

it('continues with the next waiter after a failure', async () => {
  const queue = createAccessQueue();
  const [first, second, third] = [{}, {}, {}];
  await queue.enter(first);
  const refused = queue.run(second, () => {
    throw new Error('no such table');
  });
  const fine = queue.run(third, () => 'read');

  queue.leave(second);
  queue.leave(first);

  await expect(refused).rejects.toThrow('no such table');
  expect(await fine).toBe('read');
});
