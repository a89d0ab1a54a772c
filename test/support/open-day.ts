import { DAY } from '../../src/platform/duration.ts';

const FRIDAY = 5;

/** The date (YYYY-MM-DD) so many days ahead; the day after if it is a Friday, when the sandbox's practice is closed. */
export function openDay(daysAhead: number, now = Date.now()): string {
  const day = new Date(now + daysAhead * DAY);
  if (day.getUTCDay() === FRIDAY) day.setTime(day.getTime() + DAY);
  return day.toISOString().slice(0, 10);
}
