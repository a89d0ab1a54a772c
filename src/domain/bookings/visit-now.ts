import type { Instant } from '../../platform/clock.ts';

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
