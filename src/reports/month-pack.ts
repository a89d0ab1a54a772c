import type { FeeChange, Price } from '../domain/clinics/fees.ts';
import { addAmounts, amountText } from '../domain/clinics/money.ts';
import {
  type Correction,
  type FeeTotal,
  type Figure,
  type Gap,
  type LeadCount,
  LONGEST_WITHOUT_NOTE_MS,
  type MonthPack,
  type VisitCount,
} from '../domain/clinics/month.ts';
import { type Statistics, statistics } from '../domain/clinics/resource.ts';
import { monthDays, startOfDay, wallClockText } from '../domain/date-time.ts';
import { type Instant, instant, toMs } from '../platform/clock.ts';
import type { MonthSources } from '../store/ports/reports.ts';
import type { Store } from '../store/store.ts';
import { feeChanges, pricesAt } from './fees.ts';
import { completedMore, feeCorrections, leadCorrections, visitCorrections } from './month-corrections.ts';

/** A clinic's month as currently known; undefined when it has not begun there. */
export async function monthPack(
  store: Pick<Store, 'reports' | 'mirror' | 'changes'>,
  { clinic, timezone }: { clinic: string; timezone: string },
  month: string,
  now: number,
): Promise<MonthPack | undefined> {
  const name = (await store.mirror.names()).get(clinic) ?? null;
  const head = (await store.changes.head(clinic)) ?? null;
  return readMonth(store.reports, { clinic, name, timezone, month, now, head });
}

interface MonthOf {
  clinic: string;
  name: string | null;
  timezone: string;
  month: string;
  now: number;
  head: MonthPack['head'];
}

/** Reads a clinic's month; undefined if it has not begun there. */
export async function readMonth(sources: MonthSources, about: MonthOf): Promise<MonthPack | undefined> {
  const { clinic, timezone, month, now } = about;
  const { first, next } = monthDays(month);
  const [fromMs, untilMs] = [startOfDay(first, timezone), startOfDay(next, timezone)];
  if (fromMs > now) return undefined;
  const [from, to] = [instant(fromMs), instant(untilMs)];
  const periods = await sources.feePeriods(clinic, from, to);
  const known = (await sources.knownSince(clinic)) ?? null;
  const gaps = (await sources.gaps(clinic, from, to)).filter(
    ({ from_at, to_at }) =>
      to_at !== null || Math.min(now, untilMs) - Date.parse(from_at) > LONGEST_WITHOUT_NOTE_MS,
  );
  const fees = pricesAt(periods, to);
  const visits = await sources.visits(clinic, first, next);
  const leads = await sources.leadsOf(clinic, from, to);
  const [before, after] = [await sources.figures(clinic, from), await sources.figures(clinic, to)];
  const changes = feeChanges(periods, from, to);
  const corrections = await correctionsOf(sources, { clinic, first, from, to, timezone, changes, gaps });
  const logBegins = await sources.logBegins(clinic);
  const { name, head } = about;
  return {
    ...{ clinic, name, timezone, month, from, to, taken_at: instant(now), known_since: known, head },
    notes: notesOf({ timezone, now, from, to, known, gaps, logBegins }),
    fees,
    fee_totals: totalsOf(fees),
    changes,
    visits,
    visits_total: sum(visits, ({ visits: count }) => count),
    leads,
    leads_total: {
      leads: sum(leads, (one) => one.leads),
      booked: sum(leads, (one) => one.booked),
      completed: sum(leads, (one) => one.completed),
    },
    figures: statistics.map((figure) => figureOf(figure, before, after)),
    corrections,
  };
}

interface Closing {
  clinic: string;
  first: string;
  from: Instant;
  to: Instant;
  timezone: string;
  changes: readonly FeeChange[];
  gaps: readonly Gap[];
}

