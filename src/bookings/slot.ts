import { Temporal } from 'temporal-polyfill';
import { readDate, readTime, startOfPlainDay } from '../domain/date-time.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';

/** An appointment time in the clinic's time zone. */
export interface Slot {
  /** False in the hour skipped in spring. */
  exists: boolean;
  firstMs: number;
  /** Differs from `firstMs` only in the hour repeated in autumn. */
  lastMs: number;
}

/** The slot of a date (YYYY-MM-DD) and time (HH:MM); undefined when either is invalid. */
export function slotAt(date: string | null, time: string | null, zone: string): Slot | undefined {
  if (date === null || time === null || readDate(date) !== date || readTime(time) !== time) return undefined;
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const start = startOfPlainDay(date, zone);
  if (start === null) return slotByRules(date, hour, minute, zone);
  const ms = start + hour * HOUR + minute * MINUTE;
  return { exists: true, firstMs: ms, lastMs: ms };
}

function slotByRules(date: string, hour: number, minute: number, zone: string): Slot {
  const local = Temporal.PlainDate.from(date).toPlainDateTime({ hour, minute });
  const first = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const last = local.toZonedDateTime(zone, { disambiguation: 'later' });
  return {
    exists: last.toPlainDateTime().equals(local),
    firstMs: first.epochMilliseconds,
    lastMs: last.epochMilliseconds,
  };
}
