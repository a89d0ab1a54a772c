import { dayAfter, startOfDay, wallClockAt } from '../domain/date-time.ts';
import { type FeeChange, feeChanges, listedAt } from '../domain/fees.ts';
import type { PriceList } from '../domain/report-rows.ts';
import { instant } from '../platform/clock.ts';
import type { Store } from '../store/store.ts';

/** What everything cost at the end of a day of the clinic's own; undefined for a day that has not come there. */
export async function priceList(
  store: Pick<Store, 'reports'>,
  { clinic, timezone }: { clinic: string; timezone: string },
  day: string | undefined,
  now: number,
): Promise<PriceList | undefined> {
  const today = wallClockAt(now, timezone).date;
  const on = day ?? today;
  if (on > today) return undefined;
  const end = instant(startOfDay(dayAfter(on), timezone));
  const periods = await store.reports.feePeriods(clinic, end, end);
  const known_since = (await store.reports.knownSince(clinic)) ?? null;
  return { clinic, timezone, on, known_since, prices: listedAt(periods, end) };
}

/** Every change of a fee on these days of the clinic's own, both included; all without them. */
export async function changesOfFees(
  store: Pick<Store, 'reports'>,
  { clinic, timezone }: { clinic: string; timezone: string },
  { from, to }: { from: string | undefined; to: string | undefined },
  now: number,
): Promise<FeeChange[]> {
  const since = from === undefined ? '' : instant(startOfDay(from, timezone));
  const until = instant(to === undefined ? now + 1 : startOfDay(dayAfter(to), timezone));
  return feeChanges(await store.reports.feePeriods(clinic, '', until), since, until);
}
