import type { FeeChange, FeePeriod, ListedPrice, Price } from '../domain/clinics/fees.ts';
import { addAmounts, amountText, negated } from '../domain/clinics/money.ts';
import type { PriceList, PricePage, PricesAsked } from '../domain/clinics/report-columns.ts';
import { dayAfter, startOfDay, wallClockAt } from '../domain/date-time.ts';
import { type Instant, instant } from '../platform/clock.ts';
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

/** A page of that list: the first prices of each kind, or the next ones of one kind; without a limit all of it. */
export async function pricePage(
  store: Pick<Store, 'reports'>,
  { clinic, timezone }: Place,
  { day, kind, after, limit }: PricesAsked,
  now: number,
): Promise<PricePage | undefined> {
  if (limit === undefined) {
    const list = await priceList(store, { clinic, timezone }, day, now);
    return list && { ...list, next: [] };
  }
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

const places = (fee: string | null, currency: string | null) =>
  fee === null ? null : amountText(fee, currency);

/** The prices in force right before `end`. */
export const pricesAt = (periods: readonly FeePeriod[], end: Instant): Price[] =>
  listedAt(periods, end).map(({ until: _until, ...price }) => price);

/** Like `pricesAt`, with the end of each; an end after `end` may not be known yet. */
const listedAt = (periods: readonly FeePeriod[], end: Instant): ListedPrice[] =>
  periods
    .filter(({ valid_from, valid_to }) => valid_from < end && (valid_to === null || valid_to >= end))
    .map(asListed);

/** A period as a line of a price list. */
export const asListed = ({ fee, currency, ...period }: FeePeriod): ListedPrice => {
  const { clinic, kind, id, name, valid_from: since, valid_to: until } = period;
  return { clinic, kind, id, name, fee: places(fee, currency), currency, since, until };
};

/** Beginnings and ends of periods from `from` up to `to`, in the order they were noticed. */
export function feeChanges(periods: readonly FeePeriod[], from: Instant, to: Instant): FeeChange[] {
  const changes: FeeChange[] = [];
  const isWithin = (at: Instant) => at >= from && at < to;
  const byItem = Map.groupBy(periods, ({ kind, id }) => `${kind} ${id}`);
  for (const all of byItem.values())
    for (const [i, period] of all.entries()) {
      const former = all[i - 1];
      const follows = former?.valid_to === period.valid_from ? former : undefined;
      if (isWithin(period.valid_from)) changes.push(changeOf(follows, period, period.valid_from));
      const { valid_to } = period;
      if (valid_to !== null && isWithin(valid_to) && all[i + 1]?.valid_from !== valid_to)
        changes.push(changeOf(period, undefined, valid_to));
    }
  return changes.sort(
    (a, b) =>
      a.noticed_at.localeCompare(b.noticed_at) ||
      (a.sequence ?? 0) - (b.sequence ?? 0) ||
      a.id.localeCompare(b.id),
  );
}

const NONE = { fee: null, currency: null };

function changeOf(before: FeePeriod | undefined, after: FeePeriod | undefined, at: Instant): FeeChange {
  const { clinic, kind, id, name } = (after ?? before) as FeePeriod;
  const [old, now] = [before ?? NONE, after ?? NONE];
  const what = whatChanged(before, after);
  const sum =
    old.fee === null || now.fee === null || old.currency !== now.currency
      ? null
      : addAmounts([now.fee, negated(old.fee)]);
  return {
    ...{ clinic, noticed_at: at, poll: what === 'currency' ? 'organization' : `${kind}s` },
    ...{
      sequence: after === undefined ? (before?.removed_by ?? null) : after.sequence,
      what,
      kind,
      id,
      name,
    },
    ...{ before: places(old.fee, old.currency), currency_before: old.currency },
    ...{ after: places(now.fee, now.currency), currency: now.currency },
    difference: places(sum, now.currency),
  };
}

function whatChanged(before: FeePeriod | undefined, after: FeePeriod | undefined): FeeChange['what'] {
  if (before === undefined) return 'new';
  if (after === undefined) return 'removed';
  return before.fee === after.fee && before.currency !== after.currency ? 'currency' : 'changed';
}
