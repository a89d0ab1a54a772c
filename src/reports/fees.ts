import { type FeeChange, feeChanges, listedAt } from '../domain/clinics/fees.ts';
import { dayAfter, startOfDay, wallClockAt } from '../domain/date-time.ts';
import type { PriceList, PricePage, PricesAsked } from '../domain/reports/report-rows.ts';
import { instant } from '../platform/clock.ts';
import type { Store } from '../store/store.ts';

interface Place {
  clinic: string;
  timezone: string;
}

/** The end of a day on the clinic's calendar; undefined for a future day. */
function endOf({ timezone }: Place, day: string | undefined, now: number) {
  const today = wallClockAt(now, timezone).date;
  const on = day ?? today;
  return on > today ? undefined : { on, end: instant(startOfDay(dayAfter(on), timezone)) };
}

/** All prices at the end of a day on the clinic's calendar; undefined for a future day. */
export async function priceList(
  store: Pick<Store, 'reports'>,
  { clinic, timezone }: Place,
  day: string | undefined,
  now: number,
): Promise<PriceList | undefined> {
  const asked = endOf({ clinic, timezone }, day, now);
  if (asked === undefined) return undefined;
  const { on, end } = asked;
  const periods = await store.reports.feePeriods(clinic, end, end);
  const known_since = (await store.reports.knownSince(clinic)) ?? null;
  return { clinic, timezone, on, known_since, prices: listedAt(periods, end) };
}

/** A page of that list: the first prices of each kind, or the next ones of one kind. */
export async function pricePage(
  store: Pick<Store, 'reports'>,
  { clinic, timezone }: Place,
  { day, kind, after, limit }: PricesAsked,
  now: number,
): Promise<PricePage | undefined> {
  const asked = endOf({ clinic, timezone }, day, now);
  if (asked === undefined) return undefined;
  const { on, end } = asked;
  const kinds = kind === undefined ? (['treatment', 'dentist'] as const) : [kind];
  const parts = await Promise.all(
    kinds.map((one) => store.reports.feesAt(clinic, one, { end, limit: limit + 1, after })),
  );
  const prices = parts.flatMap((periods) => listedAt(periods.slice(0, limit), end));
  const next = parts.flatMap((periods, at) => {
    const [last] = periods.slice(0, limit).slice(-1);
    const own = kinds[at];
    return periods.length <= limit || own === undefined || last === undefined
      ? []
      : [{ kind: own, after: last.id }];
  });
  // Reads the clinic's whole history, so only when there is no price.
  const known_since = prices.length > 0 ? null : ((await store.reports.knownSince(clinic)) ?? null);
  return { clinic, timezone, on, known_since, prices, next };
}

/** Every change of a fee in these days on the clinic's calendar, both included; without days, all changes. */
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
