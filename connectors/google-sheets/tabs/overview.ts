import type { ClinicFacts, LeadCounts, MirrorView } from '../../../src/connector.ts';
import { wallClockAt } from '../../../src/domain/date-time.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { instant, toMs } from '../../../src/platform/clock.ts';
import { DAY, MINUTE } from '../../../src/platform/duration.ts';
import { type Content, dateSerial, serialDate, text } from '../sheet/cells.ts';
import type { History } from './history.ts';
import type { DesiredRow } from './tab-spec.ts';

/** Columns `m1` to `m12`, the present month last. */
export const MONTHS = 12;
/** Sources with a row of their own; the rest is one row. */
const SOURCES = 4;
const REBUILT_AFTER_MS = MINUTE;
const RECENT_DAYS = 30;

/** The rows of each chart: the first has the labels. */
export const chartRows = {
  leads: ['months', ...Array.from({ length: SOURCES }, (_, at) => `leads ${at + 1}`), 'leads other'],
  figures: ['months', 'patients by month', 'appointments by month'],
} as const satisfies Record<string, readonly string[]>;

export const monthColumns = Array.from({ length: MONTHS }, (_, at) => `m${at + 1}`);

/** Leads by source, then by month. */
type Leads = Map<string, Map<string, number>>;

interface Known {
  at: number;
  rows: DesiredRow[];
  /** Leads of the months before `month`, which do not change any more. */
  month: string;
  past: Leads;
}

export type Overview = ReturnType<typeof createOverview>;

/** Builds the rows of Overview, at most once a minute; only the present month is counted again. */
export function createOverview({ clock, history }: { clock: Clock; history: History }) {
  const known = new Map<string, Known>();
  return {
    async rows(view: MirrorView, facts: ClinicFacts): Promise<DesiredRow[]> {
      const before = known.get(facts.clinic);
      if (before !== undefined && clock.monotonic() - before.at < REBUILT_AFTER_MS) return before.rows;
      const months = lastMonths(clock.now(), facts.timezone);
      const month = months.at(-1) ?? '';
      const isSameMonth = before?.month === month;
      const counts = await view.leadCounts(facts.clinic, startOf(isSameMonth ? month : (months[0] ?? '')));
      const counted = byMonth(counts, facts.timezone, months);
      const past = isSameMonth ? before.past : only(counted, (one) => one !== month);
      const leads = joined(
        past,
        only(counted, (one) => one === month),
      );
      const rows = [
        ...clinicRows(facts),
        ...(await figureRows(view, facts, { history, nowMs: clock.now() })),
        ...needRows(counts.states),
        ...leadRows(leads, months),
        ...(await figuresByMonth(view, facts, { history, months })),
      ].map(({ id, ...cells }): DesiredRow => ({ clinic: facts.clinic, id, cells }));
      known.set(facts.clinic, { at: clock.monotonic(), rows, month, past });
      return rows;
    },
  };
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

/** Early enough for every zone. */
const startOf = (month: string) => instant(Date.parse(`${month}-01T00:00:00Z`) - DAY);

function byMonth({ received }: LeadCounts, zone: string, months: readonly string[]): Leads {
  const leads: Leads = new Map();
  for (const { source, at, count } of received) {
    const month = wallClockAt(toMs(at), zone).date.slice(0, 7);
    if (!months.includes(month)) continue;
    const counts = leads.get(source) ?? new Map<string, number>();
    counts.set(month, (counts.get(month) ?? 0) + count);
    leads.set(source, counts);
  }
  return leads;
}

const only = (leads: Leads, isWanted: (month: string) => boolean): Leads =>
  new Map(
    [...leads].map(([source, counts]) => [source, new Map([...counts].filter(([one]) => isWanted(one)))]),
  );

const joined = (one: Leads, other: Leads): Leads =>
  new Map(
    [...new Set([...one.keys(), ...other.keys()])].map((source) => [
      source,
      new Map([...(one.get(source) ?? []), ...(other.get(source) ?? [])]),
    ]),
  );

const clinicRows = ({ clinic, name, currency, timezone }: ClinicFacts): Line[] => [
  { id: 'name', what: 'Clinic', value: text(name ?? clinic) },
  { id: 'currency', what: 'Currency', value: text(currency) },
  { id: 'zone', what: 'Time zone of all dates', value: timezone },
];

interface From {
  history: History;
}

async function figureRows(
  view: MirrorView,
  facts: ClinicFacts,
  { history, nowMs }: From & { nowMs: number },
): Promise<Line[]> {
  const latest = (await history.rows('statistics')(view, facts)).at(-1)?.cells;
  const present = async (table: 'treatments' | 'dentists') =>
    (await view.rows(table, facts.clinic)).filter(({ removed_at }) => typeof removed_at !== 'string').length;
  const since = Number(dateSerial(wallClockAt(nowMs - RECENT_DAYS * DAY, facts.timezone).date));
  const changes = (await history.rows('fee_history')(view, facts)).filter(
    ({ cells: { at, old } }) => old !== null && typeof at === 'number' && at >= since,
  );
  return [
    { id: 'patients', what: 'Patients', value: latest?.patients ?? null },
    { id: 'appointments', what: 'Appointments', value: latest?.appointments ?? null },
    { id: 'treatments', what: 'Treatments offered', value: await present('treatments') },
    { id: 'dentists', what: 'Dentists', value: await present('dentists') },
    { id: 'fee_changes', what: `Fees changed in the last ${RECENT_DAYS} days`, value: changes.length },
  ];
}

const needs = [
  ['held', 'Leads waiting for a decision'],
  ['unknown', 'Leads that may or may not be booked'],
  ['rejected', 'Leads that the clinic refused'],
  ['expired', 'Leads that expired before they were sent'],
] as const;

const needRows = (states: LeadCounts['states']): Line[] =>
  needs.map(([state, what]) => ({ id: state, what, value: states[state] ?? 0 }));

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, one) => all + one, 0);

