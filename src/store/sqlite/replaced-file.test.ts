import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accept, newStoreFile, openTestStore } from '../../../test/support/store/store-file.ts';
import type { FileStore } from '../sqlite.ts';

const isLinux = process.platform === 'linux';

/**
 * The parts of the database of which this process holds a lock, as the kernel has it: SQLite locks the file itself and
 * the index of its log for as long as it has them open.
 */
function lockedParts(file: string): string[] {
  const held = readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .map((line) => line.split(/\s+/))
    .filter(([, kind, , , pid]) => kind === 'POSIX' && Number(pid) === process.pid)
    .map(([, , , , , place]) => place?.split(':')[2]);
  const inode = (part: string) => String(statSync(file + part, { throwIfNoEntry: false })?.ino);
  return ['', '-shm'].filter((part) => held.includes(inode(part)));
}

/** What a daemon does to its file while it is open. */
const uses: [string, (store: FileStore, file: string) => unknown][] = [
  ['it was written to', () => {}],
  ['its header was read after a checkpoint', (store) => store.unwritable()],
  ['its health was asked for', (store) => store.health()],
  ['it was checked', (store) => store.checkIntegrity(AbortSignal.timeout(60_000))],
  ['it was copied', (store, file) => store.backup(`${file}.copy`)],
];

describe.runIf(isLinux)('the file that a daemon has open', () => {
  it.each(uses)(
    'stays locked once %s, so that no other program believes to be the last one',
    async (_, use) => {
      const file = newStoreFile();
      const store = await openTestStore(file);
      const opened = lockedParts(file);
      await accept(store);
      await store.clearLog();

      await use(store, file);

      expect(opened).toEqual(['', '-shm']);
      expect(lockedParts(file)).toEqual(['', '-shm']);
      await store.close();
      expect(lockedParts(file)).toEqual([]);
    },
  );
});
