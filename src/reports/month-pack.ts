import type { FeeChange } from '../domain/clinics/fees.ts';
import {
  type Correction,
  type Figure,
  type Gap,
  type LeadsTotal,
  LONGEST_WITHOUT_NOTE_MS,
  type MonthLeads,
  type MonthPack,
  monthLeadColumns,
  type VisitCount,
} from '../domain/clinics/month.ts';
import { leadFigures } from '../domain/clinics/report-columns.ts';
import { type Statistics, statistics } from '../domain/clinics/resource.ts';
import { monthDays, startOfDay, wallClockText } from '../domain/date-time.ts';
import { type Note, said } from '../domain/texts/problem.ts';
import { type Instant, instant, toMs } from '../platform/clock.ts';
import type { MonthSources } from '../store/ports/reports.ts';
import type { Store } from '../store/store.ts';
import { feeChanges, pricesAt } from './fee-report.ts';
import { totalOf } from './figures.ts';
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
  const visits = await sources.visits(clinic, first, next);
  const received = await sources.leads(clinic, { from, until: to, by: 'source', withCampaign: true });
  const leads = leadsOf(
    received.map((one) => ({ ...one, source: one.group ?? '', campaign: one.campaign ?? null })),
  );
  const [before, after] = [await sources.figures(clinic, from), await sources.figures(clinic, to)];
  const changes = feeChanges(periods, from, to);
  const corrections = await correctionsOf(sources, { clinic, first, from, to, timezone, changes, gaps });
  const logBegins = await sources.logBegins(clinic);
  const { name, head } = about;
  return {
    ...{ clinic, name, timezone, month, from, to, taken_at: instant(now), known_since: known, head },
    notes: notesOf({ timezone, now, from, to, known, gaps, logBegins }),
    fees: pricesAt(periods, to),
    changes,
    visits,
    visits_total: sum(visits, ({ visits: count }) => count),
    leads,
    leads_total: totalOf(leadFigures, leads),
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

/** One row for each source and campaign, the most leads first. */
function leadsOf(counts: readonly MonthLeads[]): MonthLeads[] {
  const groups = Map.groupBy(counts, ({ source, campaign }) => JSON.stringify([source, campaign]));
  return [...groups]
    .map(([key, all]) => {
      const [source, campaign] = JSON.parse(key) as [string, string | null];
      return { ...totalOf(monthLeadColumns, all), source, campaign };
    })
    .sort((a, b) => b.leads - a.leads || order(a.source, b.source) || order(a.campaign, b.campaign));
}

const order = (a: string | null, b: string | null): number => (a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1);

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

function notesOf({ timezone, now, from, to, known, gaps, logBegins }: Knowledge): Note[] {
  const local = (at: Instant) => wallClockText(toMs(at), timezone);
  const notes: Note[] = [];
  if (instant(now) < to) notes.push(said('note_so_far', {}));
  if (known === null) notes.push(said('note_never_read', {}));
  else if (known > from) notes.push(said('known_since', { day: local(known) }));
  const outages = Array.from(
    // Treatments and dentists usually go unanswered together.
    Map.groupBy(gaps, ({ from_at, to_at }) => `${local(from_at)} ${to_at && local(to_at)}`).values(),
    (some) => ({ ...(some[0] as Gap), some }),
  );
  for (const outage of mostTelling(outages, to)) notes.push(noteOf(outage, { to, local }));
  if (outages.length > GAPS_NAMED) notes.push(said('note_more_gaps', { count: outages.length - GAPS_NAMED }));
  if (logBegins !== undefined && logBegins > from)
    notes.push(said('note_log_begins', { day: local(logBegins) }));
  return notes;
}

function noteOf(
  { some, from_at, to_at }: Gap & { some: readonly Gap[] },
  { to, local }: { to: Instant; local: (at: Instant) => string },
): Note {
  const names = some.map(({ poll }) => said(poll === 'dentists' ? 'poll_dentists' : 'poll_treatments', {}));
  const [first, second] = names as [Note, Note?];
  const what = second === undefined ? first : said('both', { first, second });
  const since = local(from_at);
  if (to_at === null) return said('note_no_answer', { what, since });
  const isAcrossTheEnd = from_at < to && to_at >= to;
  return said(isAcrossTheEnd ? 'note_end_unknown' : 'note_gap', { what, since, until: local(to_at) });
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

/** Several clinics as one: sums of what can be added. Fees and changes stay separate by clinic. */
export interface MonthSum {
  clinics: number;
  visits: VisitCount[];
  visits_total: number;
  leads: MonthLeads[];
  leads_total: LeadsTotal;
  figures: Figure[];
}

export function sumMonths(packs: readonly MonthPack[]): MonthSum {
  const visits = Map.groupBy(
    packs.flatMap((pack) => pack.visits),
    ({ status }) => status,
  );
  const leads = packs.flatMap((pack) => pack.leads);
  return {
    clinics: packs.length,
    visits: [...visits]
      .map(([status, all]) => ({ status, visits: sum(all, (one) => one.visits) }))
      .sort((a, b) => b.visits - a.visits),
    visits_total: sum(packs, (pack) => pack.visits_total),
    leads: leadsOf(leads),
    leads_total: totalOf(leadFigures, leads),
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
