import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { booking, minute } from '../../../test/conformance/store/samples.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import {
  accept,
  createDatabase,
  newStoreFile,
  openTestStore,
} from '../../../test/support/store/store-file.ts';
import { judgeWithin } from '../../bookings/duplicates/judge-lead.ts';
import { restoreStore } from '../sqlite.ts';

const never = new AbortController().signal;
/** Forty bookings with it are more than is read without a thread of its own. */
const LONG_NOTE = 'note '.repeat(500);

/** A database with bookings, in whose file every page of the bookings' table is overwritten, as a failing disk does. */
async function damagedDatabase(note = 'note '): Promise<string> {
  const file = newStoreFile();
  const store = await openTestStore(file);
  for (let i = 0; i < 40; i += 1) await accept(store, { note: note.repeat(40) });
  await store.close();
  const raw = new Database(file, { readonly: true });
  const root = raw
    .prepare(`select rootpage from sqlite_schema where name = 'bookings'`)
    .pluck()
    .get() as number;
  raw.close();
  const bytes = readFileSync(file);
  bytes.fill(0xa5, (root - 1) * 4096, root * 4096);
  writeFileSync(file, bytes);
  return file;
}

it('finds nothing wrong with a sound database', async () => {
  const store = await openTestStore(newStoreFile());

  expect(await store.checkIntegrity(never)).toBeUndefined();
});

it.each([
  ['small', 'note '],
  ['large', LONG_NOTE],
])(
  'finds a damaged page of a %s file that nothing has read yet, and writes nothing from then on',
  async (_size, note) => {
    const store = await openTestStore(await damagedDatabase(note));
    const before = await store.health();

    const damage = await store.checkIntegrity(never);

    const remedy = expect.stringContaining('clinic-sync restore FILE');
    expect(before.ok).toBe(true);
    expect(damage).toMatchObject({ message: expect.stringContaining('damaged'), hint: remedy });
    expect(await store.health()).toMatchObject({ ok: false, problem: remedy });
    await expect(store.keyValue.set('a', { b: 'c' })).rejects.toMatchObject({
      kind: 'transient',
      hint: remedy,
    });
  },
);

it('reports a damaged page met during work the same way, without asking for a useless restart', async () => {
  const store = await openTestStore(await damagedDatabase());

  await expect(store.bookings.accept(booking(), judgeWithin(0))).rejects.toMatchObject({
    hint: expect.stringContaining('clinic-sync restore FILE'),
  });

  expect(await store.health()).toMatchObject({
    ok: false,
    problem: expect.stringContaining('restore a backup'),
  });
  expect(store.commitFailure()).toBeUndefined();
});

describe('damage once found', () => {
  const remedy = expect.stringContaining('clinic-sync restore FILE');

  /** A daemon found it and ended; where the database was sound is its backup. */
  async function knownToBeDamaged() {
    const file = await damagedDatabase();
    const store = await openTestStore(file);
    await store.checkIntegrity(never);
    await store.close();
    return file;
  }

  it('is known to every command after the daemon has ended, and nothing is written', async () => {
    const file = await knownToBeDamaged();

    const tool = await openTestStore(file, 'tool');

    expect(await tool.health()).toMatchObject({ ok: false, remedy });
    await expect(tool.keyValue.set('a', { b: 'c' })).rejects.toMatchObject({ hint: remedy });
  });

  it('keeps a daemon from starting, because writing would spoil more', async () => {
    const file = await knownToBeDamaged();
    const before = readFileSync(file);

    await expect(openTestStore(file)).rejects.toMatchObject({
      message: expect.stringContaining('is damaged'),
      hint: remedy,
    });

    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('is known to a command that had the database open before', async () => {
    const file = await damagedDatabase();
    const [daemon, tool] = [await openTestStore(file), await openTestStore(file, 'tool')];

    await daemon.checkIntegrity(never);

    expect(await tool.health()).toMatchObject({ ok: false, remedy });
  });

  it('stops every process that already had the database open from writing, the daemon included', async () => {
    const file = await damagedDatabase();
    const [daemon, tool] = [await openTestStore(file), await openTestStore(file, 'tool')];

    await tool.checkIntegrity(never);

    expect(daemon.unwritable()).toMatchObject({ hint: remedy });
    for (const store of [daemon, tool])
      await expect(store.keyValue.set('a', { b: 'c' })).rejects.toMatchObject({ hint: remedy });
    expect(await daemon.health()).toMatchObject({ ok: false, remedy });
  });

  it('is gone once a backup is restored', async () => {
    const [file, sound] = [await knownToBeDamaged(), newStoreFile()];
    await createDatabase(sound);

    const { former } = await restoreStore(file, sound, 'mina', fakeClock());

    expect(former).toEqual([expect.stringMatching(/\.replaced-\w+$/), expect.stringMatching(/\.damaged$/)]);
    expect((await (await openTestStore(file)).health()).ok).toBe(true);
  });

  it('is gone once the file is replaced by an intact one', async () => {
    const [file, sound] = [await knownToBeDamaged(), newStoreFile()];
    await createDatabase(sound);
    copyFileSync(sound, file);

    const tool = await openTestStore(file, 'tool');

    expect((await tool.health()).ok).toBe(true);
    expect(existsSync(`${file}.damaged`)).toBe(false);
  });

  it('is not assumed of an intact file, whatever lies at the note’s path', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    mkdirSync(`${file}.damaged`);

    const tool = await openTestStore(file, 'tool');

    expect((await tool.health()).ok).toBe(true);
  });

  it('is reported for a file that has lost its first bytes', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    writeFileSync(file, readFileSync(file).fill(0xa5, 0, 100));

    for (const mode of ['daemon', 'tool'] as const)
      await expect(openTestStore(file, mode)).rejects.toMatchObject({ hint: remedy });
  });
});

