import type { ClinicSettings } from '../config/config.ts';
import { HEARTBEAT, targetOf } from '../config/notify.ts';
import { noClinic } from '../domain/bookings/booking.ts';
import { type Closure, isClosed } from '../domain/clinics/closure.ts';
import { type Poll, polls } from '../domain/clinics/resource.ts';
import { wallClockAt, wallClockInstant } from '../domain/date-time.ts';
import {
  type BookingReport,
  type ClinicReport,
  type ConnectorReport,
  type HealthReason,
  type LimiterReport,
  nothingLearned,
  type StatusReport,
  type UnreadableReport,
} from '../domain/status/report.ts';
import { type Told, untold } from '../domain/status/target-report.ts';
import { type Instant, instant, toMs } from '../platform/clock.ts';
import { type Cron, parseCron } from '../platform/cron.ts';
import { DAY } from '../platform/duration.ts';
import type { ConnectorState } from '../store/ports/deliveries.ts';
import type { PollState, Unreadable } from '../store/ports/polls.ts';
import type { Store } from '../store/store.ts';
import type { CallState } from './call-watch.ts';
import { isStale, LATE_AFTER_MS, lateSince } from './staleness.ts';

/** A clinic's settings with its schedule parsed once. */
export interface PlannedClinic {
  key: string;
  timezone: string;
  schedule: Record<Poll, Cron>;
}

/** A reload gives a clinic another schedule; parsing it for every report would cost more than the rest. */
export function planned(settings: ClinicSettings): PlannedClinic {
  let parsed = settings.schedule;
  let schedule = parsedSchedule(parsed);
  return {
    key: settings.key,
    timezone: settings.timezone,
    get schedule() {
      if (parsed !== settings.schedule) schedule = parsedSchedule(settings.schedule);
      parsed = settings.schedule;
      return schedule;
    },
  };
}

const parsedSchedule = (schedule: ClinicSettings['schedule']): PlannedClinic['schedule'] => ({
  organization: parseCron(schedule.organization),
  website: parseCron(schedule.website),
  treatments: parseCron(schedule.treatments),
  dentists: parseCron(schedule.dentists),
  appointments: parseCron(schedule.appointments),
});

/** Facts about one clinic; any that come from the store may be missing. */
interface ClinicFacts {
  now: number;
  startedAt: Instant | null;
  /** Also true in a command while a daemon runs. */
  running: boolean;
  /** Resources of which the last daemon has already said that they are stale. */
  saidStale?: ReadonlySet<string>;
  live: LiveFacts | undefined;
  runs?: readonly PollState[];
  name?: string | null | undefined;
  statistics?: ClinicReport['statistics'];
  pending?: number;
  unreadable?: readonly Unreadable[];
  closure?: Closure | undefined;
}

/** Facts known only to the process that calls the clinics. */
export interface LiveFacts {
  limiter(clinic: string): LimiterReport;
  lane(clinic: string): ClinicReport['lane'];
  /** Absent in commands, because the daemon makes the calls. */
  calls?: (clinic: string) => CallState;
}

/** The part of a clinic's report that health depends on. */
export function clinicStanding(
  { key, schedule }: PlannedClinic,
  facts: ClinicFacts,
): Pick<ClinicReport, 'clinic' | 'resources' | 'lane'> {
  const { now, live, runs = [], unreadable = [] } = facts;
  return {
    clinic: key,
    resources: polls.map((poll) => {
      const run = runs.find((one) => one.poll === poll);
      const fresh = newest(run?.last_success_at, idleUntil(run)) ?? null;
      const since = newest(fresh, attendedSince(facts, poll, run)) ?? begin(facts, run);
      return {
        poll,
        rows: run?.rows ?? 0,
        last_success_at: run?.last_success_at ?? null,
        idle_at: run?.last_idle_at ?? null,
        last_change_at: run?.last_change_at ?? null,
        next_due_at: run?.next_due_at ?? null,
        interval_ms: schedule[poll].intervalMs,
        failures: run?.failures ?? 0,
        last_error: run?.last_error ?? null,
        said: run?.said,
        failing_since: run !== undefined && run.failures > 0 ? run.failing_since : null,
        unreadable: unreadable.filter((one) => one.poll === poll).map(unreadableReport),
        stale: since === null || isStale(schedule[poll], toMs(since), now),
      };
    }),
    lane: live?.lane(key) ?? { state: 'open', reason: null, since: null },
  };
}

/**
 * Nothing grows old for lack of a poll while no daemon ran. What fails is as old as it is; what failed before the start
 * has a minute for its first poll.
 */
