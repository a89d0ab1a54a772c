import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { wallClockAt } from '../../../src/domain/date-time.ts';
import { type Clock, instant, toMs } from '../../../src/platform/clock.ts';
import { type Folders, move, stemOf } from './folders.ts';
import type { Holder, Ledger, Place } from './ledger.ts';

interface Parts {
  ledger: Ledger;
  clock: Clock;
  timezone: string;
}

/** The name that the results of the newest file of this name have. */
export const resultsOf = (name: string): string => `${stemOf(name)}.results.csv`;

/**
 * Gives a file's results the plain name, because it is the newest of its name; those that had it get their date. Safe to
 * repeat from any point.
 */
export async function takeResultsName(
  { ledger, clock, timezone }: Parts,
  folders: Folders,
  { place, results }: { place: Place; results: string },
): Promise<void> {
  const holder = await ledger.holder(results);
  if (holder?.folder === place.folder && holder.stem === place.stem) return;
  const own = await ledger.answer(place);
  const dated = holder && datedName(results, holder, timezone);
  if (dated !== undefined) await move([folders.results, results], [folders.results, dated]);
  const now: Holder = { ...place, at: instant(clock.now()) };
  await ledger.hold(results, now, holder && dated ? { holder, results: dated } : undefined);
  // Its own of before, when it came again after others.
  if (own !== results && place.folder === 'done') await rm(join(folders.results, own), { force: true });
}

function datedName(results: string, { at, stem }: Holder, timezone: string): string {
  if (at === null) return `${stem}.before.results.csv`;
  const { date, time } = wallClockAt(toMs(at), timezone);
  const seconds = at.slice(17, 19);
  return `${results.replace(/\.results\.csv$/, '')}.${date}-${time.replace(':', '')}${seconds}.results.csv`;
}
