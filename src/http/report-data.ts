import type { StatusReport } from '../domain/status/report.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { within } from '../platform/wait-for.ts';

export type Reports = ReturnType<typeof createReports>;

interface ReportsOptions {
  report: () => Promise<StatusReport>;
  version: string;
  clock: Clock;
  log: Log;
}

/** Requests within this time share one database read. */
const FRESH_MS = 1_000;
/** Longer than the report waits for the database, so that the report's own message wins. */
const PATIENCE_MS = 7_000;

/** The status report for the routes. Never throws and never hangs. */
export function createReports({ report, version, clock, log }: ReportsOptions) {
  let last: { report: StatusReport; at: number } | undefined;
  let reading: Promise<StatusReport> | undefined;
  let generation = 0;

  const read = () => {
    const mine = generation;
    const started = report()
      .then((fresh) => {
        if (mine === generation) last = { report: fresh, at: clock.monotonic() };
        return fresh;
      })
      .finally(() => {
        if (reading === started) reading = undefined;
      });
    reading = started;
    return started;
  };

  return {
    /** Makes the next `get` read again, after a change. */
    forget() {
      generation += 1;
      reading = undefined;
      if (last !== undefined) last = { ...last, at: Number.NEGATIVE_INFINITY };
    },
    async get(): Promise<StatusReport> {
      if (last !== undefined && clock.monotonic() - last.at < FRESH_MS) return last.report;
      const late = () => {
        throw new Error('late');
      };
      try {
        return await within({ clock, ms: PATIENCE_MS, late }, reading ?? read());
      } catch (error) {
        const { message } = asFailure(error, 'Reading the status');
        log.error('status report failed', { problem: message });
        return withoutDatabase(last?.report, message, { version, at: clock.now() });
      }
    },
  };
}

/** The last report, marked as such, or only the problem. */
function withoutDatabase(
  last: StatusReport | undefined,
  problem: string,
  now: { version: string; at: number },
): StatusReport {
  const nothing = {
    started_at: null,
    needs: [],
    clinics: [],
    connectors: [],
    notify: [],
    heartbeat: null,
    backup: null,
    bookings: [],
    changes: [],
  };
  const counts = { needs_total: 0, needs_by_kind: {}, clinics_total: 0, running: true, retention: null };
  const sentence = 'the database does not answer';
  const health = 'stale';
  return {
    ...(last ?? { version: now.version, ...nothing, ...counts }),
    health,
    since: null,
    recovered: null,
    reasons: [{ health, kind: 'database', clinic: null, subject: 'database', sentence, since: null }],
    sentence: `Not syncing: ${sentence}${last ? '; below is what was last known' : ''}.`,
    at: instant(now.at),
    database: { ok: false, problem, bytes: null },
  };
}
