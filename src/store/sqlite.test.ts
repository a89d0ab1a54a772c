import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { booking, minute, QUARTER_HOUR_MS } from '../../test/conformance/store/samples.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { silentLog } from '../model/log.ts';
import { openStore } from './sqlite.ts';
import type { Store } from './store.ts';

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'clinic-sync.db');
}

async function open(file: string, mode: 'daemon' | 'tool' = 'daemon'): Promise<Store> {
  const store = await openStore({ file, clock: fakeClock(), log: silentLog, mode });
  onTestFinished(() => store.close());
  return store;
}

/** Opens and closes once, so that there is a database. */
async function createDatabase(file: string): Promise<Store['identity']> {
  const store = await open(file);
  await store.close();
  return store.identity;
}

function alter(file: string, statement: string): void {
  const database = new Database(file);
  database.exec(statement);
  database.close();
}

const accept = (store: Store, fields: Parameters<typeof booking>[0] = {}) =>
  store.bookings.accept(booking(fields), QUARTER_HOUR_MS);

describe('opening as the daemon', () => {
  it('keeps the instance and begins a new epoch each time', async () => {
    const file = newFile();

    const first = await createDatabase(file);
    const second = await createDatabase(file);

    expect(first).toEqual({ instance: expect.stringMatching(/^[0-9a-f-]{36}$/), epoch: 1, restored: false });
    expect(second).toEqual({ instance: first.instance, epoch: 2, restored: false });
    expect(JSON.parse(readFileSync(`${file}.marker`, 'utf8'))).toMatchObject({
      instance: first.instance,
      epoch: 2,
    });
  });

  it('refuses a file that another daemon has, and takes it when that one is gone', async () => {
    const file = newFile();
    const first = await open(file);

    const second = openStore({ file, clock: fakeClock(), log: silentLog, mode: 'daemon' });

    await expect(second).rejects.toMatchObject({
      name: 'Failure',
      kind: 'refused',
      message: expect.stringContaining(file),
    });
    await first.close();
    expect((await open(file)).identity.epoch).toBe(2);
  });

  it('refuses to start afresh where a database used to be, until its marker is deleted', async () => {
    const file = newFile();
    const { instance } = await createDatabase(file);
    rmSync(file);

    await expect(open(file)).rejects.toMatchObject({
      kind: 'refused',
      hint: expect.stringMatching(/Is the volume mounted\?.*delete .*\.marker/),
    });
    expect(existsSync(file)).toBe(false);
    rmSync(`${file}.marker`);
    const fresh = await open(file);

    expect(fresh.identity).toMatchObject({ epoch: 1, restored: false });
    expect(fresh.identity.instance).not.toBe(instance);
  });

  it('takes an empty file where a database used to be for a missing one', async () => {
    const file = newFile();
    await createDatabase(file);
    rmSync(file);
    writeFileSync(file, '');

    await expect(open(file)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('missing'),
    });
  });

  it.each([
    [
      'another program’s database',
      (file: string) => alter(file, 'create table recipes (name)'),
      'another program',
    ],
    [
      'a file that is no database',
      (file: string) => writeFileSync(file, 'x'.repeat(5000)),
      'not a clinic-sync',
    ],
  ])('refuses %s and leaves it as it is', async (_what, prepare, message) => {
    const file = newFile();
    prepare(file);

    await expect(open(file)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(message),
    });
    await expect(open(file, 'tool')).rejects.toMatchObject({ kind: 'refused' });
  });

  it('refuses a database that a newer version wrote', async () => {
    const file = newFile();
    await createDatabase(file);
    alter(file, `insert into migrations values (99, 'from the future', '2030-01-01T00:00:00.000Z')`);

    await expect(open(file)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('newer'),
    });
    await expect(open(file, 'tool')).rejects.toMatchObject({ kind: 'refused' });
  });

  it('runs with every setting that durability and privacy rest on', async () => {
    const file = newFile();
    await open(file);

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
    const file = newFile();
    const store = await open(file);
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

describe('a database that went back in time', () => {
  it('holds what waited to be sent when an older copy was put back', async () => {
    const file = newFile();
    const before = await open(file);
    const { booking: queued } = await accept(before);
    await before.close();
    copyFileSync(file, `${file}.copy`);
    const later = await open(file);
    await later.bookings.claim('main', minute(1));
    await later.close();
    copyFileSync(`${file}.copy`, file);

    const restored = await open(file);

    expect(restored.identity).toEqual({ ...before.identity, epoch: 3, restored: true });
    expect(await restored.bookings.get(queued.ref)).toMatchObject({
      state: 'held',
      reason: 'restored_state',
    });
    expect(await restored.bookings.claim('main', minute(9))).toBeUndefined();
    await restored.close();
    expect((await open(file)).identity).toMatchObject({ epoch: 4, restored: false });
  });

  it('notices a backup of the epoch that was running', async () => {
    const file = newFile();
    const store = await open(file);
    await store.backup(`${file}.backup`);
    await accept(store);
    await store.close();
    copyFileSync(`${file}.backup`, file);

    expect((await open(file)).identity.restored).toBe(true);
  });

  it('notices a copy that was made by hand within the epoch, once that ended in order', async () => {
    const file = newFile();
    const store = await open(file);
    alter(file, `vacuum into '${file}.copy'`);
    await accept(store);
    await store.close();
    copyFileSync(`${file}.copy`, file);

    expect((await open(file)).identity.restored).toBe(true);
  });

  it('notices a database that came without its marker, or with another one’s', async () => {
    const [moved, exchanged] = [newFile(), newFile()];
    await createDatabase(moved);
    await createDatabase(exchanged);
    copyFileSync(`${moved}.marker`, `${exchanged}.marker`);
    rmSync(`${moved}.marker`);

    expect((await open(moved)).identity.restored).toBe(true);
    expect((await open(exchanged)).identity.restored).toBe(true);
  });

  it('does not go on with a marker that cannot be read', async () => {
    const file = newFile();
    await createDatabase(file);
    writeFileSync(`${file}.marker`, '{"instance":');

    await expect(open(file)).rejects.toMatchObject({
      kind: 'refused',
      hint: expect.stringContaining('delete it'),
    });
  });
});

describe('opening as a tool', () => {
  it('works beside the daemon without a lock or a new epoch', async () => {
    const file = newFile();
    const daemon = await open(file);

    const tool = await open(file, 'tool');
    await accept(tool);

    expect(tool.identity).toEqual({ ...daemon.identity, restored: false });
    expect(await daemon.bookings.list({})).toHaveLength(1);
  });

  it('refuses a database that does not exist, and makes none', async () => {
    const file = newFile();

    await expect(open(file, 'tool')).rejects.toMatchObject({ kind: 'refused', hint: expect.any(String) });
    expect(existsSync(file)).toBe(false);
  });

  it('refuses a database that has to be brought up to date first', async () => {
    const file = newFile();
    await createDatabase(file);
    alter(file, 'delete from migrations');

    await expect(open(file, 'tool')).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('not up to date'),
    });
  });

  it('waits for another process to finish writing, without blocking this one', async () => {
    const file = newFile();
    const clock = fakeClock();
    const store = await openStore({ file, clock, log: silentLog, mode: 'daemon' });
    onTestFinished(() => store.close());
    const other = new Database(file);
    other.exec('begin immediate');

    const accepting = store.memory.set('scope', { key: 'value' });
    await expect.poll(() => clock.sleeping).toBe(1);
    other.exec('commit');
    other.close();
    await clock.advance(10);

    await accepting;
    expect(await store.memory.get('scope', 'key')).toBe('value');
  });

  it('gives up on a process that keeps the database, as something that may work later', async () => {
    const file = newFile();
    const clock = fakeClock();
    const store = await openStore({ file, clock, log: silentLog, mode: 'daemon' });
    onTestFinished(() => store.close());
    const other = new Database(file);
    other.exec('begin immediate');
    onTestFinished(() => void other.close());

    const accepting = store.memory.set('scope', { key: 'value' });
    const refused = expect(accepting).rejects.toMatchObject({ kind: 'transient', hint: expect.any(String) });
    await clock.advance(10_000);

    await refused;
  });
});

