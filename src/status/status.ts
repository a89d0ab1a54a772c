import type { ClinicSettings } from '../config/config.ts';
import { type Clock, type Instant, instant } from '../model/clock.ts';
import { asFailure } from '../model/failure.ts';
import type { ClinicReport, LimiterReport, Need, StatusReport } from '../model/report.ts';
import type { Store } from '../store/store.ts';
import { bookingReports, clinicReport, connectorReport, connectorReports, planned } from './gather.ts';
import { alarmNeed, connectorNeeds, databaseNeed, databaseWarning, guardNeed } from './needs.ts';
import { healthOf, topSentence } from './sentence.ts';
import { oldestAge, staleReasonsOf } from './staleness.ts';
import { summaryOf } from './summary.ts';

export interface StatusParts {
  store: Store;
  clinics: readonly ClinicSettings[];
  /** `quarantined`: why it could not be started. */
  connectors: readonly { name: string; use: string; quarantined?: string }[];
  clock: Clock;
  version: string;
  /** When the daemon started; null when the report is made without one. */
  startedAt: Instant | null;
  /** Bookings and paused lanes that ask for a person, the most urgent first. */
  bookingNeeds: () => Promise<Need[]>;
  /** What only the running daemon knows. */
  live?: {
    limiter(clinic: string): LimiterReport;
    lane(clinic: string): ClinicReport['lane'];
    alarms(): string[];
    needs(): Need[];
  };
}

const RECENT_CHANGES = 20;
const LISTED_NEEDS = 100;
/** A database that hangs must not hang the page that says so. */
const PATIENCE = 5_000;

type Known = Pick<StatusReport, 'clinics' | 'connectors' | 'bookings' | 'changes'>;

/**
 * Everything the status page, `/status.json` and `clinic-sync status` show, as it is at the moment of the call. Never
 * throws: when the database does not work, the report says so and shows what was known last. No patient data.
 */
export function createStatusReport(parts: StatusParts): () => Promise<StatusReport> {
  const { store, connectors, clock, version, startedAt, bookingNeeds, live } = parts;
  const clinics = parts.clinics.map(planned);
  let known: Known = {
    clinics: clinics.map((settings) => clinicReport(settings, { now: clock.now(), startedAt, live })),
    connectors: connectors.map((connector) => connectorReport(connector, {})),
    bookings: [],
    changes: [],
  };

  async function gather(now: number): Promise<StatusReport> {
    const at = instant(now);
    const runs = await store.runs.list();
    const reports = await Promise.all(
      clinics.map(async (settings) => {
        const { key } = settings;
        const [organization, statistics, pending, recent] = await Promise.all([
          store.mirror.rows('organization', key),
          store.mirror.rows('organization_statistics', key),
          store.appointments.pending(key),
          store.changes.recent(200, key),
        ]);
        const stored = {
          runs: runs.filter(({ clinic }) => clinic === key),
          organization,
          statistics,
          recent,
        };
        return clinicReport(settings, { now, startedAt, live, ...stored, pending: pending.length });
      }),
    );
    const attached = await connectorReports(store, connectors, clinics);
    const bookings = await bookingReports(store, clinics[0]?.timezone ?? 'UTC', now);
    const asked = await bookingNeeds();
    const guards = (await store.guards.list()).filter(({ state }) => state === 'open');
    const changes = await store.changes.recent(RECENT_CHANGES);
    const database = await store.health();

    known = {
      clinics: reports,
      connectors: attached.map(({ report }) => report),
      bookings,
      changes: changes.map((change) => {
        const { clinic, sequence, at: when, type, id } = change;
        return { clinic, sequence, at: when, type, id, summary: summaryOf(change) };
      }),
    };
    const staleReasons = staleReasonsOf(reports, runs, now);
    const needs = [
      ...(database.ok ? [] : [databaseNeed(database.problem ?? 'it does not answer', at)]),
      ...(database.warning === null ? [] : [databaseWarning(database.warning, at)]),
      ...asked.slice(0, LISTED_NEEDS),
      ...(live?.alarms() ?? []).map((sentence) => alarmNeed(sentence, at)),
      ...(live?.needs() ?? []),
      ...guards.map(guardNeed),
      ...attached.flatMap(({ state, report }, i) =>
        connectorNeeds(report, {
          failures: state.failures,
          since: state.last_failure_at ?? at,
          reason: connectors[i]?.quarantined ?? state.paused_reason,
        }),
      ),
    ];
    const facts = {
      needs,
      bookings: asked.filter(({ kind }) => kind === 'booking').length,
      staleReasons,
      databaseProblem: database.ok ? null : (database.problem ?? 'it does not answer'),
      oldest: oldestAge(reports, now),
    };
    return {
      health: healthOf(facts),
      sentence: topSentence(facts),
      at,
      version,
      started_at: startedAt,
      needs,
      ...known,
      database,
      stale_reasons: database.ok
        ? staleReasons
        : [`The database does not work: ${facts.databaseProblem}`, ...staleReasons],
    };
  }

  /** Without the database: what was known last, and that it is not known better. */
  function blind(now: number, problem: string): StatusReport {
    const at = instant(now);
    const needs = [
      databaseNeed(problem, at),
      ...(live?.alarms() ?? []).map((sentence) => alarmNeed(sentence, at)),
    ];
    const facts = { needs, bookings: 0, staleReasons: [], databaseProblem: problem, oldest: undefined };
    return {
      health: 'not_syncing',
      sentence: topSentence(facts),
      at,
      version,
      started_at: startedAt,
      needs,
      ...known,
      database: { ok: false, problem, bytes: null },
      stale_reasons: [`The database does not work: ${problem}`],
    };
  }

  return async () => {
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
  };
}
