import Database from 'better-sqlite3';
import { Kysely } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { booking, claimNext, judge, minute } from '../../../test/conformance/store/samples.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { newStoreFile } from '../../../test/support/store/store-file.ts';
import { judgeWithin } from '../../bookings/duplicates/judge-lead.ts';
import { silentLog } from '../../platform/log.ts';
import { sqlStore } from '../sql/sql.ts';
import { sqliteDialect } from './dialect.ts';
import { healthCheck } from './health.ts';
import { openFile } from './open-database.ts';
import { isFileBusy, isFileStorage } from './storage-failure.ts';

/** A store on a real database whose COMMIT reports a disk error on request. */
async function failingStore() {
  const database = openFile(':memory:', { create: true });
  const fault: { code?: string } = {};
  const failing = new Proxy(database, {
    get(target, key) {
      const value = Reflect.get(target, key);
      if (key !== 'prepare') return typeof value === 'function' ? value.bind(target) : value;
      return (text: string) => {
        const statement = target.prepare(text);
        if (text !== 'commit') return statement;
        return {
          reader: false,
          run() {
            if (fault.code === undefined) return statement.run();
            if (fault.code !== 'SQLITE_FULL') statement.run();
            throw new Database.SqliteError('disk I/O error about Ada Planted', fault.code);
          },
        };
      };
    },
  });
  const dialect = sqliteDialect(failing, 'clinic-sync.db');
  const clock = fakeClock();
  const sql = sqlStore({ dialect, place: 'test.db', clock, isBusy: isFileBusy, isStorage: isFileStorage });
  await sql.migrate(await sql.schema());
  await sql.begin({ instance: '', epoch: 0 }, 'instance');
  onTestFinished(() => sql.close());
  const health = healthCheck({
    file: ':memory:',
    broken: () => dialect.commitFailure() ?? dialect.damaged(),
    beat: () => sql.beat('daemon'),
    keyValue: sql.verbs.keyValue,
    mode: 'daemon',
    clock,
    log: silentLog,
  });
  return { ...sql.verbs, database, fault, health };
}

it('takes the only write lock when a transaction begins, before anything is read in it', async () => {
  const file = newStoreFile();
  const database = openFile(file, { create: true });
  database.exec('create table notes (note text) strict');
  const db = new Kysely<{ notes: { note: string } }>({ dialect: sqliteDialect(database, file) });
  onTestFinished(() => db.destroy());
  const other = openFile(file, { create: false });
  onTestFinished(() => void other.close());

  const writing = db.transaction().execute(async (trx) => {
    const before = await trx.selectFrom('notes').selectAll().execute();
    expect(() => other.exec(`insert into notes values ('theirs')`)).toThrow('locked');
    await trx
      .insertInto('notes')
      .values({ note: `ours after ${before.length}` })
      .execute();
  });

  await writing;
  expect(other.prepare('select note from notes').pluck().all()).toEqual(['ours after 0']);
});

it('stops writing once a commit threw, because its writes may or may not be stored', async () => {
  const store = await failingStore();
  store.fault.code = 'SQLITE_IOERR_FSYNC';

  const accepting = store.bookings.accept(booking(), judge);
  await expect(accepting).rejects.toMatchObject({
    kind: 'transient',
    message: expect.stringContaining('not known'),
  });
  delete store.fault.code;

  await expect(claimNext(store, 'main', minute(1))).rejects.toMatchObject({ kind: 'transient' });
  expect(await store.bookings.list({})).toHaveLength(1);
  expect(await store.health()).toMatchObject({ ok: false, problem: expect.stringContaining('restart') });
});

