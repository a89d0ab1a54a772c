import { type Instant, instant } from '../platform/clock.ts';
import type { Change } from './change.ts';
import { monthDays, startOfDay, wallClockAt } from './date-time.ts';
import { type FeeChange, type FeePeriod, feeChanges, type Price, pricesAt } from './fees.ts';
import { addAmounts, amountText } from './money.ts';
import { type Statistics, statistics } from './resource.ts';

export interface VisitCount {
  status: string | null;
  visits: number;
}

export interface LeadCount {
  source: string;
  campaign: string | null;
  leads: number;
  booked: number;
  completed: number;
}

/** A time of more than two hours without an answer. */
export interface Gap {
  poll: string;
  from_at: Instant;
  to_at: Instant;
}

/** What a month is made of. `from` is included, `to` is not. */
export interface MonthSources {
  /** Periods of fees that touch the time, treatments first, each thing's in their order. */
  feePeriods(clinic: string, from: Instant, to: Instant): Promise<FeePeriod[]>;
  /** When the clinic was first read; undefined before that. */
  knownSince(clinic: string): Promise<Instant | undefined>;
  /** Visits that are or were followed on these days of the clinic's calendar, by the clinic's status. */
  visits(clinic: string, from: string, to: string): Promise<VisitCount[]>;
  /** Leads received then, by source and campaign. */
  leadsOf(clinic: string, from: Instant, to: Instant): Promise<LeadCount[]>;
  /** The organization's figures as last read before `at`. */
  figures(clinic: string, at: Instant): Promise<(Statistics & { at: Instant }) | undefined>;
  /** Changes of visits logged then, in their order. */
  visitChanges(clinic: string, from: Instant, to: Instant): Promise<Change[]>;
  /** Times without an answer about treatments or dentists that touch this time. */
  gaps(clinic: string, from: Instant, to: Instant): Promise<Gap[]>;
}

interface Figure {
  figure: keyof Statistics;
  at_start: number | null;
  at_end: number | null;
  difference: number | null;
}

/** What changed in this month about a visit of an earlier, closed one. */
interface Correction {
  appointment_id: string;
  /** The month of the visit, before the change if it was moved. */
  month: string;
  noticed_at: Instant;
  what: 'status' | 'date';
  before: string | null;
  after: string | null;
}

interface FeeTotal {
  currency: string | null;
  prices: number;
  sum: string;
}

/** A clinic's month, by the clinic's wall clock. Without anything about a patient. */
export interface MonthPack {
  clinic: string;
  name: string | null;
  timezone: string;
  /** `YYYY-MM` */
  month: string;
  from: Instant;
  to: Instant;
  taken_at: Instant;
  known_since: Instant | null;
  /** Of the hash chain, when this was taken. */
  head: { sequence: number; hash: string } | null;
  /** What a reader has to know about these figures. */
  notes: string[];
  fees: Price[];
  fee_totals: FeeTotal[];
  changes: FeeChange[];
  visits: VisitCount[];
  visits_total: number;
  leads: LeadCount[];
  leads_total: Pick<LeadCount, 'leads' | 'booked' | 'completed'>;
  figures: Figure[];
  corrections: Correction[];
}

export interface MonthOf {
  clinic: string;
  name: string | null;
  timezone: string;
  month: string;
  now: number;
  head: MonthPack['head'];
}

/** Reads a clinic's month; undefined for one that has not begun there. */
export async function readMonth(sources: MonthSources, about: MonthOf): Promise<MonthPack | undefined> {
  const { clinic, timezone, month, now } = about;
  const { first, next } = monthDays(month);
  const [fromMs, toMs] = [startOfDay(first, timezone), startOfDay(next, timezone)];
  if (fromMs > now) return undefined;
  const [from, to] = [instant(fromMs), instant(toMs)];
  const periods = await sources.feePeriods(clinic, from, to);
  const known = (await sources.knownSince(clinic)) ?? null;
  const gaps = await sources.gaps(clinic, from, to);
  const fees = pricesAt(periods, to);
  const visits = await sources.visits(clinic, first, next);
  const leads = await sources.leadsOf(clinic, from, to);
  const [before, after] = [await sources.figures(clinic, from), await sources.figures(clinic, to)];
  const changed = await sources.visitChanges(clinic, from, to);
  const { name, head } = about;
  return {
    ...{ clinic, name, timezone, month, from, to, taken_at: instant(now), known_since: known, head },
    notes: notesOf({ timezone, now, from, to, known, gaps }),
    fees,
    fee_totals: totalsOf(fees),
    changes: feeChanges(periods, from, to),
    visits,
    visits_total: sum(visits, ({ visits: count }) => count),
    leads,
    leads_total: {
      leads: sum(leads, (one) => one.leads),
      booked: sum(leads, (one) => one.booked),
      completed: sum(leads, (one) => one.completed),
    },
    figures: statistics.map((figure) => figureOf(figure, before, after)),
    corrections: changed.flatMap((change) => correctionsIn(change, first)),
  };
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0);

