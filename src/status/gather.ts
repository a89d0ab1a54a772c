import type { ClinicSettings } from '../config/config.ts';
import type { Change } from '../model/change.ts';
import { type Instant, instant, toMs } from '../model/clock.ts';
import { type Cron, parseCron } from '../model/cron.ts';
import {
  type BookingReport,
  type ClinicReport,
  type ConnectorReport,
  type LimiterReport,
  nothingLearned,
} from '../model/report.ts';
import { type Poll, polls, resourceOf } from '../model/resource.ts';
import { wallClockAt, wallClockInstant } from '../model/wall-clock.ts';
import type { ConnectorState, PollState, Store } from '../store/store.ts';
import { isStale } from './staleness.ts';

type Row = Record<string, string | number | null>;

/** A clinic's settings with its schedule read once. */
export interface PlannedClinic {
  key: string;
  timezone: string;
  schedule: Record<Poll, Cron>;
}

export const planned = ({ key, timezone, schedule }: ClinicSettings): PlannedClinic => ({
  key,
  timezone,
  schedule: {
    organization: parseCron(schedule.organization),
    website: parseCron(schedule.website),
    treatments: parseCron(schedule.treatments),
    dentists: parseCron(schedule.dentists),
    appointments: parseCron(schedule.appointments),
  },
});

/** What is known of one clinic; everything that comes from the store may be missing. */
interface ClinicFacts {
  now: number;
  startedAt: Instant | null;
  live: { limiter(clinic: string): LimiterReport; lane(clinic: string): ClinicReport['lane'] } | undefined;
  runs?: readonly PollState[];
  organization?: readonly Row[];
  statistics?: readonly Row[];
  recent?: readonly Change[];
  pending?: number;
}

const STATISTICS_SHOWN = 400;

export function clinicReport(
  { key, timezone, schedule }: PlannedClinic,
  {
    now,
    startedAt,
    live,
    runs = [],
    organization = [],
    statistics = [],
    recent = [],
    pending = 0,
  }: ClinicFacts,
): ClinicReport {
  const name = organization.find(({ removed_at }) => removed_at === null)?.name;
  return {
    clinic: key,
    name: typeof name === 'string' ? name : null,
    timezone,
    resources: polls.map((poll) => {
      const run = runs.find((one) => one.poll === poll);
      // While nothing is due and nothing failed, what is known is as fresh as planned.
      const idle = run?.failures === 0 ? run.last_idle_at : null;
      const fresh = newest(run?.last_success_at, idle) ?? null;
      const since = fresh ?? startedAt;
      return {
        poll,
        rows: run?.rows ?? 0,
        last_success_at: fresh,
        last_change_at: recent.find(({ resource }) => resource === resourceOf[poll])?.at ?? null,
        next_due_at: run?.next_due_at ?? null,
        interval_ms: schedule[poll].intervalMs,
        failures: run?.failures ?? 0,
        last_error: run?.last_error ?? null,
        stale: since === null || isStale(schedule[poll], toMs(since), now),
      };
    }),
    limiter: live?.limiter(key) ?? nothingLearned,
    statistics: statistics.slice(-STATISTICS_SHOWN).map((row) => ({
      at: String(row.at),
      total_users: figure(row.total_users),
      total_patients: figure(row.total_patients),
      total_appointments: figure(row.total_appointments),
      total_doctors: figure(row.total_doctors),
    })),
    lane: live?.lane(key) ?? { state: 'open', reason: null, since: null },
    appointments_pending: pending,
  };
}

/** A figure the clinic did not give is no zero. */
const figure = (value: Row[string] | undefined): number | null => (typeof value === 'number' ? value : null);

const newest = (...times: (Instant | null | undefined)[]): Instant | undefined =>
  times.filter((at) => at != null).reduce<Instant | undefined>((a, b) => (a && a > b ? a : b), undefined);

export function connectorReport(
  { name, use, quarantined }: { name: string; use: string; quarantined?: string },
  stored: { state?: ConnectorState; counts?: { pending: number; dead: number }; lag?: number },
): ConnectorReport {
  const { state, counts, lag = 0 } = stored;
  const report = {
    connector: name,
    use,
    lag,
    pending: counts?.pending ?? 0,
    dead: counts?.dead ?? 0,
    last_success_at: state?.last_success_at ?? null,
    last_error: quarantined ?? state?.last_error ?? null,
    problems: state?.problems ?? [],
  };
  if (quarantined !== undefined) return { ...report, state: 'quarantined' };
  if (state?.paused) return { ...report, state: 'paused' };
  return { ...report, state: (state?.failures ?? 0) > 0 ? 'failing' : 'ok' };
}

/** Every configured connector, with what is stored of it. */
export async function connectorReports(
  { deliveries, changes }: Pick<Store, 'deliveries' | 'changes'>,
  connectors: readonly { name: string; use: string; quarantined?: string }[],
  clinics: readonly PlannedClinic[],
): Promise<{ report: ConnectorReport; state: ConnectorState }[]> {
  const lagOf = async (connector: string, clinic: string) => {
    const cursor = await deliveries.cursor(connector, clinic);
    return cursor === undefined ? 0 : Math.max(0, (await changes.latest(clinic)) - cursor);
  };
  return Promise.all(
    connectors.map(async (connector) => {
      const { name } = connector;
      const [state, counts, ...lags] = await Promise.all([
        deliveries.connector(name),
        deliveries.counts(name),
        ...clinics.map(({ key }) => lagOf(name, key)),
      ]);
      const lag = lags.reduce((sum, one) => sum + one, 0);
      return { state, report: connectorReport(connector, { state, counts, lag }) };
    }),
  );
}

/**
 * Bookings per source, today and in seven days (today included) of the clinic's calendar (with several clinics: the
 * first one's).
 */
export async function bookingReports(
  store: Pick<Store, 'bookings'>,
  zone: string,
  now: number,
): Promise<BookingReport[]> {
  const { date } = wallClockAt(now, zone);
  const today = wallClockInstant(date, '00:00', zone).ms;
  // Noon six days ago falls on the right date, also when a day in between had 23 or 25 hours.
  const weekDate = wallClockAt(wallClockInstant(date, '12:00', zone).ms - 6 * 86_400_000, zone).date;
  const week = wallClockInstant(weekDate, '00:00', zone).ms;

  const bySource = new Map<string, BookingReport>();
  for (const total of await store.bookings.totals(instant(today), instant(week))) {
    const { source, state } = total;
    const report = bySource.get(source) ?? { source, today: 0, last_7_days: 0, states: {} };
    report.today += total.today;
    report.last_7_days += total.week;
    report.states[state] = (report.states[state] ?? 0) + total.all;
    bySource.set(source, report);
  }
  return [...bySource.values()];
}
