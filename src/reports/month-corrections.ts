import type { Change } from '../domain/clinics/change.ts';
import type { FeeChange } from '../domain/clinics/fees.ts';
import type { Correction, EarlierLead, Gap } from '../domain/clinics/month.ts';
import { wallClockAt } from '../domain/date-time.ts';
import { type Instant, toMs } from '../platform/clock.ts';

interface Month {
  /** Its first day: earlier visits were in closed months. */
  first: string;
  from: Instant;
  to: Instant;
  timezone: string;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export function visitCorrections(changes: readonly Change[], { first }: Month): Correction[] {
  // A visit whose date and status change at once has two changes.
  const formerDates = new Map(
    changes.flatMap(({ id, at, previous }) => {
      const date = textOf(previous?.date);
      return date === null ? [] : [[`${id} ${at}`, date] as const];
    }),
  );
  return changes.flatMap(({ id, at, data, previous }) => {
    const now = textOf(data.date);
    const closed = [formerDates.get(`${id} ${at}`) ?? now, now].find((date) => date != null && date < first);
    if (previous === null || closed == null) return [];
    return (['status', 'date'] as const)
      .filter((what) => what in previous)
      .map((what) => ({
        ...{ about: 'visit' as const, item: `appointment ${id}`, campaign: null, month: closed.slice(0, 7) },
        ...{ noticed_at: at, what, before: textOf(previous[what]), after: textOf(data[what]) },
      }));
  });
}

/** Fees found changed after a gap that spans the start of the month: they may have changed in the month before. */
export function feeCorrections(
  changes: readonly FeeChange[],
  gaps: readonly Gap[],
  { from, timezone }: Month,
): Correction[] {
  const over = new Set(
    gaps.filter(({ from_at }) => from_at < from).map(({ poll, to_at }) => `${poll} ${to_at}`),
  );
  const month = wallClockAt(toMs(from) - 1, timezone).date.slice(0, 7);
  return changes
    .filter(({ poll, noticed_at }) => over.has(`${poll} ${noticed_at}`))
    .map(({ kind, id, noticed_at, before, after }) => ({
      ...{
        about: 'fee',
        item: `${kind} ${id}`,
        campaign: null,
        month,
        noticed_at,
        what: 'fee',
        before,
        after,
      },
    }));
}

/** By lead: +1 if its visit became completed, -1 if it no longer is, according to the meaning of statuses. */
export function completedMore(
  changes: readonly Change[],
  completed: ReadonlySet<string | null>,
): Map<string, number> {
  const more = new Map<string, number>();
  for (const { data, previous } of changes) {
    if (typeof data.ref !== 'string' || previous === null || !('status' in previous)) continue;
    const step = Number(completed.has(textOf(data.status))) - Number(completed.has(textOf(previous.status)));
    more.set(data.ref, (more.get(data.ref) ?? 0) + step);
  }
  return more;
}

/** How many more leads of each closed month, source and campaign were booked or completed by the end of this one. */
export function leadCorrections(
  leads: readonly EarlierLead[],
  { booked, completed }: { booked: ReadonlySet<string>; completed: ReadonlyMap<string, number> },
  { timezone }: Pick<Month, 'timezone'>,
): Correction[] {
  const monthOf = ({ received_at }: EarlierLead) => wallClockAt(toMs(received_at), timezone).date.slice(0, 7);
  const groups = Map.groupBy(leads, (lead) => JSON.stringify([monthOf(lead), lead.source, lead.campaign]));
  return [...groups].flatMap(([key, all]) => {
    const [month, item, campaign] = JSON.parse(key) as [string, string, string | null];
    const counts = {
      booked: all.filter(({ ref }) => booked.has(ref)).length,
      completed: all.reduce((total, { ref }) => total + (completed.get(ref) ?? 0), 0),
    };
    return (['booked', 'completed'] as const)
      .filter((what) => counts[what] !== 0)
      .map((what) => ({
        ...{ about: 'leads' as const, item, campaign, month, noticed_at: null, what, before: null },
        after: `${counts[what] > 0 ? '+' : ''}${counts[what]}`,
      }));
  });
}
