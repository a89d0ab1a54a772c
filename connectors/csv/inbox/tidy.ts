import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BookingPort, Connector, Memory } from '../../../src/connector.ts';
import { type Instant, toMs } from '../../../src/platform/clock.ts';
import { errnoOf } from '../files.ts';
import { foldersOf } from './folders.ts';
import { createLedger } from './ledger.ts';
import { areSettled } from './results.ts';

/** Dropped files, their results, and the reasons why they failed. */
const OURS = /\.csv$|\.error\.txt$/i;

interface Options {
  inbox: string;
  memory: Memory;
  bookings: BookingPort;
  source: string;
}

/**
 * Removes old dropped files and their results, unless one of their bookings may still change. The ledger remembers each
 * file: dropped again, it books nothing.
 */
export function tidyInbox({ inbox, memory, bookings, source }: Options): NonNullable<Connector['tidy']> {
  const { done, failed, results } = foldersOf(inbox);
  const ledger = createLedger(memory);
  return async (before, signal) => {
    const unsettled: string[] = [];
    for (const { stem, sha256 } of await ledger.open())
      if (!(await areSettled({ bookings, source }, await ledger.fates(sha256)))) unsettled.push(stem);
    const kept = new Set(unsettled.flatMap((stem) => [`${stem}.csv`, `${stem}.error.txt`]));
    const keptResults = new Set(unsettled.map((stem) => `${stem}.results.csv`));
    return (
      (await removeOld(done, kept, before, signal)) +
      (await removeOld(failed, kept, before, signal)) +
      (await removeOld(results, keptResults, before, signal))
    );
  };
}

async function removeOld(
  folder: string,
  kept: ReadonlySet<string>,
  before: Instant,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for (const name of await filesIn(folder)) {
    signal.throwIfAborted();
    if (kept.has(name)) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isFile() || found.mtimeMs >= toMs(before)) continue;
    await rm(path, { force: true });
    count += 1;
  }
  return count;
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => OURS.test(name));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
