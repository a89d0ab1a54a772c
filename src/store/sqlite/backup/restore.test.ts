import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { claimNext, minute } from '../../../../test/conformance/store/samples.ts';
import { fakeClock } from '../../../../test/support/fake-clock.ts';
import { formerDatabase } from '../../../../test/support/store/former-database.ts';
import { accept, alterFile, newStoreFile, openTestStore } from '../../../../test/support/store/store-file.ts';
import { restoredMeans } from '../../../domain/bookings/booking.ts';
import { restoreStore } from '../../sqlite.ts';

const restore = (file: string, copy: string) => restoreStore(file, copy, 'mina', fakeClock());
const modeOf = (path: string) => statSync(path).mode & 0o777;
const namesBeside = (file: string) =>
  readdirSync(dirname(file))
    .filter((name) => name !== basename(file))
    .sort();

/** A database with a backup in which a booking is queued; it was sent since, and its daemon was killed. */
async function killedDaemon() {
  const [running, file] = [newStoreFile(), newStoreFile()];
  const backup = `${file}.monday`;
  const store = await openTestStore(running);
  const { booking: queued } = await accept(store);
  await store.backup(backup);
  await claimNext(store, 'main', minute(1));
  for (const suffix of ['', '-wal', '-shm', '.marker']) copyFileSync(running + suffix, file + suffix);
  return { file, backup, queued };
}

describe('restoring a backup', () => {
  it('puts it in place of a killed daemon’s database, and holds what may have been sent since', async () => {
    const { file, backup, queued } = await killedDaemon();

    const restored = await restore(file, backup);

    expect(restored).toEqual({
      bytes: statSync(backup).size,
      copied_at: expect.stringMatching(/Z$/),
      former: ['', '-wal', '-shm'].map((suffix) => `${file}.replaced-20260302T090000Z${suffix}`),
      held: 1,
      missing: [
        expect.objectContaining({
          ref: queued.ref,
          state: 'sending',
          restored_state: 'queued',
          clinic: 'main',
        }),
      ],
    });
    expect(modeOf(file)).toBe(0o600);
    const store = await openTestStore(file);
    expect(store.identity.restored).toBe(true);
    expect(await store.bookings.get(queued.ref)).toMatchObject({
      state: 'held',
      reason: 'restored_state',
      message: restoredMeans,
    });
  });

  it.each([
    ['today’s backup', async () => (await killedDaemon()).backup],
    ['a backup of version 0.1.0', async () => formerDatabase('v0.1.0')],
  ])('is in the audit of %s once it is restored, and commands work on it at once', async (_name, make) => {
    const [copy, file] = [await make(), newStoreFile()];
    const before = readFileSync(copy);

    await restore(file, copy);

    const store = await openTestStore(file, 'tool');
    expect(await store.audit.list({ limit: 9 })).toMatchObject([
      { actor: 'mina', role: 'cli', action: 'restore', subject: basename(copy), result: 'ok' },
    ]);
    expect(readFileSync(copy)).toEqual(before);
  });

  it('keeps the former database whole, with what was still in its log', async () => {
    const { file, backup, queued } = await killedDaemon();

    const { former } = await restore(file, backup);

    const before = await openTestStore(former[0], 'tool');
    expect(await before.bookings.get(queued.ref)).toMatchObject({ state: 'sending' });
  });

  it('lists the leads that only the former database knows, with what became of them', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    await accept(store);
    await store.backup(`${file}.monday`);
    const { booking: late } = await accept(store);
    await store.close();

    const { missing, former } = await restore(file, `${file}.monday`);

    expect(missing).toEqual([
      {
        ...{ ref: late.ref, clinic: 'main', received_at: late.received_at, state: 'queued' },
        ...{ appointment_id: null, restored_state: null },
      },
    ]);
    expect(namesBeside(file).filter((name) => name.includes('.replaced-'))).toEqual(
      former.map((path) => basename(path)),
    );
  });

  it('says that it cannot list them where the former database is damaged', async () => {
    const { file, backup } = await killedDaemon();
    writeFileSync(file, 'x'.repeat(9_000));

    expect(await restore(file, backup)).toMatchObject({ missing: null, held: 1 });
  });

  it('keeps the former database of each of two restores within a second', async () => {
    const { file, backup } = await killedDaemon();

    const first = await restore(file, backup);
    const kept = first.former.map((path) => readFileSync(path));
    const second = await restore(file, backup);

    expect(second.former).toEqual([`${file}.replaced-20260302T090000Z-2`]);
    for (const [index, path] of first.former.entries())
      expect(kept[index]?.equals(readFileSync(path))).toBe(true);
  });

  it('puts it where no database was, and holds its bookings as well', async () => {
    const { backup } = await killedDaemon();
    const elsewhere = newStoreFile();

    const restored = await restore(elsewhere, backup);

    expect(restored).toMatchObject({ former: [], held: 1 });
    expect((await openTestStore(elsewhere)).identity.restored).toBe(true);
  });

  it('holds what waited even when nothing is known to have happened since', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    const { booking: queued } = await accept(store);
    await store.backup(`${file}.monday`);
    await store.close();

    await restore(file, `${file}.monday`);

    const reopened = await openTestStore(file);
    expect(reopened.identity.restored).toBe(true);
    expect(await reopened.bookings.get(queued.ref)).toMatchObject({ reason: 'restored_state' });
  });

  it('holds what waited in a plain copy of the file, too', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    await accept(store);
    await store.close();
    copyFileSync(file, `${file}.copy`);

    await restore(file, `${file}.copy`);

    expect((await openTestStore(file)).identity.restored).toBe(true);
  });

  it('accepts files copied by hand with their log', async () => {
    const { file, queued } = await killedDaemon();
    const copy = newStoreFile();
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
    const log = readFileSync(`${copy}-wal`);

    const restored = await restore(file, copy);

    expect(restored).toMatchObject({ copied_at: null, held: 0 });
    expect(readFileSync(`${copy}-wal`).equals(log)).toBe(true);
    expect(await (await openTestStore(file)).bookings.get(queued.ref)).toMatchObject({ state: 'sending' });
  });

  it('refuses while a daemon has the database, and leaves everything as it was', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    await store.backup(`${file}.monday`);
    const before = namesBeside(file);

    await expect(restore(file, `${file}.monday`)).rejects.toMatchObject({
      kind: 'refused',
      hint: expect.stringContaining('Stop it first'),
    });
    expect(namesBeside(file)).toEqual(before);
  });

  it.each([
    ['is missing', (copy: string) => `${copy}.nowhere`, 'There is no backup'],
    [
      'is empty',
      (copy: string) => {
        truncateSync(copy, 0);
        return copy;
      },
      'is empty',
    ],
    [
      'is cut short',
      (copy: string) => {
        truncateSync(copy, 20_000);
        return copy;
      },
      'is cut short',
    ],
    [
      'has damaged pages',
      (copy: string) => {
        const bytes = readFileSync(copy);
        bytes.fill(0xa5, 8_192, 60_000);
        writeFileSync(copy, bytes);
        return copy;
      },
      'damaged',
    ],
    [
      'has a damaged page that only the check reads',
      (copy: string) => {
        const database = new Database(copy, { readonly: true });
        const root = database.prepare("select rootpage from sqlite_master where name = 'deliveries'").pluck();
        const [page, size] = [Number(root.get()), Number(database.pragma('page_size', { simple: true }))];
        database.close();
        const bytes = readFileSync(copy);
        bytes.fill(0xa5, (page - 1) * size, page * size);
        writeFileSync(copy, bytes);
        return copy;
      },
      'damaged',
    ],
    [
      'is no database',
      (copy: string) => {
        writeFileSync(copy, 'x'.repeat(9_000));
        return copy;
      },
      'not a clinic-sync database',
    ],
    [
      'is another program’s',
      (copy: string) => {
        alterFile(`${copy}.other`, 'create table recipes (name)');
        return `${copy}.other`;
      },
      'another program',
    ],
    [
      'is of a newer version',
      (copy: string) => {
        alterFile(copy, `insert into migrations values (90000, 'future', '')`);
        return copy;
      },
      'newer version',
    ],
  ])('refuses a backup that %s before anything is moved', async (_what, harm, message) => {
    const { file, backup } = await killedDaemon();
    const copy = harm(backup);
    const before = [readFileSync(file), readFileSync(`${file}-wal`)];

    await expect(restore(file, copy)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(new RegExp(`(?!.*\\.restoring).*${message}`)),
      hint: expect.stringMatching(/^(Nothing was changed\. Restore a backup|Check the path)/),
    });

    expect(before[0]?.equals(readFileSync(file))).toBe(true);
    expect(before[1]?.equals(readFileSync(`${file}-wal`))).toBe(true);
    expect(existsSync(`${file}.restoring`)).toBe(false);
  });
});

