import { Temporal } from 'temporal-polyfill';

/** When an appointment would be, by the clinic's wall clock. */
export interface Slot {
  /** False in the hour that a spring change skips: such a time is on no clock. */
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

/**
 * A date as YYYY-MM-DD, from writings that can mean only one day: year first, `-` or `/`, zeros optional.
 * Day-first and month-first writings are refused: 03/04 is two different days in two countries.
 */
export function readDate(text: string): string | undefined {
  const parts = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/.exec(text.normalize('NFKC').trim());
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0] = [parts[1], parts[3], parts[4]].map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  return `${parts[1]}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The calendar repeats after 400 years, and Date takes the years 0 to 99 for those of the last century. */
const daysIn = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

/**
 * A time of day as HH:MM, from writings that lose nothing: `9:30`, `09:30`, `14:30:00`, `2:30 PM`.
 * Seconds other than zero and times with a zone are refused: dropping either would book another time.
 */
export function readTime(text: string): string | undefined {
  const parts = /^(\d{1,2}):(\d{2})(?::00(?:\.0+)?)?(?:\s*([ap])\.?m\.?)?$/i.exec(
    text.normalize('NFKC').trim(),
  );
  if (parts === null) return undefined;
  const half = parts[3]?.toLowerCase();
  const shown = Number(parts[1]);
  if (half !== undefined && (shown < 1 || shown > 12)) return undefined;
  const hour = half === undefined ? shown : (shown % 12) + (half === 'p' ? 12 : 0);
  if (hour > 23 || Number(parts[2]) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${parts[2]}`;
}
