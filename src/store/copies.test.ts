import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimNext, minute } from '../../test/conformance/store/samples.ts';
import {
  accept,
  alterFile,
  createDatabase,
  newStoreFile,
  openTestStore,
} from '../../test/support/store/store-file.ts';

describe('a database restored to an earlier state', () => {
  it('holds what waited to be sent when an older copy was put back', async () => {
    const file = newStoreFile();
    const before = await openTestStore(file);
    const { booking: queued } = await accept(before);
    await before.close();
    copyFileSync(file, `${file}.copy`);
    const later = await openTestStore(file);
    await claimNext(later, 'main', minute(1));
    await later.close();
    copyFileSync(`${file}.copy`, file);

    const restored = await openTestStore(file);

    const { instance } = before.identity;
    expect(restored.identity).toMatchObject({ instance, epoch: 3, restored: true });
    expect(await restored.bookings.get(queued.ref)).toMatchObject({
      state: 'held',
      reason: 'restored_state',
    });
    expect(await claimNext(restored, 'main', minute(9))).toBeUndefined();
  });

  it('also doubts what waited for a user: it may have been approved and sent since', async () => {
    const file = newStoreFile();
    const before = await openTestStore(file);
    const message = 'Waits for your approval.';
    const { booking: waiting } = await accept(before, { state: 'held', reason: 'approval', message });
    await before.close();
    copyFileSync(file, `${file}.copy`);
    await (await openTestStore(file)).close();
    copyFileSync(`${file}.copy`, file);

    const restored = await openTestStore(file);

    expect(await restored.bookings.get(waiting.ref)).toMatchObject({
      state: 'held',
      reason: 'restored_state',
      message: expect.stringMatching(/^Waits for your approval\. .*older copy/),
    });
  });

  it('stays restored across restarts until that was handled', async () => {
    const file = newStoreFile();
    await (await openTestStore(file)).close();
    copyFileSync(file, `${file}.copy`);
    await (await openTestStore(file)).close();
    copyFileSync(`${file}.copy`, file);
    const seen: boolean[] = [];

    for (const settles of [false, true, false]) {
      const store = await openTestStore(file);
      seen.push(store.identity.restored);
      if (settles) await store.settleRestored();
      await store.close();
    }

    expect(seen).toEqual([true, true, false]);
  });

  it('notices a backup made within the present epoch', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    await accept(store);
    await store.backup(`${file}.backup`);
    // Nothing of this is in the change log.
    await claimNext(store, 'main', minute(1));
    await store.close();
    copyFileSync(`${file}.backup`, file);

    expect((await openTestStore(file)).identity.restored).toBe(true);
  });

  it('notices a copy made by hand within an epoch that ended in order', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    alterFile(file, `vacuum into '${file}.copy'`);
    await accept(store);
    await store.close();
    copyFileSync(`${file}.copy`, file);

    expect((await openTestStore(file)).identity.restored).toBe(true);
  });

  it('notices a database that came without its marker, or with another one’s', async () => {
    const [moved, exchanged] = [newStoreFile(), newStoreFile()];
    await createDatabase(moved);
    await createDatabase(exchanged);
    copyFileSync(`${moved}.marker`, `${exchanged}.marker`);
    rmSync(`${moved}.marker`);

    expect((await openTestStore(moved)).identity.restored).toBe(true);
    expect((await openTestStore(exchanged)).identity.restored).toBe(true);
  });

  it('refuses to start if the marker is not a file', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    rmSync(`${file}.marker`);
    mkdirSync(`${file}.marker`);

    await expect(openTestStore(file)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('cannot be read'),
    });
  });

  it('refuses to start with a marker that cannot be read', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    writeFileSync(`${file}.marker`, '{"instance":');

    await expect(openTestStore(file)).rejects.toMatchObject({
      kind: 'refused',
      hint: expect.stringContaining('delete it'),
    });
  });
});

