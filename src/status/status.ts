import type { ClinicSettings } from '../config/config.ts';
import { CLOSURES, closureIn } from '../domain/clinics/closure.ts';
import type { FleetStatus } from '../domain/status/fleet-report.ts';
import { conditionNeed } from '../domain/status/need-words.ts';
import {
  type Alarm,
  type ClinicReport,
  type ConnectorReport,
  type HealthReason,
  type Need,
  type RetentionReport,
  STATISTICS_SHOWN,
  type StatusReport,
} from '../domain/status/report.ts';
import { waitsOf } from '../domain/status/sending-waits.ts';
import type { Told } from '../domain/status/target-report.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import { clause } from '../platform/text/sentences.ts';
import { inTurns } from '../platform/turns.ts';
import { within } from '../platform/wait-for.ts';
import type { Incident } from '../store/ports/incidents.ts';
import type { PollState } from '../store/ports/polls.ts';
import type { Store } from '../store/store.ts';
import { fleetNeeds, fleetReasons, fleetStatus } from './fleet-status.ts';
import {
  type AttachedConnector,
  bookingReports,
  clinicReport,
  clinicStanding,
  connectorReports,
  type LiveFacts,
  lateResources,
  type PlannedClinic,
  planned,
  targetReports,
  withConnection,
} from './gather.ts';
import { heldTogether } from './held-together.ts';
import {
  connectorNeeds,
  guardNeeds,
  heldWords,
  inOrder,
  leftBehindNeed,
  systemNeeds,
  unreadableNeeds,
  waitNeeds,
} from './needs.ts';
import { failingProbes, probed, probeNeed } from './probes.ts';
import { healthOf, reasonsOf, sinceOf, withoutEffects, worstFirst } from './reasons.ts';
import { topSentence } from './sentence.ts';
import { oldestAge } from './staleness.ts';
import { recentChanges } from './summary.ts';

export interface StatusParts {
  store: Store;
  clinics: readonly ClinicSettings[];
  connectors: readonly (AttachedConnector & { on?: string | undefined })[];
  /** In milliseconds; without a limit, data is kept forever. */
  retention?: { [K in keyof RetentionReport]?: number | undefined };
  clock: Clock;
  version: string;
  /** When the daemon started; null in a report made by a command. */
  startedAt: Instant | null;
  /** Whether a daemon runs, and since when if that is known. Only for commands; the daemon does not call them. */
  running?: () => boolean;
  runningSince?: () => Instant | null;
  /** Bookings and pauses that need a person, most urgent first. */
  bookingNeeds: () => Promise<Need[]>;
  /** Needs found by infrequent checks, such as certificates. */
  watchedNeeds?: () => Promise<Need[]>;
  /** Undefined where none are configured. */
  backup?: () => Promise<StatusReport['backup'] | undefined>;
  /** What a notification target has been told. */
  toldTo?: (target: string) => Promise<Told>;
  /** Reads the lanes again that other processes may have paused. */
  loadLanes?: () => Promise<void>;
  /** `needs` come from the HTTP server. */
  live?: LiveFacts & { alarms(): Alarm[]; needs(): Need[] };
}

export interface Status {
  /** The full current report. Never throws: without the database it has the last known data. */
  report(): Promise<StatusReport>;
  /** Why health is not `ok`: a few small reads, cheap enough to repeat constantly. Rethrows the store's errors. */
  reasons(): Promise<HealthReason[]>;
  /** How many changes each connector is behind. Rethrows the store's errors. */
  lags(): Promise<Pick<ConnectorReport, 'connector' | 'lag'>[]>;
  /** The reasons, and all needs, however many. Rethrows the store's errors. */
  needs(): Promise<{ needs: Need[]; reasons: HealthReason[] }>;
}

const LISTED_NEEDS = 1_000;
/** Milliseconds. A hanging database must not hang the page that reports it. */
const PATIENCE = 5_000;
/** Only the daemon observes these; commands read them from its incidents. */
const SEEN_BY_DAEMON: readonly HealthReason['kind'][] = ['unreachable', 'late', 'schedule'];