const inMonths = (months: readonly string[], of: (month: string) => Content): Record<string, Content> =>
  Object.fromEntries(months.map((month, at) => [`m${at + 1}`, of(month)]));

/** The sources with the most leads, in the order of their names, so that their colours stay. */
function leadRows(leads: Leads, months: readonly string[]): Line[] {
  const total = (source: string) => sum(leads.get(source)?.values() ?? []);
  const bySize = [...leads.keys()].sort((a, b) => total(b) - total(a) || (a < b ? -1 : 1));
  const own = bySize.slice(0, SOURCES).sort();
  const others = bySize.slice(SOURCES);
  const line = (id: string, series: string | null, sources: readonly string[]): Line => ({
    id,
    series,
    what: series === null ? null : `Leads in ${MONTHS} months: ${series}`,
    value: series === null ? null : sum(sources.map(total)),
    ...inMonths(months, (month) =>
      series === null ? null : sum(sources.map((source) => leads.get(source)?.get(month) ?? 0)),
    ),
  });
  return [
    { id: 'months', what: 'By month', series: 'Month', ...inMonths(months, (month) => month) },
    ...Array.from({ length: SOURCES }, (_, at) => {
      const source = own[at];
      return line(`leads ${at + 1}`, source ?? null, source === undefined ? [] : [source]);
    }),
    line('leads other', 'other sources', others),
  ];
}

/** As of the end of each month. */
async function figuresByMonth(
  view: MirrorView,
  facts: ClinicFacts,
  { history, months }: From & { months: readonly string[] },
): Promise<Line[]> {
  const last = new Map<string, DesiredRow['cells']>();
  for (const { cells } of await history.rows('statistics')(view, facts))
    if (typeof cells.at === 'number') last.set(serialDate(cells.at).slice(0, 7), cells);
  const line = (id: string, series: string, figure: string): Line => ({
    id,
    series,
    what: `${series} at the end of each month`,
    ...inMonths(months, (month) => last.get(month)?.[figure] ?? null),
  });
  return [
    line('patients by month', 'Patients', 'patients'),
    line('appointments by month', 'Appointments', 'appointments'),
  ];
}
