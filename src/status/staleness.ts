import type { ClinicReport } from '../domain/status/report.ts';
import { type Instant, toMs } from '../platform/clock.ts';
import type { Cron } from '../platform/cron.ts';
import { MINUTE } from '../platform/duration.ts';
import type { PollState } from '../store/ports/polls.ts';

/** Data is stale after this many intervals without a complete, verified poll. */
const TOLERATED = 3;
/** A due poll is late after this long without a success. */
export const LATE_AFTER_MS = MINUTE;

/**
 * True when older than three intervals and three schedule slots, so that a schedule that pauses at night does not make
 * the morning's data stale. `since` is the last complete poll, otherwise the start (milliseconds).
 */
export function isStale({ next, intervalMs }: Cron, since: number, now: number): boolean {
  if (now - since <= TOLERATED * intervalMs) return false;
  let slot = since;
  for (let i = 0; i < TOLERATED; i += 1) slot = next(slot);
  return slot <= now;
}

/** When an overdue resource was due (milliseconds); undefined unless it is late. */
export function lateSince(
  cron: Cron,
  run: PollState | undefined,
  startedAt: Instant,
  now: number,
): number | undefined {
  const planned = run?.next_due_at == null ? undefined : toMs(run.next_due_at);
  const success = run?.last_success_at == null ? undefined : toMs(run.last_success_at);
  // A retry moves the planned time, but not the time the data was due.
  const failing = (run?.failures ?? 0) > 0;
  const due = failing ? success && cron.next(success) : planned;
  const since = Math.max(due ?? 0, toMs(startedAt));
  return now - since > LATE_AFTER_MS ? since : undefined;
}

/** Age of the oldest resource in milliseconds; undefined until every resource was read. */
export function oldestAge(clinics: readonly ClinicReport[], now: number): number | undefined {
  const resources = clinics.flatMap((clinic) => clinic.resources);
  return resources.reduce<number | undefined>((oldest, { last_success_at, idle_at }) => {
    const at = [last_success_at, idle_at].filter((one) => one !== null).map(toMs);
    return oldest === undefined || at.length === 0 ? undefined : Math.max(oldest, now - Math.max(...at));
  }, 0);
}
