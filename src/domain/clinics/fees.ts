import type { Instant } from '../../platform/clock.ts';
import { addAmounts, amountText, negated } from './money.ts';

/** What a treatment or consultation cost during a period, as far as polls noticed. */
export interface FeePeriod {
  clinic: string;
  kind: 'treatment' | 'dentist';
  id: string;
  /** Sequence of the change that began it. */
  sequence: number;
  name: string | null;
  /** The clinic's decimal text; null where it gave none. */
  fee: string | null;
  currency: string | null;
  valid_from: Instant;
  valid_to: Instant | null;
  /** Sequence of the removal that ended it. */
  removed_by: number | null;
}

/** A line of a price list. */
export interface Price {
  clinic: string;
  kind: FeePeriod['kind'];
  id: string;
  name: string | null;
  /** With the decimal places of its currency. */
  fee: string | null;
  currency: string | null;
  since: Instant;
}

/** A price on a given day, and until when it applied; null if it still does. */
export interface ListedPrice extends Price {
  until: Instant | null;
}

const places = (fee: string | null, currency: string | null) =>
  fee === null ? null : amountText(fee, currency);

/** The prices in force right before `end`. */
export const pricesAt = (periods: readonly FeePeriod[], end: Instant): Price[] =>
  listedAt(periods, end).map(({ until: _until, ...price }) => price);

/** Like `pricesAt`, with the end of each; an end after `end` may not be known yet. */
export const listedAt = (periods: readonly FeePeriod[], end: Instant): ListedPrice[] =>
  periods
    .filter(({ valid_from, valid_to }) => valid_from < end && (valid_to === null || valid_to >= end))
    .map(({ clinic, kind, id, name, fee, currency, valid_from, valid_to }) => ({
      ...{ clinic, kind, id, name, fee: places(fee, currency), currency },
      ...{ since: valid_from, until: valid_to },
    }));

export interface FeeChange {
  clinic: string;
  noticed_at: Instant;
  /** The poll that noticed it. */
  poll: 'treatments' | 'dentists' | 'organization';
  /** Its sequence in the change log; 0 if older than the log, null for a removal as old. */
  sequence: number | null;
  what: 'new' | 'changed' | 'removed' | 'currency';
  kind: FeePeriod['kind'];
  id: string;
  name: string | null;
  before: string | null;
  currency_before: string | null;
  after: string | null;
  currency: string | null;
  /** Null if the currency changed as well. */
  difference: string | null;
}

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
