import { Temporal } from 'temporal-polyfill';

/**
 * A clinic's date and time carry no zone (specification 2.6): they are on the clinic's wall clock. A gap (spring) gives
 * the later reading, a fold (autumn) the earlier; `exact` is false for both.
 */
export function wallClockInstant(date: string, time: string, zone: string): { ms: number; exact: boolean } {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`);
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'compatible' });
  const later = local.toZonedDateTime(zone, { disambiguation: 'later' });
  const exact =
    earlier.epochMilliseconds === later.epochMilliseconds && earlier.toPlainDateTime().equals(local);
  return { ms: earlier.epochMilliseconds, exact };
}

/** The clinic's date and time of day at an instant. */
export function wallClockAt(ms: number, zone: string): { date: string; time: string; weekday: number } {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return {
    date: at.toPlainDate().toString(),
    time: at.toPlainTime().toString({ smallestUnit: 'minute' }),
    weekday: at.dayOfWeek,
  };
}

export function isTimeZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
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