it('stops checking a large file when told to', async () => {
  const store = await openTestStore(await damagedDatabase(LONG_NOTE));
  const stopping = new AbortController();

  const checking = store.checkIntegrity(stopping.signal);
  stopping.abort(new Error('stopping'));

  await expect(checking).rejects.toThrow();
});

it('warns, in commands too, of a log that a reader keeps from being emptied, until the log is short again', async () => {
  const file = newStoreFile();
  const clock = fakeClock();
  const store = await openTestStore(file, 'daemon', clock);
  const reader = new Database(file, { readonly: true });
  onTestFinished(() => void reader.close());
  const open = reader.prepare('select * from migrations').iterate();
  open.next();
  for (let i = 0; i < 9; i += 1) await store.keyValue.set('big', { value: `${i}`.repeat(4_000_000) });

  const atFirst = await store.health();
  await clock.advance(11 * 60_000);
  const later = await store.health();
  const command = await openTestStore(file, 'tool', clock);
  const seenByCommand = await command.health();
  await command.close();
  open.return?.();
  await store.keyValue.set('big', { value: undefined });
  await store.keyValue.set('big', { value: 'small' });
  const after = await store.health();

  expect(atFirst).toMatchObject({ ok: true, warning: null });
  expect(later).toMatchObject({ ok: true, warning: expect.stringMatching(/-wal has grown to \d+ MB/) });
  expect(seenByCommand.warning).toMatch(/-wal has grown to \d+ MB/);
  expect(after).toMatchObject({ ok: true, warning: null });
  expect(after.log_bytes).toBeLessThan(32_000_000);
});

it('refuses leads quickly as busy after a write has waited in vain', async () => {
  const file = newStoreFile();
  const clock = fakeClock();
  const store = await openTestStore(file, 'daemon', clock);
  const other = new Database(file);
  onTestFinished(() => void other.close());
  other.exec('begin immediate');
  const waited = async (write: Promise<unknown>) => {
    const from = clock.now();
    const failed = write.then(
      () => false,
      () => true,
    );
    while (!(await Promise.race([failed, clock.advance(50).then(() => undefined)])));
    return clock.now() - from;
  };

  const first = await waited(accept(store));
  const second = await waited(accept(store));
  other.exec('rollback');
  const healed = await store.health();

  expect(first).toBeGreaterThan(4_000);
  expect(second).toBeLessThan(1_000);
  expect(healed.ok).toBe(true);
  expect((await accept(store, { received_at: minute(3) })).result).toBe('new');
});

it('answers correctly when asked again before it has answered', async () => {
  const clock = fakeClock();
  let now = clock.now();
  const passing = Object.assign(Object.create(clock), { now: () => ++now });
  const store = await openTestStore(newStoreFile(), 'daemon', passing);

  const answers = await Promise.all(Array.from({ length: 20 }, () => store.health()));

  expect(answers.map(({ problem }) => problem)).toEqual(Array(20).fill(null));
});