describe('a backup', () => {
  /** What happens once, before the copy gets its name. */
  function beforeItIsNamed(work: () => void): void {
    const onPoint = (name: unknown) => {
      if (name !== 'store.backup.before-rename') return;
      unsubscribe('clinic-sync:failpoint', onPoint);
      work();
    };
    subscribe('clinic-sync:failpoint', onPoint);
  }

  it('of a database that is replaced meanwhile is none, and leaves nothing behind', async () => {
    const [file, other] = [newStoreFile(), newStoreFile()];
    await createDatabase(file);
    await createDatabase(other);
    const store = await openTestStore(file, 'tool');
    beforeItIsNamed(() => renameSync(other, file));

    await expect(store.backup(`${file}.backup`)).rejects.toMatchObject({
      message: 'No backup was written: the database was replaced while it was copied.',
      hint: expect.stringMatching(/^Run it again/),
    });

    expect(readdirSync(dirname(file)).filter((name) => name.includes('.backup'))).toEqual([]);
  });

  it('that the database cannot note is kept, and said to be complete', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    alterFile(
      file,
      `create trigger full before insert on memory when new.scope = 'backups' begin select raise(abort, 'full'); end`,
    );

    await expect(store.backup(`${file}.backup`)).rejects.toMatchObject({
      message: expect.stringContaining(`The backup ${file}.backup is complete, but the database could not`),
    });
    await expect(openTestStore(`${file}.backup`, 'tool')).resolves.toBeDefined();
  });

  it('is a complete database of that moment, which opens on its own', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    const { booking: stored } = await accept(store);

    const bytes = await store.backup(`${file}.backup`);
    await accept(store);

    expect(statSync(`${file}.backup`)).toMatchObject({ size: bytes });
    expect(statSync(`${file}.backup`).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.backup.partial`)).toBe(false);
    const copy = await openTestStore(`${file}.backup`, 'tool');
    expect((await copy.bookings.list({})).map(({ ref }) => ref)).toEqual([stored.ref]);
  });

  it('never replaces a file', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    writeFileSync(`${file}.backup`, 'precious');

    await expect(store.backup(`${file}.backup`)).rejects.toMatchObject({ kind: 'refused' });
    expect(readFileSync(`${file}.backup`, 'utf8')).toBe('precious');
  });

  it('leaves nothing behind when it cannot be written', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);

    const failing = store.backup(join(file, 'not a folder', 'backup.db'));

    await expect(failing).rejects.toMatchObject({ kind: 'transient', hint: expect.any(String) });
  });
});

describe('erasing a person', () => {
  it('leaves no trace in the bytes of the file or its log, and names the copies it cannot reach', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    const { booking: stored } = await accept(store, { patient_name: 'Zebedee Planted' });
    writeFileSync(`${file}.before-2`, '');
    const bytes = () => Buffer.concat([readFileSync(file), readFileSync(`${file}-wal`)]).toString('latin1');
    const before = bytes();

    const erased = await store.erase({ refs: [stored.ref] }, minute(1), 'Sam');

    expect(before).toContain('Zebedee');
    expect(bytes()).not.toContain('Zebedee');
    expect(erased.copies).toEqual([`${file}.before-2`]);
  });
});

describe('a copy put back within the epoch', () => {
  /** A daemon that queued a booking, was copied by hand, sent the booking and was killed; the copy is put back. */
  async function copyPutBack({ withMarker }: { withMarker: boolean }) {
    const [file, away] = [newStoreFile(), newStoreFile()];
    const store = await openTestStore(file);
    const { booking: queued } = await accept(store);
    const copy = (suffixes: string[]) => {
      for (const suffix of suffixes)
        if (existsSync(file + suffix)) copyFileSync(file + suffix, away + suffix);
    };
    copy(['', '-wal', ...(withMarker ? ['.marker'] : [])]);
    await claimNext(store, 'main', minute(1));
    if (!withMarker) copy(['.marker']);
    return { away, queued };
  }

  it('holds what was sent since, according to the marker that each send updates', async () => {
    const { away, queued } = await copyPutBack({ withMarker: false });

    const restored = await openTestStore(away);

    expect(restored.identity.restored).toBe(true);
    expect(await restored.bookings.get(queued.ref)).toMatchObject({
      state: 'held',
      reason: 'restored_state',
    });
  });

  it('accepts a killed daemon’s own files', async () => {
    const { away, queued } = await copyPutBack({ withMarker: true });

    const again = await openTestStore(away);

    expect(again.identity.restored).toBe(false);
    expect(await again.bookings.get(queued.ref)).toMatchObject({ state: 'queued' });
  });

  it('does not send what it could not record in the marker', async () => {
    const file = newStoreFile();
    const store = await openTestStore(file);
    await accept(store);
    rmSync(`${file}.marker`);
    mkdirSync(`${file}.marker`);

    await expect(claimNext(store, 'main', minute(1))).rejects.toMatchObject({ kind: 'transient' });
  });
});

describe('a copy in place of a killed daemon’s file', () => {
  async function killed(replace: (file: string) => void) {
    const [file, target] = [newStoreFile(), newStoreFile()];
    const first = await openTestStore(file);
    await first.backup(`${file}.backup`);
    await first.close();
    copyFileSync(file, `${file}.copy`);
    const store = await openTestStore(file);
    await accept(store, { patient_name: 'Written later' });
    // What a kill leaves behind: the log is not in the file yet.
    for (const suffix of ['', '-wal', '-shm', '.marker', '.backup', '.copy'])
      copyFileSync(file + suffix, target + suffix);
    replace(target);
    return target;
  }

  it('is not overwritten by the log of another program’s database, which is refused', async () => {
    const file = newStoreFile();
    await (await openTestStore(file)).close();
    const before = readFileSync(file);
    const other = new Database(newStoreFile());
    other.pragma('journal_mode = wal');
    other.exec('create table notes (text); insert into notes values (1)');
    copyFileSync(`${other.name}-wal`, `${file}-wal`);
    other.close();

    for (const mode of ['daemon', 'tool'] as const)
      await expect(openTestStore(file, mode)).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('-wal does not belong to'),
      });

    expect(readFileSync(file)).toEqual(before);
  });

  /** A daemon that was killed after so many starts, with some bookings of one patient in its log. */
  async function killedAfter(starts: number, patient_name: string) {
    const [running, file] = [newStoreFile(), newStoreFile()];
    for (let n = 1; n < starts; n += 1) await createDatabase(running);
    const store = await openTestStore(running);
    for (let n = 0; n < 5; n += 1) await accept(store, { patient_name });
    for (const suffix of ['', '-wal', '.marker']) copyFileSync(running + suffix, file + suffix);
    return file;
  }

  it.each([1, 3])(
    'is not written to by the log of another clinic-sync database that was started %i times',
    async (starts) => {
      const [own, other] = [await killedAfter(1, 'Ann'), await killedAfter(starts, 'Bob')];
      copyFileSync(`${other}-wal`, `${own}-wal`);
      const before = readFileSync(own);

      for (const mode of ['daemon', 'tool'] as const)
        await expect(openTestStore(own, mode)).rejects.toMatchObject({
          kind: 'refused',
          message: expect.stringContaining('-wal does not belong to'),
        });

      expect(readFileSync(own)).toEqual(before);
    },
  );

  it('is not overwritten by a later log of the same start', async () => {
    const [running, file] = [newStoreFile(), newStoreFile()];
    const store = await openTestStore(running);
    await accept(store, { patient_name: 'Early' });
    const emptyLog = () => alterFile(running, 'pragma wal_checkpoint(truncate)');
    emptyLog();
    copyFileSync(running, file);
    await accept(store, { patient_name: 'Lost' });
    emptyLog();
    await accept(store, { patient_name: 'Late' });
    copyFileSync(`${running}-wal`, `${file}-wal`);

    await expect(openTestStore(file)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('is not overwritten by an older log', async () => {
    const [running, file] = [newStoreFile(), newStoreFile()];
    const store = await openTestStore(running);
    await accept(store);
    copyFileSync(`${running}-wal`, `${file}-wal`);
    await accept(store);
    alterFile(running, 'pragma wal_checkpoint(truncate)');
    copyFileSync(running, file);

    await expect(openTestStore(file)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('is not overwritten by another program’s log that does not even fit its length', async () => {
    const [own, other] = [newStoreFile(), newStoreFile()];
    await createDatabase(own);
    await createDatabase(other);
    alterFile(other, `create table notes (text); insert into notes values ('')`);
    const program = new Database(other);
    onTestFinished(() => void program.close());
    program.exec(`update notes set text = 'changed'`);
    copyFileSync(`${other}-wal`, `${own}-wal`);

    await expect(openTestStore(own)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('is reported as an older copy and not opened if its own log is present but the marker is further ahead', async () => {
    const file = await killedAfter(1, 'Ann');
    const marker = JSON.parse(readFileSync(`${file}.marker`, 'utf8'));
    writeFileSync(`${file}.marker`, JSON.stringify({ ...marker, stamp: marker.stamp + 1 }));

    await expect(openTestStore(file)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('older copy of this database'),
      hint: expect.stringContaining('clinic-sync restore'),
    });
  });

  it('opens beside a log that SQLite would ignore', async () => {
    const [own, other] = [await killedAfter(1, 'Ann'), await killedAfter(1, 'Bob')];
    const log = readFileSync(`${other}-wal`);
    log.writeUInt8(log.readUInt8(100) ^ 1, 100);
    writeFileSync(`${own}-wal`, log);

    const store = await openTestStore(own);

    expect(await store.bookings.list({})).toEqual([]);
  });

  it.each(['.backup', '.copy'])(
    'is not written to by the log of the former file (%s): that is refused and named',
    async (which) => {
      const file = await killed((target) => copyFileSync(target + which, target));
      const before = readFileSync(file);

      for (const mode of ['daemon', 'tool'] as const)
        await expect(openTestStore(file, mode)).rejects.toMatchObject({
          kind: 'refused',
          message: expect.stringContaining('-wal does not belong to'),
          hint: expect.stringContaining('clinic-sync restore'),
        });

      expect(readFileSync(file).equals(before)).toBe(true);
      rmSync(`${file}-wal`);
      expect((await openTestStore(file)).identity.restored).toBe(true);
    },
  );

  it('continues with its own log', async () => {
    const file = await killed(() => {});

    const store = await openTestStore(file);

    expect(store.identity.restored).toBe(false);
    expect(await store.bookings.list({})).toMatchObject([{ patient_name: 'Written later' }]);
  });

  it('reports a file that is cut short', async () => {
    const file = newStoreFile();
    await createDatabase(file);
    truncateSync(file, 20_000);

    await expect(openTestStore(file)).rejects.toMatchObject({
      message: expect.stringContaining('is cut short'),
      hint: expect.stringContaining('clinic-sync restore'),
    });
  });
});