async function correctionsOf(sources: MonthSources, month: Closing): Promise<Correction[]> {
  const { clinic, from, to, changes, gaps } = month;
  const visits = await sources.visitChanges(clinic, from, to);
  const booked = new Set(await sources.bookedThen(clinic, from, to));
  const refs = new Set(visits.flatMap(({ data }) => (typeof data.ref === 'string' ? [data.ref] : [])));
  const leads = await sources.earlierLeads(clinic, from, [...refs.union(booked)]);
  const completed = await sources.completedStatuses(clinic);
  return [
    ...visitCorrections(visits, month),
    ...feeCorrections(changes, gaps, month),
    ...leadCorrections(leads, { booked, completed: completedMore(visits, completed) }, month),
  ];
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0);

/** Never adds different currencies. */
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
  logBegins: Instant | undefined;
}

/** Maximum number of gaps listed. */
const GAPS_NAMED = 10;

function notesOf({ timezone, now, from, to, known, gaps, logBegins }: Knowledge): string[] {
  const local = (at: Instant) => wallClockText(toMs(at), timezone);
  const notes: string[] = [];
  if (instant(now) < to) notes.push('The month has not ended: these are the figures so far.');
  if (known === null) notes.push('The clinic was never read.');
  else if (known > from) notes.push(`Nothing is known before ${local(known)}.`);
  const outages = Array.from(
    // Treatments and dentists usually go unanswered together.
    Map.groupBy(gaps, ({ from_at, to_at }) => `${local(from_at)} ${to_at && local(to_at)}`).values(),
    ([first, ...others]) => ({ ...(first as Gap), also: others.map(({ poll }) => ` and ${poll}`).join('') }),
  );
  for (const { poll, also, from_at, to_at } of mostTelling(outages, to)) {
    const since = `about ${poll}${also} from ${local(from_at)}`;
    if (to_at === null)
      notes.push(
        `There has been no answer about ${poll}${also} since ${local(from_at)}: fees are ` +
          'those last read, and what changed later is not known yet.',
      );
    else if (from_at < to && to_at >= to)
      notes.push(
        `There was no answer ${since} to ${local(to_at)}: fees at the end of the month are ` +
          `those last read; later ones were not known before ${local(to_at)}.`,
      );
    else
      notes.push(
        `There was no answer ${since} to ${local(to_at)}: what changed in ` +
          'between was not known before then, and is dated so.',
      );
  }
  if (outages.length > GAPS_NAMED)
    notes.push(`There were ${outages.length - GAPS_NAMED} more times without an answer.`);
  if (logBegins !== undefined && logBegins > from)
    notes.push(
      `Retention removed the log of changes before ${local(logBegins)}: what was ` +
        'noticed before then about closed months is not listed.',
    );
  return notes;
}

/** The gaps to list: those across the end of the month first, then the longest; in chronological order. */
function mostTelling<Outage extends Gap>(gaps: readonly Outage[], to: Instant): Outage[] {
  const lengthOf = ({ from_at, to_at }: Gap) =>
    to_at === null || to_at >= to ? Number.POSITIVE_INFINITY : Date.parse(to_at) - Date.parse(from_at);
  return gaps
    .toSorted((a, b) => Number(lengthOf(b) > lengthOf(a)) - Number(lengthOf(a) > lengthOf(b)))
    .slice(0, GAPS_NAMED)
    .sort((a, b) => a.from_at.localeCompare(b.from_at));
}

/** Several clinics as one: sums of what can be added. Fees and changes stay separate by clinic and currency. */
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
    visits: [...visits]
      .map(([status, all]) => ({ status, visits: sum(all, (one) => one.visits) }))
      .sort((a, b) => b.visits - a.visits),
    visits_total: sum(packs, (pack) => pack.visits_total),
    leads: [...leads.values()]
      .flatMap((all) => {
        const [one] = all;
        return one === undefined ? [] : [{ ...one, ...countsOf(all) }];
      })
      .sort((a, b) => b.leads - a.leads),
    leads_total: countsOf(packs.map((pack) => pack.leads_total)),
    figures: statistics.map((figure) => {
      const of = packs.flatMap((pack) => pack.figures.filter((one) => one.figure === figure));
      const add = (column: 'at_start' | 'at_end' | 'difference') =>
        // One that is not known is not 0.
        of.some((one) => one[column] === null) ? null : sum(of, (one) => one[column] ?? 0);
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
