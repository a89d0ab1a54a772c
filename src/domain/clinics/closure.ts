import { type Instant, instant } from '../../platform/clock.ts';
import { DAY } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';
import { readDate, startOfDay, wallClockAt } from '../date-time.ts';

/** Days on which a clinic expects no leads, because somebody said so. */
export interface Closure {
  from: Instant;
  /** The day on which it opens again, by the clinic’s clock: `2026-03-02`. */
  until: string;
}

/** Where the latest closure of each clinic is stored. */
export const CLOSURES = 'closed';

export const closureIn = (stored: string | undefined): Closure | undefined =>
  stored === undefined ? undefined : (JSON.parse(stored) as Closure);

/** Later days are mistyped. */
const LONGEST_MS = 366 * DAY;

/** When it ends, milliseconds since the epoch. */
export const opensAt = ({ until }: Closure, zone: string): number => startOfDay(until, zone);

export const isClosed = (closure: Closure | undefined, zone: string, now: number): closure is Closure =>
  closure !== undefined && opensAt(closure, zone) > now;

/** The closure until a day; until today or an earlier day, the clinic is open again. Throws `Failure` refused. */
export function closureUntil(
  day: string,
  { zone, now, before }: { zone: string; now: number; before: Closure | undefined },
): Closure {
  const until = day.trim() === 'today' ? wallClockAt(now, zone).date : readDate(day);
  if (until === undefined || startOfDay(until, zone) > now + LONGEST_MS)
    throw new Failure({
      kind: 'refused',
      status: 400,
      message: 'That is no day within a year',
      hint: 'Write the day on which the clinic opens again as YYYY-MM-DD.',
      refusal: { name: 'day_unread', ref: '' },
    });
  return { from: isClosed(before, zone, now) ? before.from : instant(now), until };
}
