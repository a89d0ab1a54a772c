import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import {
  accept,
  alterFile,
  createDatabase,
  newStoreFile,
  openTestStore,
} from '../../test/support/store/store-file.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from './sqlite.ts';
import type { Store } from './store.ts';

/** Lists the bookings in a process of its own, which then closes the file, as `sqlite3` does. */
function lookFromOutside(file: string): string {
  const look = `const open = new (require('better-sqlite3'))(process.argv[1]);
    console.log(JSON.stringify(open.prepare('select ref from bookings').pluck().all())); open.close();`;
  return execFileSync(process.execPath, ['-e', look, file], { cwd: import.meta.dirname, encoding: 'utf8' });
}

describe('the audit', () => {
  it.each([
    ['rewritten', "update audit set actor = 'someone else'"],
    ['deleted', 'delete from audit'],
  ])('cannot be %s, even by another program', async (_, statement) => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    const entry = { at: new Date().toISOString(), actor: 'Mina', role: 'desk', action: 'drop' } as const;
    await store.audit.record({ ...entry, subject: null, result: 'done', address: null });

    expect(() => alterFile(file, statement)).toThrow('append-only');
  });
});

describe('opening as the daemon', () => {
  it('keeps the instance and begins a new epoch each time', async () => {
    const file = newStoreFile();

    const first = await createDatabase(file);
    const second = await createDatabase(file);

    expect(first).toMatchObject({
      instance: expect.stringMatching(/^[0-9a-f-]{36}$/),
      epoch: 1,
      restored: false,
    });
    expect(second).toMatchObject({ instance: first.instance, epoch: 2, restored: false });
    expect(JSON.parse(readFileSync(`${file}.marker`, 'utf8'))).toMatchObject({
      instance: first.instance,
      epoch: 2,
    });
  });

  it('refuses a file that another daemon has open, and accepts it once that one is gone', async () => {
    const file = newStoreFile();
    const first = await openTestStore(file);

    const second = openTestStore(file);

    await expect(second).rejects.toMatchObject({
      name: 'Failure',
      kind: 'refused',
      message: expect.stringContaining(file),
    });
    await first.close();
    expect((await openTestStore(file)).identity.epoch).toBe(2);
  });

  it('refuses a file that another daemon has open under another name', async () => {
    const file = newStoreFile();
    await openTestStore(file);
    symlinkSync(file, `${file}.link`);

    await expect(openTestStore(`${file}.link`)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('refuses a file with a second name, and says how to find it', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    linkSync(file, `${file}.other`);

    const opening = openTestStore(file);

    await expect(opening).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('2 names (hard links)'),
      hint: expect.stringContaining(`-inum ${statSync(file).ino}`),
    });
  });

  it('refuses to start from scratch where a database used to be, until its marker is deleted', async () => {
    const file = newStoreFile();
    const { instance } = await createDatabase(file);
    rmSync(file);

    await expect(openTestStore(file)).rejects.toMatchObject({
      kind: 'refused',
      hint: expect.stringMatching(/Is the volume mounted\?.*delete .*\.marker/),
    });
    expect(existsSync(file)).toBe(false);
    rmSync(`${file}.marker`);
    const fresh = await openTestStore(file);

    expect(fresh.identity).toMatchObject({ epoch: 1, restored: false });
    expect(fresh.identity.instance).not.toBe(instance);
  });

  it('refuses a database without a single table where there used to be one', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    rmSync(file);
    alterFile(file, 'pragma user_version = 1');

    await expect(openTestStore(file)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('is empty'),
    });
  });

  it('refuses an empty file where a database used to be', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    rmSync(file);
    writeFileSync(file, '');

    await expect(openTestStore(file)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('is empty'),
    });
  });

  it.each([
    [
      'another program’s database',
      (file: string) => alterFile(file, 'create table recipes (name)'),
      'another program',
    ],
    [
      'a file that is no database',
      (file: string) => writeFileSync(file, 'x'.repeat(5000)),
      'not a clinic-sync',
    ],
  ])('refuses %s and leaves it as it is', async (_what, prepare, message) => {
    const file = newStoreFile();
    prepare(file);

    await expect(openTestStore(file)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(message),
    });
    await expect(openTestStore(file, 'tool')).rejects.toMatchObject({ kind: 'refused' });
  });

  it('refuses a database that a newer version wrote', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    alterFile(file, `insert into migrations values (99, 'from the future', '2030-01-01T00:00:00.000Z')`);

    await expect(openTestStore(file)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('newer'),
    });
    await expect(openTestStore(file, 'tool')).rejects.toMatchObject({ kind: 'refused' });
  });

  it('makes files for this user alone, and strict tables', async () => {
    const file = newStoreFile();
    await openTestStore(file);

    const reader = new Database(file, { readonly: true });
    onTestFinished(() => void reader.close());
    expect(reader.pragma('journal_mode', { simple: true })).toBe('wal');
    for (const suffix of ['', '-wal']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
    const loose = reader
      .prepare(`select name from pragma_table_list where schema = 'main' and type = 'table' and not strict
        and name not like 'sqlite_%'`)
      .all();
    expect(loose).toEqual([]);
  });

  it('is readable with plain SQLite while it runs', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    await accept(store, { patient_name: 'Ada' });

    const reader = new Database(file, { readonly: true });
    onTestFinished(() => void reader.close());

    expect(reader.prepare('select patient_name, state from bookings').all()).toEqual([
      { patient_name: 'Ada', state: 'queued' },
    ]);
    for (const table of [
      'organization',
      'organization_statistics',
      'website',
      'treatments',
      'dentists',
      'appointments',
      'changes',
      'deliveries',
    ])
      expect(reader.prepare(`select count(*) from ${table}`).pluck().get(), table).toBeTypeOf('number');
  });
});

