import { Temporal } from 'temporal-polyfill';
import { readDate, readTime } from '../domain/date-time.ts';

/** When an appointment would be, by the clinic's wall clock. */
export interface Slot {
  /** False in the hour that a spring change skips. */
  exists: boolean;
  firstMs: number;
  /** Differs from `firstMs` only in the hour that an autumn change repeats. */
  lastMs: number;
}

/** The slot of a valid date (YYYY-MM-DD) and time (HH:MM); undefined when either is not one. */
export function slotAt(date: string | null, time: string | null, zone: string): Slot | undefined {
  if (date === null || time === null || readDate(date) !== date || readTime(time) !== time) return undefined;
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const local = new Temporal.PlainDateTime(year, month, day, hour, minute);
  const first = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const last = local.toZonedDateTime(zone, { disambiguation: 'later' });
  return {
    exists: last.toPlainDateTime().equals(local),
    firstMs: first.epochMilliseconds,
    lastMs: last.epochMilliseconds,
  };
}
