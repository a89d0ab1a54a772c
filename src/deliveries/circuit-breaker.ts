import { backoffMs } from '../platform/backoff.ts';
import { type Instant, toMs } from '../platform/clock.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/duration.ts';

/**
 * One event that fails is that event's trouble; a receiver that takes nothing is an outage. In an outage the connector
 * is probed with its oldest event alone: trying everything would burn every event's attempts against a closed door.
 * Pure.
 */

const OUTAGE_FAILURES = 5;

/** How often the oldest event is tried during an automatic pause. */
export const PROBE_EVERY_MS = HOUR;

export const isOutage = (failuresInARow: number): boolean => failuresInARow >= OUTAGE_FAILURES;

/** Wait before the next probe: 5 s, 10 s, … 5 min. */
export const restMs = (failuresInARow: number): number =>
  backoffMs(failuresInARow - OUTAGE_FAILURES + 1, { floor: 5 * SECOND, cap: 5 * MINUTE });

/**
 * Nothing succeeded for a day, although something was waiting all that day. The connector is then shown as paused;
 * nothing is given up and nothing is dropped.
 */
export function mustPause(
  failuresInARow: number,
  lastSuccessAt: Instant | null,
  oldestWaitingSince: Instant,
  nowMs: number,
): boolean {
  const since = Math.max(toMs(oldestWaitingSince), lastSuccessAt === null ? 0 : toMs(lastSuccessAt));
  return isOutage(failuresInARow) && nowMs - since >= DAY;
}

export const outageReason = (failure: string): string =>
  `Nothing could be delivered for a day (${failure}) Everything waits; it is tried every hour.`;
