import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BookingPort, Connector, Memory } from '../../../src/connector.ts';
import { type Clock, instant } from '../../../src/platform/clock.ts';
import { errnoOf } from '../files.ts';
import { csvFiles, foldersOf, stemOf } from './folders.ts';
import { createLedger } from './ledger.ts';
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
  const { done, results } = foldersOf(inbox);
  const ledger = createLedger(memory);
  return async (before, signal) => {
    const unsettled = new Set<string>();
    for (const { stem, sha256 } of await ledger.open())
      if (!(await areSettled({ bookings, source }, await ledger.fates(sha256)))) unsettled.add(stem);
    const taken = await ledger.taken(instant(clock.now()));
    const answers = await ledger.answers();
    const isOld = (stem: string) => (taken.get(stem) ?? before) < before && !unsettled.has(stem);
    const old = [
      ...(await pathsIn(done)).filter(([stem]) => isOld(stem)),
      ...(await pathsIn(results)).filter(([stem]) =>
        isOld(answers.get(`${stem}.csv`) ?? stem.replace(/\.results$/, '')),
      ),
    ];
    for (const [, path] of old) {
      signal.throwIfAborted();
      await rm(path, { force: true });
    }
    return old.length;
  };
}

async function pathsIn(folder: string): Promise<[stem: string, path: string][]> {
  try {
    return (await csvFiles(folder)).map((name) => [stemOf(name), join(folder, name)]);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
