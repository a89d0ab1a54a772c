import { type LeadGroup, type LeadsRow, leadFigures } from '../domain/clinics/report-columns.ts';
import {
  daysAfter,
  daysBetween,
  monthAfter,
  monthBefore,
  monthOf,
  type Period,
  wallClockAt,
  wallClockInstant,
} from '../domain/date-time.ts';
import { type Instant, instant, toMs } from '../platform/clock.ts';
import type { LeadColumn, LeadTotals } from '../store/ports/reports.ts';
import type { Store } from '../store/store.ts';
import { totalOf } from './figures.ts';

interface Asked {
  clinic: string;
  zone: string;
  by: LeadGroup;
  period: Period;
  /** Counts the campaign and channel of the newest submission, or of the first one with that phone number. */
  touch: 'last' | 'first';
}

type Reads = Pick<Store, 'reports' | 'mirror'>;

/**
 * Leads by group, the largest first; months in calendar order. With what there was only in the period
 * before, so that its total is right.
 */
export async function leadsReport(store: Reads, asked: Asked): Promise<LeadsRow[]> {
  const { clinic, by, period } = asked;
  const names = await namesFor(store, clinic, by);
  const now = await counted(store, asked, period);
  const former = by === 'month' ? monthOf(monthBefore(period.from.slice(0, 7))) : periodBefore(period);
  const before = await counted(store, asked, former);
  const keys = by === 'month' ? monthsAmong([...now.keys()]) : new Set([...now.keys(), ...before.keys()]);
  const rows = [...keys].map((key) => {
    const earlier =
      by === 'month' ? (now.get(monthBefore(key)) ?? before.get(monthBefore(key))) : before.get(key);
    return { key, row: rowOf(clinic, names(key), now.get(key), earlier) };
  });
  const bySize = (a: LeadsRow, b: LeadsRow) => b.leads - a.leads || b.leads_before - a.leads_before;
  rows.sort((a, b) => (by === 'month' ? 0 : bySize(a.row, b.row)) || (a.key < b.key ? -1 : 1));
  return rows.map(({ row }) => row);
}

/** All months from the first of these to the last. */
function monthsAmong(some: readonly string[]): string[] {
  const [first, last = ''] = [some.toSorted()[0], some.toSorted().at(-1)];
  const months: string[] = [];
  for (let month = first; month !== undefined && month <= last; month = monthAfter(month)) months.push(month);
  return months;
}

/** Counts by group, with key `''` for none. */
async function counted(store: Reads, asked: Asked, period: Period): Promise<Map<string, LeadTotals[]>> {
  const { clinic, zone, by } = asked;
  if (by === 'month') {
    const known = await knownPart(store, asked, period);
    const months = known === undefined ? [] : await byMonth(store, asked, known);
    return Map.groupBy(months, ({ group }) => group ?? '');
  }
  const { from, to } = period;
  const counts = await store.reports.leads(clinic, {
    from: midnight(from, zone),
    until: midnight(daysAfter(to, 1), zone),
    by: columnOf(by, asked),
  });
  return Map.groupBy(counts, ({ group }) => group ?? '');
}

/** The part of a period that has leads: the requested one may span a thousand years. */
async function knownPart(store: Reads, { clinic, zone }: Asked, period: Period): Promise<Period | undefined> {
  const span = await store.reports.leadSpan(clinic);
  if (span === undefined) return undefined;
  const [first, last] = [wallClockAt(toMs(span.first), zone).date, wallClockAt(toMs(span.last), zone).date];
  const from = first > period.from ? first : period.from;
  const to = last < period.to ? last : period.to;
  return from > to ? undefined : { from, to };
}

/** One query: the database knows where each month ends on the clinic's clock. */
async function byMonth(
  { reports }: Reads,
  { clinic, zone }: Asked,
  { from, to }: Period,
): Promise<LeadTotals[]> {
  const steps: { until: Instant; group: string }[] = [];
  for (let day = from; day <= to; ) {
    const next = daysAfter(monthOf(day.slice(0, 7)).to, 1);
    steps.push({ until: midnight(next, zone), group: day.slice(0, 7) });
    day = next;
  }
  const until = midnight(daysAfter(to, 1), zone);
  return reports.leads(clinic, { from: midnight(from, zone), until, by: { steps } });
}

function columnOf(by: Exclude<LeadGroup, 'month'>, { touch }: Asked): LeadColumn {
  if (by === 'dentist') return 'doctor_id';
  if (by === 'treatment') return 'treatment_id';
  if (by === 'source' || touch === 'last') return by;
  return by === 'campaign' ? 'first_campaign' : 'first_channel';
}

/** Display names of the groups. */
async function namesFor(
  { mirror }: Reads,
  clinic: string,
  by: LeadGroup,
): Promise<(key: string) => string | null> {
  if (by !== 'dentist' && by !== 'treatment') return (key) => key || null;
  const [table, id, name] =
    by === 'dentist'
      ? (['dentists', 'doctor_id', 'doctor_name'] as const)
      : (['treatments', 'treatment_id', 'treatment_name'] as const);
  const names = new Map(
    (await mirror.rows(table, clinic)).map((row) => [String(row[id]), String(row[name])]),
  );
  return (key) => names.get(key) ?? (key || null);
}

function rowOf(
  clinic: string,
  group: string | null,
  counts: readonly LeadTotals[] = [],
  before: readonly LeadTotals[] = [],
): LeadsRow {
  const [now, former] = [totalOf(leadFigures, counts), totalOf(leadFigures, before)];
  const sum = (field: 'minutes' | 'with_minutes' | 'days' | 'with_days') =>
    counts.reduce((total, one) => total + one[field], 0);
  const average = (total: number, of: number) => (of === 0 ? null : Number((total / of).toFixed(1)));
  const currency = now.value === 0 ? former.currency : now.currency;
  return {
    ...{ clinic, group, ...now, currency },
    hours_to_booking: average(sum('minutes') / 60, sum('with_minutes')),
    days_to_visit: average(sum('days'), sum('with_days')),
    ...{ leads_before: former.leads, booked_before: former.booked, completed_before: former.completed },
    // Beside an amount in another currency it would be read as one in this.
    value_before: former.currency === currency || former.value === 0 ? former.value : null,
  };
}

const midnight = (date: string, zone: string): Instant => instant(wallClockInstant(date, '00:00', zone).ms);

/** The month before a whole month; otherwise as many days before. */
function periodBefore({ from, to }: Period): Period {
  const month = from.slice(0, 7);
  const whole = monthOf(month);
  if (from === whole.from && to === whole.to) return monthOf(monthBefore(month));
  const days = daysBetween(from, to) + 1;
  return { from: daysAfter(from, -days), to: daysAfter(from, -1) };
}
