import { Temporal } from 'temporal-polyfill';
import { readDate, readTime } from '../domain/date-time.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';

/** An appointment time in the clinic's time zone. */
export interface Slot {
  /** False in the hour skipped in spring. */
  exists: boolean;
  firstMs: number;
  /** Differs from `firstMs` only in the hour repeated in autumn. */
  lastMs: number;
}

/** Start of each day without a clock change, by zone and date. Null: the clocks change, so compute the slot itself. */
const plainDays = new Map<string, number | null>();
const MOST_DAYS = 2_000;
const DAY_HOURS = 24;

/** The slot of a date (YYYY-MM-DD) and time (HH:MM); undefined when either is invalid. */
export function slotAt(date: string | null, time: string | null, zone: string): Slot | undefined {
  if (date === null || time === null || readDate(date) !== date || readTime(time) !== time) return undefined;
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const start = startOfPlainDay(date, zone);
  if (start === null) return slotByRules(date, hour, minute, zone);
  const ms = start + hour * HOUR + minute * MINUTE;
  return { exists: true, firstMs: ms, lastMs: ms };
}

/** Cached: time-zone rules are slow to apply, and most leads ask for the same few days. */
function startOfPlainDay(date: string, zone: string): number | null {
  const key = `${zone} ${date}`;
  const known = plainDays.get(key);
  if (known !== undefined) return known;
  const day = Temporal.PlainDate.from(date).toZonedDateTime(zone);
  const isPlain = day.hoursInDay === DAY_HOURS && day.hour === 0 && day.minute === 0;
  const start = isPlain ? day.epochMilliseconds : null;
  if (plainDays.size >= MOST_DAYS) plainDays.clear();
  plainDays.set(key, start);
  return start;
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
