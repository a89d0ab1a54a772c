import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Change, changedResources } from '../../domain/clinics/change.ts';
import { changeFacts } from '../../domain/clinics/change-facts.ts';
import { changedFieldColumns, incidentColumns } from '../../domain/clinics/report-columns.ts';
import type { Row } from '../../domain/clinics/tables.ts';
import { daysAfter, startOfDay, wallClockAt } from '../../domain/date-time.ts';
import type { ClinicReport, StatusReport } from '../../domain/status/report.ts';
import { instant, toMs } from '../../platform/clock.ts';
import { DAY } from '../../platform/duration.ts';
import type { Json } from '../../platform/json.ts';
import { asRow } from '../../reports/figures.ts';
import type { Incident } from '../../store/ports/incidents.ts';
import type { Store } from '../../store/store.ts';
import { noSuch, queryText, refuse, sendHtml } from '../answers.ts';
import { changesPage } from '../pages/changes-page.ts';
import { type ClinicLeads, clinicPage } from '../pages/clinic-page.ts';
import { incidentsPage } from '../pages/incidents-page.ts';
import type { DailyLeads } from '../pages/parts/charts/traffic-charts.ts';
import type { LastDay } from '../pages/parts/resource-row.ts';
import { allPages, sendData } from '../table-downloads.ts';
import type { RouteParts } from './route-parts.ts';

/** The part of the store that insight pages read. */
export type InsightStore = Pick<
  Store,
  'changes' | 'incidents' | 'activity' | 'deliveries' | 'mirror' | 'guards' | 'bookings' | 'appointments'
>;

interface InsightRoutes extends RouteParts {
  store: InsightStore;
}

const ROWS = 50;
const MOST_INCIDENTS = 2_000;
const LEAD_DAYS = 14;
const ALL_CLINICS = 'clinics';

/** Pages about clinics, connectors, changes and incidents. None has patient data. */
export function insightRoutes(app: FastifyInstance, options: InsightRoutes): void {
  clinicRoutes(app, options);
  logRoutes(app, options);
}

export const clinicOf = (
  { clinics }: Pick<StatusReport, 'clinics'>,
  key: string | undefined,
): ClinicReport | undefined => clinics.find(({ clinic }) => clinic === key);

function clinicRoutes(app: FastifyInstance, { store, viewer, reports, clock }: InsightRoutes): void {
  app.get('/clinics/:clinic', async (request, reply) => {
    const report = await reports.get();
    const found = clinicOf(report, param(request, 'clinic'));
    if (found === undefined) return refuse(request, reply, noSuch);
    const now = clock.now();
    const key = found.clinic;
    const [days, hours, leads, statistics] = await Promise.all([
      lastDays(store, [key], now),
      hoursOf(store, `clinic/${key}`, now),
      leadsOf(store, [found], now),
      found.statistics.length > 0 ? found.statistics : store.mirror.statistics(key, 400),
    ]);
    const clinic = { ...found, statistics };
    const day = days.get(key) ?? { incidents: [], hours: [] };
    return sendHtml(reply, clinicPage({ clinic, day, hours, leads, viewer: viewer(request), now }));
  });
}

function logRoutes(app: FastifyInstance, { store, viewer, reports, clock }: InsightRoutes): void {
  const zoned = (request: FastifyRequest, clinic: ClinicReport | undefined) => {
    const person = viewer(request);
    return { viewer: person, locale: clinic ? person.locale.inZone(clinic.timezone) : person.locale };
  };

  app.get('/change-log', async (request, reply) => {
    const { clinics } = await reports.get();
    const [only] = clinics.length === 1 ? clinics : [];
    const clinic = clinicOf({ clinics }, queryText(request, 'clinic')) ?? only;
    const resource = changedResources.find((one) => clinic && one === queryText(request, 'resource'));
    const id = resource && (queryText(request, 'id')?.trim() || undefined);
    const before = placeOf(queryText(request, 'before'));
    const asked = {
      ...(clinic && { clinic: clinic.clinic }),
      ...(resource && { resource }),
      ...(id && { id }),
    };
    const found = await store.changes.page({ ...asked, ...(before && { before }), limit: ROWS + 1 });
    const changes = found.slice(0, ROWS);
    const last = changes.at(-1);
    const place = last && { before: `${last.at}~${last.sequence}~${last.clinic}` };
    const here = `/change-log?${new URLSearchParams(asked)}`;
    const older = found.length > ROWS ? `/change-log?${new URLSearchParams({ ...asked, ...place })}` : null;
    const filter = { clinic: clinic?.clinic, resource, id };
    const page = { changes, filter, clinics, older, now: clock.now() };
    const reader = zoned(request, clinic);
    return sendData(request, reply, {
      page: () => changesPage({ ...page, here, ...reader }),
      json: () => ({ changes: changes.flatMap(changeRows), next: older }),
      file: {
        ...{ name: 'changes', columns: changedFieldColumns, locale: reader.locale },
        pages: allPages(
          (behind: Change | undefined, limit) =>
            store.changes.page({ ...asked, ...(behind && { before: behind }), limit }),
          changeRows,
        ),
      },
    });
  });

  app.get('/incidents', async (request, reply) => {
    const { clinics } = await reports.get();
    const clinic = clinicOf({ clinics }, queryText(request, 'clinic'));
    const before = numberOf(queryText(request, 'before'));
    const asked = clinic && { clinic: clinic.clinic };
    const found = await store.incidents.list({ ...asked, ...(before && { before }), limit: ROWS + 1 });
    const incidents = found.slice(0, ROWS);
    const query = new URLSearchParams({ ...asked, before: String(incidents.at(-1)?.n) });
    const here = `/incidents?${new URLSearchParams({ ...asked })}`;
    const older = found.length > ROWS ? `/incidents?${query}` : null;
    const page = { incidents, clinic: clinic?.clinic, clinics, older, now: clock.now() };
    const reader = zoned(request, clinic);
    return sendData(request, reply, {
      page: () => incidentsPage({ ...page, here, ...reader }),
      json: () => ({ incidents: incidents.map(incidentRow), next: older }),
      file: {
        ...{ name: 'incidents', columns: incidentColumns, locale: reader.locale },
        pages: allPages(
          (behind: Incident | undefined, limit) =>
            store.incidents.list({ ...asked, ...(behind && { before: behind.n }), limit }),
          (one) => [incidentRow(one)],
        ),
      },
    });
  });
}

