import type { ClinicSettings } from '../config/config.ts';
import type {
  Alarm,
  ClinicReport,
  ConnectorReport,
  HealthReason,
  Need,
  RetentionReport,
  StatusReport,
} from '../domain/report.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import { clause } from '../platform/sentences.ts';
import type { Incident } from '../store/ports/incidents.ts';
import type { PollState } from '../store/ports/runs.ts';
import type { Store } from '../store/store.ts';
import {
  bookingReports,
  clinicReport,
  connectorReport,
  connectorReports,
  type LiveFacts,
  lateResources,
  type PlannedClinic,
  planned,
  STATISTICS_SHOWN,
} from './gather.ts';
import {
  alarmNeed,
  connectorNeeds,
  databaseNeed,
  databaseWarning,
  diskNeed,
  guardNeed,
  unreachableNeed,
  unreadableNeeds,
} from './needs.ts';
import { healthOf, reasonsOf, sinceOf } from './reasons.ts';
import { topSentence } from './sentence.ts';
import { oldestAge } from './staleness.ts';
import { summaryOf } from './summary.ts';

export interface StatusParts {
  store: Store;
  clinics: readonly ClinicSettings[];
  /** `quarantined`: why it could not be started. */
  connectors: readonly { name: string; use: string; quarantined?: string }[];
  /** In milliseconds; what is left out is kept. */
  retention?: { [K in keyof RetentionReport]?: number | undefined };
  clock: Clock;
  version: string;
  /** When the daemon started; null when the report is made without one. */
  startedAt: Instant | null;
  /** Beside the daemon: is there one? Within it: not asked. */
  running?: () => boolean;
  /** Bookings and paused lanes that ask for a person, the most urgent first. */
  bookingNeeds: () => Promise<Need[]>;
  /** `needs`: what the HTTP server found. */
  live?: LiveFacts & { alarms(): Alarm[]; needs(): Need[] };
}

export interface Status {
  /** Everything that is shown, as it is now. Never throws: without the database it shows what was known last. */
  report(): Promise<StatusReport>;
  /** Why health is not `ok` now: a few small reads, for whoever watches all the time. Throws what the store throws. */
  reasons(): Promise<HealthReason[]>;
}

const RECENT_CHANGES = 20;
const LISTED_NEEDS = 1_000;
/** A database that hangs must not hang the page that says so. */
const PATIENCE = 5_000;
/** Only the daemon sees these; beside it they are read from what it noted. */
const SEEN_BY_DAEMON: readonly HealthReason['kind'][] = ['unreachable', 'late', 'schedule'];

type Known = Pick<StatusReport, 'clinics' | 'connectors' | 'bookings' | 'changes' | 'recovered'>;

