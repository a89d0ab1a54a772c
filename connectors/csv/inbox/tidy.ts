import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connector, Memory } from '../../../src/connector.ts';
import { toMs } from '../../../src/platform/clock.ts';
import { errnoOf } from '../files.ts';
import { foldersOf } from './folders.ts';
import { createLedger } from './ledger.ts';

/** A dropped file, its results, and why it failed. */
const OURS = /(\.results)?\.csv$|\.error\.txt$/i;

interface Options {
  inbox: string;
  memory: Memory;
}

/**
 * Removes dropped files and their results once they are old, and not while a booking of theirs may still move on. That a
 * file was booked stays known: dropped once more, it books nothing.
 */
export function tidyInbox({ inbox, memory }: Options): NonNullable<Connector['tidy']> {
  const { done, failed, results } = foldersOf(inbox);
  const ledger = createLedger(memory);
  return async (before, signal) => {
    const open = new Set((await ledger.open()).map(({ stem }) => stem));
    let count = 0;
    for (const folder of [done, failed, results])
      for (const name of await filesIn(folder)) {
        signal.throwIfAborted();
        if (open.has(name.replace(OURS, ''))) continue;
        const path = join(folder, name);
        const found = await lstat(path).catch(() => undefined);
        if (!found?.isFile() || found.mtimeMs >= toMs(before)) continue;
        await rm(path, { force: true });
        count += 1;
      }
    return count;
  };
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => OURS.test(name));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