describe('a backup', () => {
  it('is a whole database of that moment that opens by itself', async () => {
    const file = newFile();
    const store = await open(file);
    const { booking: stored } = await accept(store);

    const bytes = await store.backup(`${file}.backup`);
    await accept(store);

    expect(statSync(`${file}.backup`)).toMatchObject({ size: bytes });
    expect(statSync(`${file}.backup`).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.backup.partial`)).toBe(false);
    const copy = await open(`${file}.backup`, 'tool');
    expect((await copy.bookings.list({})).map(({ ref }) => ref)).toEqual([stored.ref]);
  });

  it('never replaces a file', async () => {
    const file = newFile();
    const store = await open(file);
    writeFileSync(`${file}.backup`, 'precious');

    await expect(store.backup(`${file}.backup`)).rejects.toMatchObject({ kind: 'refused' });
    expect(readFileSync(`${file}.backup`, 'utf8')).toBe('precious');
  });

  it('leaves nothing behind when it cannot be written', async () => {
    const file = newFile();
    const store = await open(file);

    const failing = store.backup(join(file, 'not a folder', 'backup.db'));

    await expect(failing).rejects.toMatchObject({ kind: 'transient', hint: expect.any(String) });
  });
});

describe('erasing a person', () => {
  it('leaves no trace in the bytes of the file or its log, and names the copies it cannot reach', async () => {
    const file = newFile();
    const store = await open(file);
    const { booking: stored } = await accept(store, { patient_name: 'Zebedee Planted' });
    writeFileSync(`${file}.before-2`, '');
    const bytes = () => Buffer.concat([readFileSync(file), readFileSync(`${file}-wal`)]).toString('latin1');
    const before = bytes();

    const erased = await store.erase({ ref: stored.ref }, minute(1), 'Sam');

    expect(before).toContain('Zebedee');
    expect(bytes()).not.toContain('Zebedee');
    expect(erased.copies).toEqual([`${file}.before-2`]);
  });
});

describe('health', () => {
  it('notices that the file at its path is no longer the one in use', async () => {
    const file = newFile();
    const store = await open(file);
    const before = await store.health();
    rmSync(file);

    const after = await store.health();

    expect(before).toMatchObject({ ok: true, bytes: expect.any(Number) });
    expect(after).toMatchObject({ ok: false, problem: expect.stringContaining('deleted') });
  });

  it('says what is wrong instead of throwing', async () => {
    const file = newFile();
    const store = await open(file);
    alter(file, 'drop table identity');

    const health = await store.health();

    expect(health.ok).toBe(false);
    expect(health.problem).toMatch(/^The database failed/);
  });
});
