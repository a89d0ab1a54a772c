import type { ClinicFacts, LeadCounts, MirrorView } from '../../../src/connector.ts';
import { moneyText } from '../../../src/domain/clinics/money.ts';
import { monthDays, startOfDay, wallClockAt } from '../../../src/domain/date-time.ts';
import { type Clock, instant } from '../../../src/platform/clock.ts';
import { DAY, MINUTE } from '../../../src/platform/duration.ts';
import { type Locale, localeOf } from '../../../src/platform/text/locale.ts';
import { type Content, dateSerial, serialDate, textCell } from '../sheet/cells.ts';
import type { DesiredRow } from '../sheet/tab-spec.ts';
import type { History } from './history.ts';

/** Columns `m1` to `m12`, the current month last. */
export const MONTHS = 12;
/** Sources with their own row; the others share one. */
const SOURCES = 4;
const REBUILT_AFTER_MS = MINUTE;
const RECENT_DAYS = 30;

/** The rows of each chart, the first with the labels. */
export const chartRows = {
  leads: ['months', ...Array.from({ length: SOURCES }, (_, at) => `leads ${at + 1}`), 'leads other'],
  figures: ['months', 'patients by month', 'appointments by month'],
} as const satisfies Record<string, readonly string[]>;

export const monthColumns = Array.from({ length: MONTHS }, (_, at) => `m${at + 1}`);

type Sources = LeadCounts['sources'];
/** The outcome of each month's leads. */
type Leads = ReadonlyMap<string, Sources>;

interface Known {
  at: number;
  rows: DesiredRow[];
  leads: Leads;
  /** Number of builds, which decides which earlier month is counted again. */
  turn: number;
}

export type Overview = ReturnType<typeof createOverview>;

/** Builds the rows of Overview, at most once a minute. */
export function createOverview({
  clock,
  history,
  locale,
}: {
  clock: Clock;
  history: History;
  locale: Locale;
}) {
  const known = new Map<string, Known>();
  return {
    async rows(view: MirrorView, facts: ClinicFacts): Promise<DesiredRow[]> {
      const before = known.get(facts.clinic);
      if (before !== undefined && clock.monotonic() - before.at < REBUILT_AFTER_MS) return before.rows;
      const months = lastMonths(clock.now(), facts.timezone);
      const turn = (before?.turn ?? 0) + 1;
      const { leads, states } = await counted(view, facts, { months, known: before?.leads, turn });
      const rows = [
        ...clinicRows(facts, locale),
        ...(await figureRows(view, facts, { history, locale, nowMs: clock.now() })),
        ...needRows(states, locale),
        ...leadRows(leads, months, locale),
        ...outcomeRows(leads, months, { ...facts, locale }),
        ...(await figuresByMonth(view, facts, { history, locale, months })),
      ].map(({ id, ...cells }): DesiredRow => ({ clinic: facts.clinic, id, cells }));
      known.set(facts.clinic, { at: clock.monotonic(), rows, leads, turn });
      return rows;
    },
  };
}

/** Counts the current month each time and one earlier month in turn, because visits of earlier leads go on. */
async function counted(
  view: MirrorView,
  { clinic, timezone }: ClinicFacts,
  { months, known, turn }: { months: readonly string[]; known: Leads | undefined; turn: number },
): Promise<{ leads: Leads; states: LeadCounts['states'] }> {
  const leads = new Map<string, Sources>();
  let states: LeadCounts['states'] = {};
  for (const [at, month] of months.entries()) {
    const before = known?.get(month);
    const isDue = at === MONTHS - 1 || at === turn % (MONTHS - 1);
    if (before !== undefined && !isDue) {
      leads.set(month, before);
      continue;
    }
    const { first, next } = monthDays(month);
    const [from, until] = [instant(startOfDay(first, timezone)), instant(startOfDay(next, timezone))];
    const counts = await view.leadCounts(clinic, from, until);
    leads.set(month, counts.sources);
    states = counts.states;
  }
  return { leads, states };
}

type Line = { id: string; what?: Content; value?: Content; series?: Content } & {
  [month: `m${number}`]: Content;
};

function lastMonths(nowMs: number, zone: string): string[] {
  const [year = 0, month = 1] = wallClockAt(nowMs, zone).date.split('-').map(Number);
  return Array.from({ length: MONTHS }, (_, at) =>
    new Date(Date.UTC(year, month - MONTHS + at, 1)).toISOString().slice(0, 7),
  );
}

const clinicRows = ({ clinic, name, currency, timezone }: ClinicFacts, { t }: Locale): Line[] => [
  { id: 'name', what: t('clinic'), value: textCell(name ?? clinic) },
  { id: 'currency', what: t('currency'), value: textCell(currency) },
  { id: 'zone', what: t('sheet_time_zone'), value: timezone },
];

interface From {
  history: History;
  locale: Locale;
}

