import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BookingPort, Connector, Memory } from '../../../src/connector.ts';
import { type Clock, instant } from '../../../src/platform/clock.ts';
import { errnoOf, sha256 } from '../files.ts';
import { bytesOf } from './dropped-file.ts';
import { csvFiles, foldersOf, stemOf } from './folders.ts';
import { createLedger } from './ledger.ts';
import { isFree } from './own-files.ts';
import { areSettled } from './results.ts';

interface Options {
  inbox: string;
  memory: Memory;
  bookings: BookingPort;
  source: string;
  clock: Clock;
}

/**
 * Removes files from `done` that we took long ago, and their results, unless one of their bookings may still change.
 * Their own times do not count: a copy keeps those of years ago. What failed stays, because its leads are nowhere else. The
 * ledger remembers each file: dropped again, it books nothing.
 */
export function tidyInbox({
  inbox,
  memory,
  bookings,
  source,
  clock,
}: Options): NonNullable<Connector['tidy']> {
  const folders = foldersOf(inbox);
  const ledger = createLedger(memory);
  return async (before, signal) => {
    const unsettled = new Set<string>();
    for (const { stem, sha256 } of await ledger.open())
      if (!(await areSettled({ bookings, source }, await ledger.fates(sha256)))) unsettled.add(stem);
    const taken = await ledger.taken(instant(clock.now()));
    const answers = await ledger.answers();
    const isOld = (stem: string) => (taken.get(stem) ?? before) < before && !unsettled.has(stem);
    let removed = 0;
    const tidy = async (
      folder: 'done' | 'results',
      stemOfName: (name: string) => string,
      isOurs: (name: string) => Promise<boolean>,
    ) => {
      for (const name of (await namesIn(folders[folder])).filter((one) => isOld(stemOfName(one)))) {
        signal.throwIfAborted();
        if (!(await isOurs(name))) continue;
        await rm(join(folders[folder], name), { force: true });
        removed += 1;
      }
    };
    await tidy('done', stemOf, async (name) => {
      const hash = await hashOf(join(folders.done, name));
      return hash !== undefined && hash === (await ledger.fileNamed(stemOf(name)));
    });
    const isFreeResult = (name: string) => isFree(ledger, folders, ['results', name]);
    await tidy('results', (name) => answers.get(name) ?? name.replace(/\.results\.csv$/, ''), isFreeResult);
    return removed;
  };
}

async function hashOf(path: string): Promise<string | undefined> {
  const bytes = await bytesOf(path);
  return bytes && sha256(bytes);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await csvFiles(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