type Known = Pick<
  StatusReport,
  'clinics' | 'clinics_total' | 'connectors' | 'notify' | 'heartbeat' | 'bookings' | 'changes'
>;

/** The content of the status page, `/status.json`, `/metrics` and `clinic-sync status`. No patient data. */
export function createStatus(options: StatusParts): Status {
  const { clock } = options;
  const parts: Parts = { ...options, plans: options.clinics.map(planned) };
  /** Shown when the database is unreadable. Empty until the first answer, because zeros would look like facts. */
  let known: Known = {
    clinics: [],
    clinics_total: 0,
    connectors: [],
    ...{ notify: [], heartbeat: null, bookings: [], changes: [] },
  };
  const gather = async (now: number): Promise<StatusReport> => {
    const report = await fullReport(parts, now);
    const { clinics, clinics_total, connectors, notify, heartbeat, bookings, changes } = report;
    known = { clinics, clinics_total, connectors, notify, heartbeat, bookings, changes };
    return report;
  };

  return {
    reasons: async () => (await look(parts, clock.now())).reasons,
    lags: () => connectorReports(parts.store, parts.connectors, parts.plans),
    async needs() {
      const { needs, reasons } = await lookForNeeds(parts, clock.now(), false);
      return { needs, reasons };
    },
    async report() {
      const now = clock.now();
      const late = () => blindReport(parts, known, now, { message: 'it does not answer' });
      try {
        return await within({ clock, ms: PATIENCE, late }, gather(now));
      } catch (error) {
        return blindReport(parts, known, now, asFailure(error, 'Reading the database'));
      }
    },
  };
}

interface Parts extends StatusParts {
  plans: readonly PlannedClinic[];
}

const isRunning = ({ startedAt, running }: Parts): boolean => startedAt !== null || (running?.() ?? false);

const startOf = ({ startedAt, runningSince }: Parts): Instant | null => startedAt ?? runningSince?.() ?? null;

const common = (parts: Parts) => ({
  version: parts.version,
  started_at: startOf(parts),
  running: isRunning(parts),
  retention: {
    bookings: parts.retention?.bookings ?? null,
    dropped: parts.retention?.dropped ?? null,
    changes: parts.retention?.changes ?? null,
    inbox: parts.retention?.inbox ?? null,
  },
});

/** After this many clinics, waiting requests get a turn. */
const CLINICS_A_TURN = 100;

/** Reads only the few rows that health depends on. */
async function look(parts: Parts, now: number) {
  const { store, connectors, plans, live } = parts;
  const startedAt = startOf(parts);
  const [runs, open, database, fleet, notes] = await Promise.all([
    store.polls.list(),
    store.incidents.open(),
    store.health(),
    fleetOf(parts),
    probed(store),
    parts.loadLanes?.(),
  ]);
  const probes = failingProbes(notes);
  const attached = await connectorReports(store, connectors, plans);
  // When the database fails, schedules cannot be stored either, so their alarms add nothing.
  const alarms = database.ok ? (live?.alarms() ?? []) : [];
  const runsOf = Map.groupBy(runs, ({ clinic }) => clinic);
  const clinics = await inTurns(plans, CLINICS_A_TURN, (plan) => {
    const own = runsOf.get(plan.key) ?? [];
    const calls = live?.calls?.(plan.key);
    return {
      ...clinicStanding(plan, {
        ...{ now, startedAt, running: isRunning(parts), live, runs: own },
        saidStale: staleOf(open, plan.key),
      }),
      calls,
      late: lateResources(plan, own, { now, startedAt, calls }),
      blockedUntil: live?.limiter(plan.key).blocked_until ?? null,
    };
  });
  const reasons = reasonsOf({
    now,
    clinics,
    connectors: attached,
    alarms: alarms.map(({ sentence }) => sentence),
    probes,
    database,
    space: store.space(),
    open,
  });
  const ofFleet = fleet === undefined ? [] : fleetReasons(fleet);
  const told = seenByDaemon(parts, open);
  const all = worstFirst([...withoutEffects(reasons, told), ...ofFleet, ...told]);
  return { runsOf, open, database, attached, alarms, probes, fleet, reasons: all };
}

