import { readFileSync } from 'node:fs';
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { replaceFile } from './files.ts';

/** Calls `note` whenever any file or folder is made durable. */
async function onSync(path: string, note: () => void): Promise<void> {
  const handle = await open(path);
  const prototype: { sync(): Promise<void> } = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = prototype;
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: unknown) {
    note();
    return sync.call(this);
  });
  onTestFinished(() => spy.mockRestore());
}

it('makes the bytes durable before they take the place of the old file, and the name after', async () => {
  const path = join(await temporaryFolder(), 'bookings.csv');
  await writeFile(path, 'old');
  const inPlace: string[] = [];
  await onSync(path, () => inPlace.push(readFileSync(path, 'utf8')));

  await replaceFile(path, Buffer.from('new'), 0o600);

  expect(inPlace).toEqual(['old', 'new']);
  expect(await readFile(path, 'utf8')).toBe('new');
});

it('gives a file the configured permissions, whatever the umask', async () => {
  const path = join(await temporaryFolder(), 'bookings.csv');

  await replaceFile(path, Buffer.from('new'), 0o640);

  expect((await stat(path)).mode & 0o777).toBe(0o640);
});

it.each([
  ['EINVAL', true],
  ['ENOTSUP', true],
  ['ENOSYS', true],
  ['EIO', false],
])('writes a file where a sync answers %s: %s', async (code, isWritten) => {
  const path = join(await temporaryFolder(), 'bookings.csv');
  await writeFile(path, 'old');
  await onSync(path, () => {
    throw Object.assign(new Error(code), { code, syscall: 'fsync' });
  });

  const done = await replaceFile(path, Buffer.from('new'), 0o600).then(
    () => true,
    () => false,
  );

  expect(done).toBe(isWritten);
  expect(await readFile(path, 'utf8')).toBe(isWritten ? 'new' : 'old');
});