describe.runIf(process.getuid?.() === 0)('restored by root', () => {
  const [uid, gid] = [4_711, 4_712];
  const ownersOf = (file: string) =>
    ['', '.lock'].map((suffix) => {
      const found = statSync(file + suffix);
      return [found.uid, found.gid];
    });

  it.each([
    ['the owner of the former database', (file: string) => file],
    ['the owner of the folder, where no database was,', (file: string) => dirname(file)],
  ])('a database belongs to %s', async (_, ownedIn) => {
    const { file, backup } = await killedDaemon();
    const target = ownedIn(file) === file ? file : newStoreFile();
    chownSync(ownedIn(target), uid, gid);

    await restore(target, backup);

    expect(ownersOf(target)).toEqual([
      [uid, gid],
      [uid, gid],
    ]);
  });
});

describe('the files of a database', () => {
  it('belong to this user alone, even if a copy by hand was readable by others', async () => {
    const file = newStoreFile();
    const first = await openTestStore(file);
    await first.close();
    for (const suffix of ['', '.marker', '.lock']) chmodSync(file + suffix, 0o644);

    const store = await openTestStore(file);
    await accept(store);

    expect(
      Object.fromEntries(['', '-wal', '-shm', '.marker', '.lock'].map((s) => [s, modeOf(file + s)])),
    ).toEqual({
      '': 0o600,
      '-wal': 0o600,
      '-shm': 0o600,
      '.marker': 0o600,
      '.lock': 0o600,
    });
  });
});