async function fleetOf({ store, plans, connectors }: Parts): Promise<FleetStatus | undefined> {
  if (store.fleet === undefined) return undefined;
  const units = new Set([
    'upkeep',
    ...plans.map(({ key }) => `clinic/${key}`),
    ...connectors.map(({ name }) => `connector/${name}`),
  ]);
  const pins = new Map(
    connectors.flatMap(({ name, on }) => (on === undefined ? [] : [[`connector/${name}`, on]])),
  );
  return fleetStatus({ report: await store.fleet.report(), units, pins, ttlMs: store.fleet.times.ttlMs });
}

const staleOf = (open: readonly Incident[], clinic: string): ReadonlySet<string> =>
  new Set(open.flatMap((one) => (one.kind === 'stale' && one.clinic === clinic ? [one.subject] : [])));

const seenByDaemon = (parts: Parts, open: readonly Incident[]): HealthReason[] =>
  parts.live?.calls === undefined && isRunning(parts)
    ? open.filter(({ kind }) => SEEN_BY_DAEMON.includes(kind)).map(({ n, ended_at, ...reason }) => reason)
    : [];

/** With more clinics, figures over time are read only for those on the page. */
const CLINICS_WITH_FIGURES = 100;

/** The reports of all clinics, without figures over time, in as many queries as for one. */
async function clinicReports(
  parts: Parts,
  runsOf: ReadonlyMap<string, readonly PollState[]>,
  now: number,
  { figures, open }: { figures: boolean; open: readonly Incident[] },
): Promise<ClinicReport[]> {
  const { store, plans, live } = parts;
  const startedAt = startOf(parts);
  const [names, pending, unreadable, closures] = await Promise.all([
    store.mirror.names(),
    store.appointments.pendingCounts(),
    store.polls.unreadable(),
    store.keyValue.list(CLOSURES, ''),
  ]);
  const unreadableOf = Map.groupBy(unreadable, ({ clinic }) => clinic);
  const withFigures = figures && plans.length <= CLINICS_WITH_FIGURES;
  return Promise.all(
    await inTurns(plans, CLINICS_A_TURN, async (plan) => {
      const { key } = plan;
      return clinicReport(plan, {
        ...{ now, startedAt, running: isRunning(parts), live },
        runs: runsOf.get(key) ?? [],
        saidStale: staleOf(open, key),
        name: names.get(key),
        pending: pending.get(key) ?? 0,
        unreadable: unreadableOf.get(key) ?? [],
        closure: closureIn(closures[key]),
        statistics: withFigures ? await store.mirror.statistics(key, STATISTICS_SHOWN) : [],
      });
    }),
  );
}

async function lookForNeeds(parts: Parts, now: number, figures: boolean) {
  const { store, live } = parts;
  const at = instant(now);
  const { runsOf, database, alarms, probes, fleet, reasons, ...found } = await look(parts, now);
  const attached = found.attached.map((report) => withSince(report, reasons));
  const reports = await clinicReports(parts, runsOf, now, { figures, open: found.open });
  const asked = await parts.bookingNeeds();
  const left = await store.deliveries.leftBehind(parts.connectors.map(({ name }) => name));
  const ofLeft = left.map((one) => leftBehindNeed(one, at));
  const ofSystem = systemNeeds({ at, database, reasons, alarms });
  const needs = inOrder([
    ...ofSystem,
    ...(database.warning === null
      ? []
      : [conditionNeed('database_warning', { since: at, detail: database.warning })]),
    ...asked,
    ...((await parts.watchedNeeds?.()) ?? []),
    ...(live?.needs() ?? []),
    ...(fleet === undefined ? [] : fleetNeeds(fleet)),
    ...guardNeeds(await store.guards.open(), parts.clinics),
    ...probes.map(probeNeed),
    ...reports.flatMap(waitNeeds),
    ...reports.flatMap(unreadableNeeds),
    ...attached.flatMap((report) => connectorNeeds(report, at)),
    ...ofLeft,
  ]);
  const isTroubled = (connector: string) =>
    reasons.some(({ kind, subject }) => kind === 'connector' && subject === connector);
  /** True when the need repeats a cause of trouble. */
  const isStated = (need: Need) =>
    (need.kind === 'connector' && isTroubled(need.subject)) ||
    need.kind === 'probe' ||
    (need.kind === 'clinic' && asked.includes(need)) ||
    ofSystem.includes(need);
  return { needs, isStated, reasons, database, attached, reports, fleet };
}