function attendedSince(
  { startedAt, now, saidStale }: ClinicFacts,
  poll: Poll,
  run: PollState | undefined,
): Instant | null {
  if (saidStale?.has(poll)) return null;
  if (run === undefined || startedAt === null || run.failures === 0) return startedAt;
  const failedBefore = run.failing_since !== null && run.failing_since < startedAt;
  return failedBefore && now - toMs(startedAt) < LATE_AFTER_MS ? startedAt : null;
}

/** From when a resource that was never read counts as old; null without a daemon. */
const begin = ({ now, startedAt, running }: ClinicFacts, run: PollState | undefined): Instant | null =>
  startedAt ?? (running ? (run?.failing_since ?? instant(now)) : null);

export function clinicReport(plan: PlannedClinic, facts: ClinicFacts): ClinicReport {
  const { key, timezone } = plan;
  const { live, name = null, statistics = [], pending = 0, closure } = facts;
  return {
    ...clinicStanding(plan, facts),
    name,
    timezone,
    limiter: limiterOf(live, key),
    statistics: [...statistics],
    connection: connectionOf(live?.calls?.(key)),
    appointments_pending: pending,
    closed_until: isClosed(closure, timezone, facts.now) ? closure.until : null,
  };
}

/** Data is as fresh as planned while nothing is due; after a failure, until then. */
function idleUntil(run: PollState | undefined): Instant | null {
  if (run === undefined || run.last_idle_at === null) return null;
  const { failures, last_idle_at, failing_since } = run;
  if (failures === 0) return last_idle_at;
  return failing_since === null || failing_since < last_idle_at ? failing_since : last_idle_at;
}

const newest = (...times: (Instant | null | undefined)[]): Instant | undefined =>
  times.filter((at) => at != null).reduce<Instant | undefined>((a, b) => (a && a > b ? a : b), undefined);

const unreadableReport = ({ id, position, field, problem, first_at }: Unreadable): UnreadableReport => ({
  id,
  // For an appointment without a faulty field, the problem is a full clause: "data is missing".
  problem: [field ?? (position === null ? [] : `number ${position + 1} of the list`), problem]
    .flat()
    .join(' '),
  since: first_at,
});

/** Commands know the learned limit, but not the daemon's calls. */
function limiterOf(live: LiveFacts | undefined, clinic: string): LimiterReport {
  const limiter = live?.limiter(clinic) ?? nothingLearned;
  if (live?.calls !== undefined) return limiter;
  return { ...limiter, calls_last_hour: null, refused_last_hour: null, counted_since: null };
}

function connectionOf(calls: CallState | undefined): ClinicReport['connection'] {
  if (calls?.failing) return { state: 'failing', since: calls.failing.since };
  return { state: calls?.workedAgoMs == null ? 'unknown' : 'working', since: null };
}

/** Since when each resource is late, from its clinic's runs. None while calls succeed: a slow clinic is not late. */
export function lateResources(
  { schedule }: PlannedClinic,
  runs: readonly PollState[],
  { now, startedAt, calls }: { now: number; startedAt: Instant | null; calls: CallState | undefined },
): Map<string, number> {
  const late = new Map<string, number>();
  if (startedAt === null || calls === undefined) return late;
  if (calls.workedAgoMs !== null && calls.workedAgoMs < LATE_AFTER_MS) return late;
  for (const poll of polls) {
    const run = runs.find((one) => one.poll === poll);
    const since = lateSince(schedule[poll], run, startedAt, now);
    if (since !== undefined) late.set(poll, since);
  }
  return late;
}

export interface AttachedConnector {
  name: string;
  use: string;
  /** Why it could not be started. */
  quarantined?: string | undefined;
  /** False for one that only takes bookings. */
  delivers?: boolean;
}

function connectorReport(
  { name, use, quarantined, delivers = true }: AttachedConnector,
  stored: { state?: ConnectorState; counts?: { pending: number; dead: number }; lag?: number },
): ConnectorReport {
  const { state, counts, lag = 0 } = stored;
  const report = {
    connector: name,
    use,
    delivers,
    lag,
    pending: counts?.pending ?? 0,
    dead: counts?.dead ?? 0,
    last_success_at: state?.last_success_at ?? null,
    last_error: quarantined ?? state?.last_error ?? null,
    problems: state?.problems ?? [],
    asks: state?.asks ?? [],
    said: state?.said,
    failures: state?.failures ?? 0,
    reason: null,
    since: null,
  };
  if (quarantined !== undefined) return { ...report, state: 'quarantined', reason: quarantined };
  if (state?.paused)
    return { ...report, state: 'paused', reason: state.paused_reason, since: state.paused_at };
  if (report.failures > 0 || report.asks.some(({ weight }) => weight === 'trouble'))
    return { ...report, state: 'failing' };
  return { ...report, state: 'ok' };
}

