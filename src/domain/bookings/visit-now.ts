import type { Instant } from '../../platform/clock.ts';
import { readDate, readTime } from '../date-time.ts';
import type { Booking } from './booking.ts';
import type { StatusOutcome } from './status-outcome.ts';

/** A booked visit as the clinic last showed it, which may have moved since it was asked for. */
export interface VisitNow {
  date: string | null;
  time: string | null;
  status: string;
  read_at: Instant;
}

/** Undefined before the first reading, and of a visit that the clinic no longer has. */
export function visitNow(row: {
  date: string | null;
  time: string | null;
  status: string | null;
  seen_at: Instant | null;
  removed_at: Instant | null;
}): VisitNow | undefined {
  const { date, time, status, seen_at, removed_at } = row;
  if (status === null || seen_at === null || removed_at !== null) return undefined;
  return { date, time: time?.slice(0, 5) ?? null, status, read_at: seen_at };
}

export interface VisitPlace {
  date: string | null;
  time: string | null;
}

/** A visit as tracked, with the meaning of its status. */
export interface TrackedVisit extends VisitPlace {
  ref: string;
  status: string | null;
  done: number;
  removed_at: string | null;
  outcome: string | null;
}

/** Whether the clinic cancelled, ended, removed or moved it: it is at none of these times. */
export function isChanged(visit: TrackedVisit, times: readonly VisitPlace[]): boolean {
  const { status, done, removed_at, outcome } = visit;
  // A new appointment may be unknown to the clinic's server for some minutes.
  if (status === null) return false;
  const isOver = done !== 0 || removed_at !== null || outcome === 'cancelled' || outcome === 'no_show';
  return isOver || !times.some((time) => isAt(visit, time));
}

const isAt = (visit: VisitPlace, { date, time }: VisitPlace) =>
  isSame(readDate, visit.date, date) && isSame(readTime, visit.time, time);

/** What cannot be read tells nothing. */
function isSame(read: typeof readDate, shown: string | null, other: string | null): boolean {
  const known = read(shown ?? '');
  return known === undefined || known === read(other ?? '');
}

/** What became of a visit that is not simply still to come. */
export const visitStandings = ['moved', 'cancelled', 'completed', 'no_show'] as const;
export type VisitStanding = (typeof visitStandings)[number];

/** By the meaning of its status, and by where it was asked for. */
export function visitStandingOf(
  { appointment_date: date, appointment_time: time }: Pick<Booking, 'appointment_date' | 'appointment_time'>,
  visit: VisitPlace,
  outcome: StatusOutcome,
): VisitStanding | null {
  if (outcome !== 'booked' && outcome !== 'unknown') return outcome;
  return isAt(visit, { date, time }) ? null : 'moved';
}