/** A row for each field that changed, or for a change without any. */
export function changeRows(change: Change): Row[] {
  const { clinic, sequence, at, type, resource, id, data, previous } = change;
  const { name, fields } = changeFacts(change);
  const of = { clinic, sequence, at, type, resource, id, name };
  const none = { ...of, field: null, before: null, after: null };
  return fields.length === 0
    ? [none]
    : fields.map(({ name: field, before }) =>
        // Without a value, it would reveal something about a patient.
        before === undefined
          ? { ...none, field }
          : { ...of, field, before: cell(previous?.[field]), after: cell(data[field]) },
      );
}

const cell = (value: Json | undefined): string | null =>
  value === null || value === undefined
    ? null
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

const incidentRow = ({ n: _n, ...incident }: Incident): Row => asRow(incident);

/** What the overview shows besides the report. */
export async function overviewOf(
  store: InsightStore,
  shown: readonly ClinicReport[],
  total: number,
  now: number,
) {
  const keys = shown.map(({ clinic }) => clinic);
  const [days, hours, leads, changes] = await Promise.all([
    lastDays(store, keys, now),
    hoursOf(store, ALL_CLINICS, now),
    total > keys.length ? undefined : leadsOf(store, shown, now),
    store.changes.page({ limit: 10 }),
  ]);
  return { days, hours, leads, changes };
}

export const param = (request: FastifyRequest, name: string): string =>
  (request.params as Record<string, string>)[name] ?? '';

/** A positive whole number; undefined for any other text. */
export function numberOf(text: string | undefined): number | undefined {
  const value = Number(text);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** The end of a page of the change log: `AT~SEQUENCE~CLINIC`. */
function placeOf(text: string | undefined): Pick<Change, 'at' | 'clinic' | 'sequence'> | undefined {
  const [, at = '', sequence = '', clinic = ''] = /^([^~]{1,40})~(\d{1,15})~(.+)$/.exec(text ?? '') ?? [];
  return clinic === '' || Number.isNaN(toMs(at)) ? undefined : { at, clinic, sequence: Number(sequence) };
}

const hoursOf = ({ activity }: InsightStore, series: string, now: number) =>
  activity.list(series, instant(now - 7 * DAY));

export async function lastDays(
  store: InsightStore,
  clinics: readonly string[],
  now: number,
): Promise<Map<string, LastDay>> {
  const since = instant(now - DAY);
  const [incidents, called] = await Promise.all([
    store.incidents.during(since, clinics, MOST_INCIDENTS),
    Promise.all(clinics.map((clinic) => store.activity.list(`clinic/${clinic}`, since))),
  ]);
  const of = Map.groupBy(incidents, (one: Incident) => one.clinic);
  return new Map(
    clinics.map((clinic, index) => {
      const hours = (called[index] ?? []).map(({ at }) => toMs(at));
      return [clinic, { incidents: of.get(clinic) ?? [], hours }];
    }),
  );
}

/** Leads per source of the last days, each by its own clinic's calendar. */
async function leadsOf(
  store: InsightStore,
  clinics: readonly ClinicReport[],
  now: number,
): Promise<ClinicLeads> {
  const today = clinics.map(({ timezone }) => wallClockAt(now, timezone).date).sort();
  const last = today.at(-1) ?? instant(now).slice(0, 10);
  const days = Array.from({ length: LEAD_DAYS }, (_, ago) => daysAfter(last, ago + 1 - LEAD_DAYS));
  const bySource = new Map<string, Map<string, number>>();
  for (const { clinic, timezone } of clinics) {
    const starts = days.map((day) => startOfDay(day, timezone));
    const since = instant(starts[0] ?? now);
    for (const { source, at, count } of await store.bookings.leadsPerQuarter(clinic, since)) {
      const counts = bySource.get(source) ?? new Map<string, number>();
      bySource.set(source, counts);
      const day = days[starts.findLastIndex((start) => start <= toMs(at))];
      if (day !== undefined) counts.set(day, (counts.get(day) ?? 0) + count);
    }
  }
  const sources = [...bySource].map(([source, counts]): DailyLeads => ({ source, days: counts }));
  return { sources, days };
}