async function figureRows(
  view: MirrorView,
  facts: ClinicFacts,
  { history, locale: { t }, nowMs }: From & { nowMs: number },
): Promise<Line[]> {
  const latest = (await history.rows('statistics')(view, facts)).at(-1)?.cells;
  const present = async (table: 'treatments' | 'dentists') =>
    (await view.rows(table, facts.clinic)).filter(({ removed_at }) => typeof removed_at !== 'string').length;
  const since = Number(dateSerial(wallClockAt(nowMs - RECENT_DAYS * DAY, facts.timezone).date));
  const changes = (await history.rows('fee_history')(view, facts)).filter(
    ({ cells: { at, old } }) => old !== null && typeof at === 'number' && at >= since,
  );
  return [
    { id: 'patients', what: t('total_patients'), value: latest?.patients ?? null },
    { id: 'appointments', what: t('total_appointments'), value: latest?.appointments ?? null },
    { id: 'treatments', what: t('sheet_offered'), value: await present('treatments') },
    { id: 'dentists', what: t('poll_dentists'), value: await present('dentists') },
    { id: 'fee_changes', what: t('sheet_fee_changes', { days: RECENT_DAYS }), value: changes.length },
  ];
}

const needs = ['held', 'unknown', 'rejected', 'expired'] as const;

const needRows = (states: LeadCounts['states'], { t }: Locale): Line[] =>
  needs.map((state) => ({ id: state, what: t(`sheet_${state}`), value: states[state] ?? 0 }));

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, one) => all + one, 0);

const inMonths = (months: readonly string[], of: (month: string) => Content): Record<string, Content> =>
  Object.fromEntries(months.map((month, at) => [`m${at + 1}`, of(month)]));

/** The sources with the most leads, sorted by name so that their colours stay. */
function leadRows(leads: Leads, months: readonly string[], { t }: Locale): Line[] {
  const count = (source: string, month: string) =>
    sum((leads.get(month) ?? []).map((one) => (one.source === source ? one.leads : 0)));
  const total = (source: string) => sum(months.map((month) => count(source, month)));
  const names = new Set([...leads.values()].flat().map(({ source }) => source));
  const bySize = [...names].sort((a, b) => total(b) - total(a) || (a < b ? -1 : 1));
  const own = bySize.slice(0, SOURCES).sort();
  const others = bySize.slice(SOURCES);
  const line = (id: string, series: string | null, sources: readonly string[]): Line => ({
    id,
    series,
    what: series === null ? null : t('sheet_leads_of', { months: MONTHS, source: series }),
    value: series === null ? null : sum(sources.map(total)),
    ...inMonths(months, (month) =>
      series === null ? null : sum(sources.map((source) => count(source, month))),
    ),
  });
  return [
    { id: 'months', what: t('sheet_by_month'), series: t('by_month'), ...inMonths(months, (month) => month) },
    ...Array.from({ length: SOURCES }, (_, at) => {
      const source = own[at];
      return line(`leads ${at + 1}`, source ?? null, source === undefined ? [] : [source]);
    }),
    line('leads other', t('sheet_other_sources'), others),
  ];
}

/** The outcomes of each month's leads, whenever they came about. */
function outcomeRows(
  leads: Leads,
  months: readonly string[],
  { currency, locale: { t } }: Pick<ClinicFacts, 'currency'> & { locale: Locale },
): Line[] {
  const all = months.flatMap((month) => leads.get(month) ?? []);
  const line = (id: string, series: string, of: (rows: Sources) => Content): Line => ({
    id,
    series,
    what: t('sheet_of_leads', { what: series, months: MONTHS }),
    value: of(all),
    ...inMonths(months, (month) => of(leads.get(month) ?? [])),
  });
  return [
    line('booked by month', t('lead_booked'), (rows) => sum(rows.map(({ booked }) => booked))),
    line('completed by month', t('lead_completed'), (rows) => sum(rows.map(({ completed }) => completed))),
    line('value by month', currency === null ? t('lead_value') : t('sheet_value_in', { currency }), (rows) =>
      worth(rows, currency),
    ),
  ];
}

/** A number in the clinic's currency; text naming the currencies where there are others. */
function worth(rows: Sources, currency: string | null): Content {
  const paid = Map.groupBy(
    rows.filter(({ value }) => value !== 0),
    (one) => one.currency,
  );
  const amounts = [...paid].map(([of, some]) => ({
    of,
    amount: Number(sum(some.map(({ value }) => value)).toFixed(4)),
  }));
  if (amounts.every(({ of }) => of === currency)) return amounts[0]?.amount ?? 0;
  // In an order of their own: a database groups as it likes, and a cell that differs is written again.
  return amounts
    .sort((a, b) => (String(a.of) < String(b.of) ? -1 : 1))
    .map(({ of, amount }) => moneyText(String(amount), of, localeOf('en')))
    .join(' + ');
}

/** Figures as of the end of each month. */
async function figuresByMonth(
  view: MirrorView,
  facts: ClinicFacts,
  { history, locale: { t }, months }: From & { months: readonly string[] },
): Promise<Line[]> {
  const last = new Map<string, DesiredRow['cells']>();
  for (const { cells } of await history.rows('statistics')(view, facts))
    if (typeof cells.at === 'number') last.set(serialDate(cells.at).slice(0, 7), cells);
  const line = (id: string, series: string, figure: string): Line => ({
    id,
    series,
    what: t('sheet_month_ends', { what: series }),
    ...inMonths(months, (month) => last.get(month)?.[figure] ?? null),
  });
  return [
    line('patients by month', t('total_patients'), 'patients'),
    line('appointments by month', t('total_appointments'), 'appointments'),
  ];
}
