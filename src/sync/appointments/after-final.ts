import { readDate, wallClockInstant } from '../../domain/date-time.ts';
import { HOUR, MINUTE } from '../../platform/duration.ts';

/** A final status may be a slip of the desk, which notices it at once, soon, or when it closes the day. */
const AFTER = [10 * MINUTE, HOUR];
const EVENING = '20:00';

/**
 * When to read a visit again whose status is final since `since`; undefined after the last time. Milliseconds since the
 * epoch; the evening is that of the visit, on the clinic's clock.
 */
export function nextFinalRead(
  visit: { since: number; date: string | null },
  now: number,
  zone: string,
): number | undefined {
  // A time in the future: the clock was set back since.
  const since = Math.min(visit.since, now);
  const evening = eveningOf(visit.date, zone);
  const times = [...AFTER.map((ms) => since + ms), ...(evening > since ? [evening] : [])];
  const ahead = times.filter((at) => at > now);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}

function eveningOf(date: string | null, zone: string): number {
  if (date === null || readDate(date) !== date) return Number.NEGATIVE_INFINITY;
  return wallClockInstant(date, EVENING, zone).ms;
}