describe('opening as a tool', () => {
  it('works beside the daemon without a lock or a new epoch', async () => {
    const file = newStoreFile();
    const daemon = await openTestStore(file);

    const tool = await openTestStore(file, 'tool');
    await accept(tool);

    const { instance, epoch } = daemon.identity;
    expect(tool.identity).toEqual({ instance, epoch, restored: false });
    expect(await daemon.bookings.list({})).toHaveLength(1);
  });

  it('refuses a database that does not exist, and creates none', async () => {
    const file = newStoreFile();

    await expect(openTestStore(file, 'tool')).rejects.toMatchObject({
      kind: 'refused',
      hint: expect.any(String),
    });
    expect(existsSync(file)).toBe(false);
  });

  it('refuses a database that has to be brought up to date first', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    alterFile(file, 'delete from migrations');

    await expect(openTestStore(file, 'tool')).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('not up to date'),
    });
  });

  it('waits for another process to finish writing, without blocking this one', async () => {
    const file = newStoreFile();
    const clock = fakeClock();
    const store = await openTestStore(file, 'daemon', clock);
    const other = new Database(file);
    other.exec('begin immediate');

    const accepting = store.keyValue.set('scope', { key: 'value' });
    await expect.poll(() => clock.sleeping).toBe(1);
    other.exec('commit');
    other.close();
    await clock.advance(10);

    await accepting;
    expect(await store.keyValue.get('scope', 'key')).toBe('value');
  });

  it('gives up on a process that keeps the database locked, as a transient failure', async () => {
    const file = newStoreFile();
    const clock = fakeClock();
    const store = await openTestStore(file, 'daemon', clock);
    const other = new Database(file);
    other.exec('begin immediate');
    onTestFinished(() => void other.close());

    const accepting = [1, 2, 3].map((n) => store.keyValue.set('scope', { [n]: 'value' }));
    const refused = accepting.map((one) =>
      expect(one).rejects.toMatchObject({ kind: 'transient', hint: expect.any(String) }),
    );
    await clock.advance(5_000);

    await Promise.all(refused);
  });
});

describe('health', () => {
  it.each([
    ['gone', (file: string) => rmSync(file)],
    [
      'another one',
      (file: string) => {
        writeFileSync(`${file}.other`, '');
        renameSync(`${file}.other`, file);
      },
    ],
  ])('notices that the file at its path is %s', async (_what, disturb) => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    const before = await store.health();
    disturb(file);

    const after = await store.health();

    expect(before).toMatchObject({ ok: true, bytes: expect.any(Number) });
    expect(after).toMatchObject({ ok: false, problem: expect.stringContaining('deleted') });
  });

  it('takes no lead into a file that is no longer at its path, and goes on when it is back', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    renameSync(file, `${file}.aside`);

    const refused = await accept(store).catch((error: unknown) => error);
    const { length: stored } = await store.bookings.list({ limit: 9 });
    const unwritable = store.unwritable()?.message;
    renameSync(`${file}.aside`, file);
    const { booking } = await accept(store);

    expect(refused).toMatchObject({ kind: 'transient', message: expect.stringContaining('deleted') });
    expect(stored).toBe(0);
    expect(unwritable).toMatch(/moved, deleted or replaced/);
    expect(await store.bookings.get(booking.ref)).toMatchObject({ state: 'queued' });
    expect(store.unwritable()).toBeUndefined();
  });

  it.each([
    ['an older backup', async (store: Store, copy: string) => void (await store.backup(copy))],
    [
      'an older copy of the file',
      async (_: Store, copy: string) => void copyFileSync(copy.replace(/\.old$/, ''), copy),
    ],
  ])('takes no lead into a file that was overwritten in place by %s', async (_, copying) => {
    const file = newStoreFile();
    const copy = `${file}.old`;
    const store = await openTestStore(file);
    await copying(store, copy);
    for (let lead = 0; lead < 5; lead += 1) await accept(store, { submission_id: `lead-${lead}` });
    await store.clearLog();
    await accept(store, { submission_id: 'another' });
    const before = store.unwritable();
    copyFileSync(copy, file);

    const refused = await accept(store, { submission_id: 'last' }).catch((error: unknown) => error);

    expect(before).toBeUndefined();
    expect(refused).toMatchObject({ kind: 'transient', message: expect.stringContaining('overwritten') });
    expect(store.unwritable()?.hint).toContain('clinic-sync restore');
  });

  it('keeps its log when another program has looked into the file and was the last to close it', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    await accept(store, { submission_id: 'one' });
    await store.clearLog();
    const { booking } = await accept(store, { submission_id: 'two' });

    lookFromOutside(file);

    expect(store.unwritable()).toBeUndefined();
    expect(lookFromOutside(file)).toContain(booking.ref);
    expect(existsSync(`${file}-wal`)).toBe(true);
  });

  it('takes no lead into a log that was deleted, and saves the others when it stops', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    const { booking } = await accept(store, { submission_id: 'one' });
    rmSync(`${file}-wal`);

    const refused = await accept(store, { submission_id: 'two' }).catch((error: unknown) => error);
    await store.close();
    const again = await openTestStore(file);

    expect(refused).toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('-wal of the database'),
    });
    expect(await again.bookings.list({})).toMatchObject([{ ref: booking.ref }]);
  });

  it('reports what is wrong instead of throwing', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    alterFile(file, 'drop table identity');

    const health = await store.health();

    expect(health.ok).toBe(false);
    expect(health.problem).toMatch(/^The database failed/);
  });
});

