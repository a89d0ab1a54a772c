import { wallClockAt } from '../../../src/domain/date-time.ts';
import { type Clock, instant, toMs } from '../../../src/platform/clock.ts';
import { type Folders, stemOf } from './folders.ts';
import type { FilePlace, Holder, Ledger } from './ledger.ts';
import { isFree, moveOwn, removeOwn } from './own-files.ts';

interface Parts {
  ledger: Ledger;
  clock: Clock;
  timezone: string;
}

/** The name that the results of the newest file of this name have. */
export const resultsOf = (name: string): string => `${stemOf(name)}.results.csv`;

/**
 * Gives a file's results the plain name, because it is the newest of its name; those that had it get their date. Where
 * somebody has a file of that name, the next number is taken. Safe to repeat from any point. Resolves to the name.
 */
export async function takeResultsName(
  { ledger, clock, timezone }: Parts,
  folders: Folders,
  { place, results: plain }: { place: FilePlace; results: string },
): Promise<string> {
  const results = await firstFree(ledger, folders, plain);
  const noted = await ledger.holder(results);
  const holder = noted && (await ledger.answer(noted)) === results ? noted : undefined;
  if (holder?.folder === place.folder && holder.stem === place.stem) return results;
  const own = await ledger.answer(place);
  const former = holder && {
    holder,
    results: await firstFree(ledger, folders, datedName(results, holder, timezone)),
  };
  if (former) await moveOwn(ledger, folders, ['results', results], former.results);
  await ledger.hold(results, { ...place, at: instant(clock.now()) }, former);
  // Its own of before, when it came again after others.
  if (own !== results && place.folder === 'done') await removeOwn(ledger, folders, ['results', own]);
  return results;
}

/** `leads.results.csv`, `leads.results-2.csv` and so on. */
async function firstFree(ledger: Ledger, folders: Folders, name: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? name : name.replace(/\.csv$/, `-${n}.csv`);
    if (await isFree(ledger, folders, ['results', candidate])) return candidate;
  }
}

/** The name that somebody's file keeps from these results. */
export const takenName = (results: string): string | undefined =>
  /\.results-\d+\.csv$/.test(results) ? results.replace(/-\d+\.csv$/, '.csv') : undefined;

function datedName(results: string, { at, stem }: Holder, timezone: string): string {
  if (at === null) return `${stem}.before.results.csv`;
  const { date, time } = wallClockAt(toMs(at), timezone);
  const seconds = at.slice(17, 19);
  return results.replace(/(?=\.results(?:-\d+)?\.csv$)/, `.${date}-${time.replace(':', '')}${seconds}`);
}