/** Every configured connector with its stored state. */
export async function connectorReports(
  { deliveries }: Pick<Store, 'deliveries'>,
  connectors: readonly AttachedConnector[],
  clinics: readonly PlannedClinic[],
): Promise<ConnectorReport[]> {
  return Promise.all(
    connectors.map(async (connector) => {
      const { name } = connector;
      const [state, counts, positions] = await Promise.all([
        deliveries.connector(name),
        deliveries.counts(name),
        deliveries.positions(name),
      ]);
      const lags = clinics.map(({ key }) => {
        const { latest, cursor } = positions.get(key) ?? { latest: 0, cursor: 0 };
        return Math.max(0, latest - cursor);
      });
      const lag = lags.reduce((sum, one) => sum + one, counts.pending);
      return connectorReport(connector, { state, counts, lag });
    }),
  );
}

/** In commands, the daemon's incident tells whether the clinic answers. */
export const withConnection = (
  report: ClinicReport,
  unreachable: ReadonlyMap<string | null, HealthReason>,
): ClinicReport => {
  const gone = unreachable.get(report.clinic);
  return gone === undefined || report.connection.state !== 'unknown'
    ? report
    : { ...report, connection: { state: 'failing', since: gone.since } };
};

/** What the targets of notifications have been told, and how the heartbeat does. */
export async function targetReports(
  connectors: readonly ConnectorReport[],
  toldTo: (target: string) => Promise<Told> = async () => untold,
): Promise<Pick<StatusReport, 'notify' | 'heartbeat'>> {
  const targets = connectors.filter(({ use }) => use.startsWith('notify:'));
  const [beat] = targets.filter(({ connector }) => targetOf(connector) === HEARTBEAT);
  const others = targets.filter((one) => one !== beat);
  return {
    notify: await Promise.all(
      others.map(async ({ connector, state, last_error }) => {
        const target = targetOf(connector);
        return { target, state, ...(await toldTo(target)), last_error };
      }),
    ),
    heartbeat: beat ? { last_success_at: beat.last_success_at, last_error: beat.last_error } : null,
  };
}

/** Bookings per source, today and in seven days (today included), on each clinic's own calendar. */
export async function bookingReports(
  store: Pick<Store, 'bookings'>,
  clinics: readonly PlannedClinic[],
  now: number,
): Promise<BookingReport[]> {
  const bySource = new Map<string, BookingReport>();
  const of = (source: string): BookingReport => {
    const known = bySource.get(source) ?? { source, today: 0, last_7_days: 0, states: {} };
    bySource.set(source, known);
    return known;
  };
  const [home] = clinics;
  if (home === undefined) return [];
  const zones = Map.groupBy(clinics, ({ timezone }) => timezone);
  const calendars = [...zones].map(([timezone, inZone]) => ({
    ...daysIn(timezone, now),
    clinics: inZone.map(({ key }) => key),
  }));
  const first = daysIn(home.timezone, now);
  for (const { source, state, all } of await store.bookings.totals(first.today, first.week)) {
    const { states } = of(source);
    states[state] = (states[state] ?? 0) + all;
  }
  // One query is enough when all clinics share midnight. Bookings without a clinic use the first clinic's calendar.
  const isOne = calendars.every(({ today, week }) => today === first.today && week === first.week);
  const asked = isOne
    ? [{ ...first, clinics: undefined }]
    : [...calendars, { ...first, clinics: [noClinic] }];
  for (const { today, week, clinics } of asked)
    for (const total of await store.bookings.totals(today, week, clinics)) {
      const report = of(total.source);
      report.today += total.today;
      report.last_7_days += total.week;
    }
  return [...bySource.values()];
}

/** Start of today, and of the seven days that end with it, on the calendar of a time zone. */
function daysIn(timezone: string, now: number) {
  const { date } = wallClockAt(now, timezone);
  const today = wallClockInstant(date, '00:00', timezone).ms;
  // Noon six days ago is on the right date even if a day in between had 23 or 25 hours.
  const noon = wallClockInstant(date, '12:00', timezone).ms;
  const weekDate = wallClockAt(noon - 6 * DAY, timezone).date;
  const week = wallClockInstant(weekDate, '00:00', timezone).ms;
  return { today: instant(today), week: instant(week) };
}