/** What the status page, `/status.json`, `/metrics` and `clinic-sync status` show. No patient data. */
export function createStatus(parts: StatusParts): Status {
  const { store, connectors, retention = {}, clock, version, startedAt, live } = parts;
  const clinics = parts.clinics.map(planned);
  let known: Known = {
    clinics: clinics.map((settings) => clinicReport(settings, { now: clock.now(), startedAt, live })),
    connectors: connectors.map((connector) => connectorReport(connector, {})),
    bookings: [],
    changes: [],
    recovered: null,
  };
  const common = () => ({
    version,
    started_at: startedAt,
    running: startedAt !== null || (parts.running?.() ?? false),
    retention: {
      bookings: retention.bookings ?? null,
      dropped: retention.dropped ?? null,
      changes: retention.changes ?? null,
      inbox: retention.inbox ?? null,
    },
  });

  /** From the few rows that health depends on; `clinics` have what these rows say and nothing more. */
  async function look(now: number) {
    const [runs, open, database] = await Promise.all([
      store.runs.list(),
      store.incidents.open(),
      store.health(),
    ]);
    const attached = await connectorReports(store, connectors, clinics);
    const reports = clinics.map((settings) =>
      clinicReport(settings, {
        now,
        startedAt,
        live,
        runs: runs.filter(({ clinic }) => clinic === settings.key),
      }),
    );
    const alarms = live?.alarms() ?? [];
    const reasons = reasonsOf({
      now,
      clinics: reports.map((report, i) => ({ ...report, ...watched(clinics[i], runs, now) })),
      connectors: attached,
      alarms: alarms.map(({ sentence }) => sentence),
      database,
      space: store.space(),
      open,
    });
    return { runs, open, database, attached, alarms, reasons: [...reasons, ...seenByDaemon(open)] };
  }

  const watched = (plan: PlannedClinic | undefined, runs: readonly PollState[], now: number) => {
    const calls = plan && live?.calls?.(plan.key);
    return { calls, late: plan ? lateResources(plan, runs, { now, startedAt, calls }) : new Map() };
  };

  const seenByDaemon = (open: readonly Incident[]): HealthReason[] =>
    live?.calls === undefined && common().running
      ? open.filter(({ kind }) => SEEN_BY_DAEMON.includes(kind)).map(({ n, ended_at, ...reason }) => reason)
      : [];

  async function full(
    settings: PlannedClinic,
    runs: readonly PollState[],
    now: number,
  ): Promise<ClinicReport> {
    const { key } = settings;
    const [organization, statistics, pending, unreadable] = await Promise.all([
      store.mirror.rows('organization', key),
      store.mirror.statistics(key, STATISTICS_SHOWN),
      store.appointments.countPending(key),
      store.unreadable.list(key),
    ]);
    const stored = {
      runs: runs.filter(({ clinic }) => clinic === key),
      organization,
      statistics,
      pending,
      unreadable,
    };
    return clinicReport(settings, { now, startedAt, live, ...stored });
  }

  async function gather(now: number): Promise<StatusReport> {
    const at = instant(now);
    const { runs, database, alarms, reasons, ...found } = await look(now);
    const attached = found.attached.map((report) => withSince(report, reasons));
    const reports = await Promise.all(clinics.map((settings) => full(settings, runs, now)));
    const asked = await parts.bookingNeeds();
    const guards = (await store.guards.list()).filter(({ state }) => state === 'open');
    const changes = await store.changes.recent(RECENT_CHANGES);
    const ofSystem = systemNeeds({ at, database, reasons, alarms });
    const needs = [
      ...ofSystem,
      ...(database.warning === null ? [] : [databaseWarning(database.warning, at)]),
      ...asked,
      ...(live?.needs() ?? []),
      ...guards.map(guardNeed),
      ...reports.flatMap(unreadableNeeds),
      ...attached.flatMap((report) => connectorNeeds(report, at)),
    ];
    const health = healthOf(reasons);
    known = {
      clinics: reports.map((report) => withConnection(report, reasons)),
      connectors: attached,
      bookings: await bookingReports(store, clinics, now),
      changes: changes.map((change) => {
        const { clinic, sequence, at: when, type, id } = change;
        return { clinic, sequence, at: when, type, id, summary: summaryOf(change) };
      }),
      recovered: recoveryOf(health === 'ok' ? await store.incidents.lastEnded() : undefined),
    };
    return {
      ...common(),
      health,
      since: sinceOf(reasons),
      reasons,
      sentence: topSentence({
        now,
        health,
        reasons,
        // What is said as a cause is not repeated; beside other things it is counted like them.
        needs: needs.every((need) => need.kind === 'connector' || ofSystem.includes(need)) ? [] : needs,
        oldest: oldestAge(reports, now),
      }),
      at,
      needs: needs.slice(0, LISTED_NEEDS),
      ...counted(needs),
      ...known,
      database,
    };
  }

  /** Without the database: what was known last, and that it is not known better. */
  function blind(now: number, problem: string): StatusReport {
    const at = instant(now);
    const alarms = live?.alarms() ?? [];
    const sentence = `the database cannot be read (${clause(problem)})`;
    const reasons: HealthReason[] = [
      { health: 'stale', kind: 'database', clinic: null, subject: 'database', sentence, since: null },
    ];
    const needs = systemNeeds({ at, database: { ok: false, problem }, reasons: [], alarms });
    return {
      ...common(),
      health: 'stale',
      since: null,
      reasons,
      sentence: topSentence({ now, health: 'stale', reasons, needs: [], oldest: undefined }),
      at,
      needs,
      ...counted(needs),
      ...known,
      recovered: null,
      database: { ok: false, problem, bytes: null },
    };
  }

  return {
    reasons: async () => (await look(clock.now())).reasons,
    async report() {
      const now = clock.now();
      const patience = new AbortController();
      try {
        const late = clock.sleep(PATIENCE, patience.signal).then(
          () => blind(now, 'it does not answer'),
          () => blind(now, 'it does not answer'),
        );
        return await Promise.race([gather(now), late]);
      } catch (error) {
        return blind(now, asFailure(error, 'Reading the database').message);
      } finally {
        patience.abort();
      }
    },
  };
}

function counted(needs: readonly Need[]): Pick<StatusReport, 'needs_total' | 'needs_by_kind'> {
  const needs_by_kind: StatusReport['needs_by_kind'] = {};
  for (const { kind } of needs) needs_by_kind[kind] = (needs_by_kind[kind] ?? 0) + 1;
  return { needs_total: needs.length, needs_by_kind };
}

interface SystemFacts {
  at: Instant;
  database: { ok: boolean; problem: string | null };
  reasons: readonly HealthReason[];
  alarms: readonly Alarm[];
}

/** What only a person can mend of the machine and of the line to the clinic. */
const systemNeeds = ({ at, database, reasons, alarms }: SystemFacts): Need[] => [
  ...(database.ok ? [] : [databaseNeed(database.problem ?? 'it does not answer', at)]),
  ...reasons.flatMap((reason): Need[] => {
    const { kind, subject, sentence, since, clinic } = reason;
    if (kind === 'database' && subject === 'disk') return [diskNeed(sentence, since ?? at)];
    return kind === 'unreachable' && clinic !== null ? [unreachableNeed({ ...reason, clinic }, at)] : [];
  }),
  ...alarms.filter(({ asksPerson }) => asksPerson).map((alarm) => alarmNeed(alarm, at)),
];

/** Beside the daemon, the daemon's note says whether the clinic answers. */
const withConnection = (report: ClinicReport, reasons: readonly HealthReason[]): ClinicReport => {
  const gone = reasons.find(({ kind, clinic }) => kind === 'unreachable' && clinic === report.clinic);
  return gone === undefined || report.connection.state !== 'unknown'
    ? report
    : { ...report, connection: { state: 'failing', since: gone.since } };
};

/** Since when a connector fails is noted as a cause of trouble; its own state knows the latest failure alone. */
const withSince = (report: ConnectorReport, reasons: readonly HealthReason[]): ConnectorReport => {
  const cause = reasons.find(({ kind, subject }) => kind === 'connector' && subject === report.connector);
  return { ...report, since: report.since ?? cause?.since ?? null };
};

const recoveryOf = (ended: Incident | undefined): StatusReport['recovered'] =>
  ended?.ended_at == null ? null : { at: ended.ended_at, since: ended.since, sentence: ended.sentence };
