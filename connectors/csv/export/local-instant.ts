import { wallClockAt } from '../../../src/domain/date-time.ts';

/** `2026-11-28T08:31:40.011Z` as `2026-11-28 14:31:40` by the clinic's clock. */
export function localInstant(at: string, timezone: string): string {
  const { date, time } = wallClockAt(Date.parse(at), timezone);
  // Zones differ by whole minutes since long before any of these times.
  return `${date} ${time}:${at.slice(17, 19)}`;
}