async function fullReport(parts: Parts, now: number): Promise<StatusReport> {
  const { store, plans } = parts;
  const at = instant(now);
  const found = await lookForNeeds(parts, now, true);
  const { needs, isStated, reasons, database, attached, reports, fleet } = found;
  const listed = heldTogether(needs);
  const health = healthOf(reasons);
  const gone = reasons.filter(({ kind }) => kind === 'unreachable');
  const unreachable = new Map(gone.map((reason) => [reason.clinic, reason]));
  return {
    ...common(parts),
    health,
    since: sinceOf(reasons),
    reasons,
    sentence: topSentence({
      ...{ now, running: isRunning(parts), health },
      reasons,
      // Needs that only repeat the stated cause are left out; next to other needs they count.
      needs: needs.every(isStated) ? [] : needs,
      oldest: oldestAge(reports, now),
      waits: waitsOf(reports, now),
      held: heldWords(reports, attached, now),
    }),
    at,
    needs: listed.slice(0, LISTED_NEEDS),
    ...counted(needs),
    needs_total: listed.length,
    clinics: reports.map((report) => withConnection(report, unreachable)),
    clinics_total: plans.length,
    connectors: attached,
    ...(await targetReports(attached, parts.toldTo)),
    ...(fleet !== undefined && { fleet }),
    backup: (await parts.backup?.()) ?? null,
    bookings: await bookingReports(store, plans, now),
    changes: await recentChanges(store),
    recovered: recoveryOf(health === 'ok' ? await store.incidents.lastEnded() : undefined),
    database,
  };
}

/** The report without the database: the last known data, and the reason. */
function blindReport(
  parts: Parts,
  known: Known,
  now: number,
  { message: problem, hint }: { message: string; hint?: string | undefined },
): StatusReport {
  const at = instant(now);
  const sentence = `the database cannot be read (${clause(problem)})`;
  const reasons: HealthReason[] = [
    { health: 'stale', kind: 'database', clinic: null, subject: 'database', sentence, since: null },
  ];
  const needs = systemNeeds({
    at,
    database: { ok: false, problem, remedy: hint ?? null },
    reasons: [],
    alarms: [],
  });
  return {
    ...common(parts),
    health: 'stale',
    since: null,
    reasons,
    sentence: topSentence({
      ...{ now, running: isRunning(parts), health: 'stale', reasons },
      ...{ needs: [], oldest: undefined, waits: [], held: [] },
    }),
    at,
    needs,
    ...counted(needs),
    ...known,
    ...{ recovered: null, backup: null },
    database: { ok: false, problem, bytes: null },
  };
}

function counted(needs: readonly Need[]): Pick<StatusReport, 'needs_total' | 'needs_by_kind'> {
  const needs_by_kind: StatusReport['needs_by_kind'] = {};
  for (const { kind } of needs) needs_by_kind[kind] = (needs_by_kind[kind] ?? 0) + 1;
  return { needs_total: needs.length, needs_by_kind };
}

/** The incident tells since when a connector fails; its own state has only the latest failure. */
const withSince = (report: ConnectorReport, reasons: readonly HealthReason[]): ConnectorReport => {
  const cause = reasons.find(({ kind, subject }) => kind === 'connector' && subject === report.connector);
  return { ...report, since: report.since ?? cause?.since ?? null };
};

const recoveryOf = (ended: Incident | undefined): StatusReport['recovered'] =>
  ended?.ended_at == null ? null : { at: ended.ended_at, since: ended.since, sentence: ended.sentence };