/** Never two currencies in one sum. */
function totalsOf(fees: readonly Price[]): FeeTotal[] {
  return [...Map.groupBy(fees, ({ currency }) => currency)].map(([currency, prices]) => ({
    currency,
    prices: prices.length,
    sum: amountText(addAmounts(prices.flatMap(({ fee }) => fee ?? [])), currency),
  }));
}

function figureOf(figure: keyof Statistics, before?: Statistics, after?: Statistics): Figure {
  const [at_start, at_end] = [before?.[figure] ?? null, after?.[figure] ?? null];
  const difference = at_start === null || at_end === null ? null : at_end - at_start;
  return { figure, at_start, at_end, difference };
}

interface Knowledge {
  timezone: string;
  now: number;
  from: Instant;
  to: Instant;
  known: Instant | null;
  gaps: readonly Gap[];
}

/** Long enough to show which, short enough to read. */
const GAPS_NAMED = 10;

function notesOf({ timezone, now, from, to, known, gaps }: Knowledge): string[] {
  const local = (at: Instant) => {
    const { date, time } = wallClockAt(Date.parse(at), timezone);
    return `${date} ${time}`;
  };
  const notes: string[] = [];
  if (instant(now) < to) notes.push('The month has not ended: these are the figures so far.');
  if (known === null) notes.push('The clinic was never read.');
  else if (known > from) notes.push(`Nothing is known before ${local(known)}.`);
  for (const { poll, from_at, to_at } of gaps.slice(0, GAPS_NAMED))
    notes.push(
      from_at < to && to_at >= to
        ? `There was no answer about ${poll} from ${local(from_at)} to ${local(to_at)}: fees at the end of the month are those last read; later ones were not known before ${local(to_at)}.`
        : `There was no answer about ${poll} from ${local(from_at)} to ${local(to_at)}: what changed in between was not known before then, and is dated so.`,
    );
  if (gaps.length > GAPS_NAMED)
    notes.push(`There were ${gaps.length - GAPS_NAMED} more times without an answer.`);
  return notes;
}

/** `first`: the first day of this month; visits before it were in closed months. */
function correctionsIn({ id, at, data, previous }: Change, first: string): Correction[] {
  if (previous === null) return [];
  const corrections: Correction[] = [];
  for (const what of ['status', 'date'] as const) {
    if (!(what in previous)) continue;
    const [before, after] = [textOf(previous[what]), textOf(data[what])];
    const date = textOf(previous.date) ?? textOf(data.date);
    if (date === null || date >= first) continue;
    corrections.push({ appointment_id: id, month: date.slice(0, 7), noticed_at: at, what, before, after });
  }
  return corrections;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Several clinics in one: sums of what can be added. Fees and changes stay apart, by clinic and currency. */
export interface MonthSum {
  clinics: number;
  fee_totals: FeeTotal[];
  visits: VisitCount[];
  visits_total: number;
  leads: LeadCount[];
  leads_total: MonthPack['leads_total'];
  figures: Figure[];
}

export function sumMonths(packs: readonly MonthPack[]): MonthSum {
  const fees = packs.flatMap((pack) => pack.fees);
  const visits = Map.groupBy(
    packs.flatMap((pack) => pack.visits),
    ({ status }) => status,
  );
  const leads = Map.groupBy(
    packs.flatMap((pack) => pack.leads),
    ({ source, campaign }) => JSON.stringify([source, campaign]),
  );
  return {
    clinics: packs.length,
    fee_totals: totalsOf(fees),
    visits: [...visits].map(([status, all]) => ({ status, visits: sum(all, (one) => one.visits) })),
    visits_total: sum(packs, (pack) => pack.visits_total),
    leads: [...leads.values()].flatMap((all) => {
      const [one] = all;
      return one === undefined ? [] : [{ ...one, ...countsOf(all) }];
    }),
    leads_total: countsOf(packs.map((pack) => pack.leads_total)),
    figures: statistics.map((figure) => {
      const of = packs.flatMap((pack) => pack.figures.filter((one) => one.figure === figure));
      const add = (column: 'at_start' | 'at_end' | 'difference') =>
        of.every((one) => one[column] === null) ? null : sum(of, (one) => one[column] ?? 0);
      return {
        ...{ figure, at_start: add('at_start'), at_end: add('at_end'), difference: add('difference') },
      };
    }),
  };
}

const countsOf = (all: readonly MonthPack['leads_total'][]) => ({
  leads: sum(all, (one) => one.leads),
  booked: sum(all, (one) => one.booked),
  completed: sum(all, (one) => one.completed),
});
