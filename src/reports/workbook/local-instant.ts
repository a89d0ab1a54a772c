import { wallClockText } from '../../domain/date-time.ts';

/**
 * `2026-11-28T08:31:40.011Z` as `2026-11-28 14:31:40` by the clinic's clock; `2026-10-25 02:30:00 +01:00` in the hour
 * that autumn repeats.
 */
export function localInstant(at: string, timezone: string): string {
  const [date, time, ...offset] = wallClockText(Date.parse(at), timezone).split(' ');
  // Zones differ by whole minutes since long before any of these times.
  return [date, `${time}:${at.slice(17, 19)}`, ...offset].join(' ');
}