it('continues after a commit that found the disk full, because that one is certainly not stored', async () => {
  const store = await failingStore();
  store.fault.code = 'SQLITE_FULL';

  const accepting = Promise.allSettled(
    [booking(), booking()].map((one) => store.bookings.accept(one, judgeWithin(0))),
  );
  const results = await accepting;
  const health = await store.health();
  delete store.fault.code;

  for (const result of results)
    expect(result).toMatchObject({
      reason: { kind: 'transient', message: expect.stringContaining('disk is full') },
    });
  expect(health).toMatchObject({ ok: false, problem: expect.stringContaining('Free space') });
  expect(await store.bookings.list({})).toEqual([]);
  expect((await store.bookings.accept(booking(), judgeWithin(0))).result).toBe('new');
  expect(await store.health()).toMatchObject({ ok: true });
});

it('stores nothing of a group when there is no room for it, and all of it when there is', async () => {
  const store = await failingStore();
  const note = 'x'.repeat(20_000);
  const pages = store.database.pragma('page_count', { simple: true });
  store.database.pragma(`max_page_count = ${Number(pages) + 8}`);
  const group = [booking(), booking({ note }), booking({ note }), booking({ note })];

  const full = await Promise.allSettled(group.map((one) => store.bookings.accept(one, judgeWithin(0))));
  store.database.pragma('max_page_count = 100000');
  const retried = await Promise.all(group.map((one) => store.bookings.accept(one, judgeWithin(0))));

  const failed = full.filter(({ status }) => status === 'rejected');
  expect(failed.length).toBeGreaterThan(0);
  for (const { reason } of failed as PromiseRejectedResult[])
    expect(reason).toMatchObject({
      name: 'Failure',
      kind: 'transient',
      message: expect.stringContaining('full'),
    });
  const acknowledged = full.filter(({ status }) => status === 'fulfilled').length;
  expect(retried.filter(({ result }) => result === 'same')).toHaveLength(acknowledged);
  expect(await store.bookings.list({})).toHaveLength(4);
});

it('shows none of SQLite’s own messages, which may quote stored values', async () => {
  const store = await failingStore();
  store.fault.code = 'SQLITE_IOERR_FSYNC';

  const error = await store.bookings.accept(booking(), judgeWithin(0)).catch((thrown: Error) => thrown);

  expect(String(error)).not.toContain('Ada');
});

it.each([[undefined], [Number.NaN], [2 ** 53], [true], [new Date(0)], [{}]])(
  'refuses to store %s',
  async (value) => {
    const store = await failingStore();
    const odd = booking({ note: value as unknown as string });

    await expect(store.bookings.accept(odd, judgeWithin(0))).rejects.toMatchObject({ kind: 'refused' });
    expect(await store.bookings.list({})).toEqual([]);
  },
);

it('stores malformed text as well-formed text', async () => {
  const store = await failingStore();

  const { booking: stored } = await store.bookings.accept(booking({ note: 'half \ud83d' }), judgeWithin(0));

  expect((await store.bookings.get(stored.ref))?.note).toBe('half \ufffd');
});

it('is unhealthy after a write found no room, even if one row fits, until a booking does', async () => {
  const store = await failingStore();
  store.database.pragma('wal_checkpoint(truncate)');
  const pages = store.database.pragma('page_count', { simple: true }) as number;
  store.database.pragma(`max_page_count = ${pages + 2}`);
  const note = 'x'.repeat(60_000);

  await expect(store.bookings.accept(booking({ note }), judgeWithin(0))).rejects.toMatchObject({
    kind: 'transient',
  });
  const full = await store.health();
  store.database.pragma('max_page_count = 100000');
  const freed = await store.health();

  expect(full).toMatchObject({ ok: false, problem: expect.stringContaining('disk is full') });
  expect(freed).toMatchObject({ ok: true, problem: null });
});

it('does not mistake a violated constraint for a failing database', async () => {
  const store = await failingStore();

  const { ref } = (await store.bookings.accept(booking(), judgeWithin(0))).booking;
  const move = {
    ref,
    attempt: 0,
    from: ['queued'] as const,
    to: 'booked' as const,
    actor: 'person' as const,
    by: 'Sam',
  };
  await expect(store.bookings.move({ ...move, at: minute(1) })).rejects.toMatchObject({ kind: 'refused' });

  expect(await store.health()).toMatchObject({ ok: true });
});
