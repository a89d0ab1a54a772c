import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { minute } from '../../../../test/conformance/store/samples.ts';
import { accept, alterFile, newStoreFile, openTestStore } from '../../../../test/support/store/store-file.ts';
import { backUpInDirectory, type DirectoryBackup } from './directory-backup.ts';

async function installation() {
  const file = newStoreFile();
  const store = await openTestStore(file);
  const backUp = (directory: string, at: number, given: Partial<DirectoryBackup> = {}) =>
    backUpInDirectory({ file, directory, keep: 2, floor: 0, isFirst: true, at: minute(at), ...given });
  return { file, store, backUp };
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'clinic-sync-backups-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const named = (n: number) => `clinic-sync-20260302T09${String(n).padStart(2, '0')}00Z.db`;

it('removes nothing that it did not make, whatever its name', async () => {
  const [ours, other] = [await installation(), await installation()];
  const directory = newDirectory();
  await other.backUp(directory, 1);
  writeFileSync(join(directory, named(2)), 'mine');
  writeFileSync(join(directory, 'clinic-sync-2026-03-02.db'), 'by hand');
  await ours.store.backup(join(directory, named(3)));
  symlinkSync(ours.file, join(directory, named(4)));
  const before = readdirSync(directory);

  for (let at = 10; at < 16; at += 1) await ours.backUp(directory, at);

  expect(readdirSync(directory).toSorted()).toEqual([...before, named(14), named(15)].toSorted());
});

it('keeps the new copy when the clock was set back', async () => {
  const { backUp } = await installation();
  const directory = newDirectory();
  await backUp(directory, 20);
  await backUp(directory, 30);

  const made = await backUp(directory, 10);

  expect(made.path).toBe(join(directory, named(10)));
  expect(readdirSync(directory).toSorted()).toEqual([named(10), named(30)]);
});

it('removes what a killed process left half written, before it needs the room', async () => {
  const { backUp, store } = await installation();
  const directory = newDirectory();
  const left = join(directory, `clinic-sync-${store.identity.instance}.db.partial`);
  writeFileSync(left, 'half');

  await backUp(directory, 1);

  expect(readdirSync(directory)).toEqual([named(1)]);
});

it('is readable by its owner alone, in a directory that it makes likewise', async () => {
  const { backUp } = await installation();
  const directory = join(newDirectory(), 'backups');

  const { path } = await backUp(directory, 1);

  expect([directory, path].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o600]);
});

it('leaves the room that the database needs on the same disk, and says so', async () => {
  const { backUp } = await installation();
  const directory = newDirectory();

  await expect(backUp(directory, 1, { floor: 1e18 })).rejects.toMatchObject({
    message: expect.stringMatching(
      / free; the copy needs .* and 1000000 TB must stay free for the database\.$/,
    ),
    hint: expect.stringContaining('backup.keep'),
  });

  expect(readdirSync(directory)).toEqual([]);
});

it('refuses a copy whose change log does not end as its own changes say', async () => {
  const { file, store, backUp } = await installation();
  await accept(store);
  alterFile(file, `update chain_heads set hash = 'other'`);
  alterFile(file, `insert or ignore into chain_heads values ('main', 1, 'other', 0)`);
  alterFile(file, `insert or ignore into change_hashes values ('main', 1, 'this', null, null)`);
  const directory = newDirectory();

  await expect(backUp(directory, 1)).rejects.toMatchObject({
    message: expect.stringContaining('the change log of main ends elsewhere'),
  });

  expect(readdirSync(directory)).toEqual([]);
});

it('does not make a directory again that is gone', async () => {
  const { backUp } = await installation();
  const directory = newDirectory();
  await backUp(directory, 1);
  rmSync(directory, { recursive: true });

  await expect(backUp(directory, 2, { isFirst: false })).rejects.toMatchObject({
    message: `No backup was written: ${directory} does not exist.`,
    hint: expect.stringContaining('Is its volume mounted?'),
  });

  expect(existsSync(directory)).toBe(false);
  mkdirSync(directory);
});
