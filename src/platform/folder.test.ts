import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from './folder.ts';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('creates a folder with its parents, and leaves an existing one alone', async () => {
  const path = join(temporary(), 'a', 'b', 'c');

  await makeFolder(path, 0o700);
  await makeFolder(path, 0o700);

  expect(statSync(path).isDirectory()).toBe(true);
});

it('fails where nothing can be created, instead of hanging', async () => {
  const file = join(temporary(), 'file');
  writeFileSync(file, '');

  await expect(makeFolder(join(file, 'x'), 0o700)).rejects.toThrow(/ENOTDIR|EEXIST/);
  await expect(makeFolder(join('/proc', 'clinic-sync', 'x'), 0o700)).rejects.toThrow(/ENOENT|EACCES|EPERM/);
});