describe('a database that cannot be read', () => {
  /** Root may read everything, and nobody else may look into the folder of the test run. */
  async function asSomebodyElse<T>(work: () => Promise<T>): Promise<T> {
    if (process.getuid?.() !== 0) return work();
    const { mode } = statSync(tmpdir());
    chmodSync(tmpdir(), mode | 0o011);
    process.seteuid?.(4_711);
    try {
      return await work();
    } finally {
      process.seteuid?.(0);
      chmodSync(tmpdir(), mode);
    }
  }

  it.each(['daemon', 'tool'] as const)('is not called damaged by a %s, but another user’s', async (mode) => {
    const file = newStoreFile();
    await createDatabase(file);
    chmodSync(file, 0o000);
    chmodSync(dirname(file), 0o755);

    const refused = asSomebodyElse(() => openTestStore(file, mode));

    await expect(refused).rejects.toMatchObject({
      message: expect.stringMatching(/cannot be read by user id \d+; it belongs to user id \d+/),
      hint: expect.stringContaining(file),
    });
  });

  it.each(['daemon', 'tool'] as const)('because it is a folder is called that by a %s', async (mode) => {
    const file = newStoreFile();
    mkdirSync(file);

    await expect(openTestStore(file, mode)).rejects.toMatchObject({
      message: `The database ${file} is a folder.`,
      hint: expect.stringContaining('store.sqlite'),
    });
  });
});

it('warns when it is closed while a reader keeps the newest changes in the log', async () => {
  const file = newStoreFile();
  const log = vi.fn();
  const warning = { ...silentLog, warn: log };
  const open = async () => openFileStore({ file, clock: fakeClock(), log: warning, mode: 'daemon' });
  await (await open()).close();
  const atFirst = log.mock.calls.length;
  const store = await open();
  const reader = new Database(file, { readonly: true });
  onTestFinished(() => void reader.close());
  reader.exec('begin; select * from identity');
  await accept(store);

  await store.close();

  expect(atFirst).toBe(0);
  const bytes = statSync(`${file}-wal`).size;
  expect(bytes).toBeGreaterThan(0);
  expect(log.mock.calls).toEqual([
    [expect.stringContaining('copy both files'), { path: `${file}-wal`, bytes }],
  ]);
});

describe('free space', () => {
  it('is below the floor when the volume has less than configured, and measured again after a second', async () => {
    const file = newStoreFile();
    const clock = fakeClock();
    const roomy = await openFileStore({ file, clock, log: silentLog, mode: 'daemon', minFree: 1 });
    onTestFinished(() => roomy.close());
    const tight = await openFileStore({ file, clock, log: silentLog, mode: 'tool', minFree: 1e18 });
    onTestFinished(() => tight.close());

    const [enough, tooLittle] = [roomy.space(), tight.space()];
    await clock.advance(1_000);

    expect(enough).toEqual({ free: expect.any(Number), floor: 1, below: false });
    expect(tooLittle).toEqual({ free: expect.any(Number), floor: 1e18, below: true });
    expect(roomy.space()).not.toBe(enough);
  });
});

describe('writes that share a commit', () => {
  it('keep nothing of a write that failed midway, and all of its neighbours', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    alterFile(
      file,
      `create trigger refuse before insert on booking_events
       when (select patient_name from bookings where ref = new.ref) = 'Half Written'
       begin select raise(abort, 'refused'); end`,
    );
    const store = await openTestStore(file);

    const outcomes = await Promise.allSettled([
      accept(store, { patient_name: 'Half Written', submission_id: 'one' }),
      accept(store, { patient_name: 'Mina Rahman', submission_id: 'two' }),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect((await store.bookings.list({})).map(({ patient_name }) => patient_name)).toEqual(['Mina Rahman']);
  });
});
