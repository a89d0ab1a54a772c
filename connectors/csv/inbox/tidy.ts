import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BookingPort, Connector, Memory } from '../../../src/connector.ts';
import { type Clock, type Instant, instant } from '../../../src/platform/clock.ts';
import { errnoOf } from '../files.ts';
import { csvFiles, type Folders, foldersOf, stemOf } from './folders.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { fileHashOf, isFree } from './own-files.ts';
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
 * Their own times do not count: a copy keeps those of years ago. What failed stays, because its leads are nowhere else.
 * The ledger remembers each file: dropped again, it books nothing.
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
  /** Whether its file is old, and nobody is asked about any of its bookings. */
  const isOver = async ({ hash, taken }: Old, before: Instant) =>
    taken < before && (await areSettled({ bookings, source }, await ledger.fates(hash)));
  const isOurs = async ({ folder, name, hash }: Old) =>
    folder === 'done'
      ? (await fileHashOf(join(folders.done, name))) === hash
      : isFree(ledger, folders, [folder, name]);
  return async (before, signal) => {
    let removed = 0;
    let failure: unknown;
    for (const file of await filesIn(folders, ledger, instant(clock.now()))) {
      signal.throwIfAborted();
      try {
        if (!(await isOver(file, before)) || !(await isOurs(file))) continue;
        await rm(join(folders[file.folder], file.name), { force: true });
        removed += 1;
      } catch (error) {
        // It stops no other file.
        failure ??= error;
      }
    }
    if (removed === 0 && failure !== undefined) throw failure;
    return removed;
  };
}

interface Old {
  folder: 'done' | 'results';
  name: string;
  /** Of the file in `done`. */
  hash: string;
  taken: Instant;
}

/** The files that we took, and their results. */
async function filesIn(folders: Folders, ledger: Ledger, now: Instant): Promise<Old[]> {
  const taken = await ledger.taken(now);
  const answers = await ledger.answers();
  const stemOfResults = (name: string) => answers.get(name) ?? name.replace(/\.results\.csv$/, '');
  const names = [
    ...(await namesIn(folders.done)).map((name) => ({ folder: 'done' as const, name, stem: stemOf(name) })),
    ...(await namesIn(folders.results)).map((name) => ({
      ...{ folder: 'results' as const, name, stem: stemOfResults(name) },
    })),
  ];
  const found: Old[] = [];
  for (const { stem, ...file } of names) {
    const [at, hash] = [taken.get(stem), await ledger.fileNamed(stem)];
    if (at !== undefined && hash !== undefined) found.push({ ...file, hash, taken: at });
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await csvFiles(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
