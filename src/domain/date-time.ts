import { Temporal } from 'temporal-polyfill';
import { type Instant, instant } from '../platform/clock.ts';
import { DAY, HOUR, MINUTE } from '../platform/duration.ts';
import { westernDigits } from '../platform/text/digits.ts';

const PLAIN = /^\d{4}-\d{2}-\d{2}T(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)$/;

/**
 * A clinic's date and time carry no zone (specification 2.6): they are local to the clinic. A gap (spring) resolves to
 * the later reading, a fold (autumn) to the earlier; `exact` is false for both.
 */
export function wallClockInstant(date: string, time: string, zone: string): { ms: number; exact: boolean } {
  const { hour, minute } = PLAIN.exec(`${date}T${time}`)?.groups ?? {};
  const start = hour === undefined ? null : startOfPlainDay(date, zone);
  if (start !== null) return { ms: start + Number(hour) * HOUR + Number(minute) * MINUTE, exact: true };
  const local = Temporal.PlainDateTime.from(`${date}T${time}`);
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'compatible' });
  const later = local.toZonedDateTime(zone, { disambiguation: 'later' });
  const exact =
    earlier.epochMilliseconds === later.epochMilliseconds && earlier.toPlainDateTime().equals(local);
  return { ms: earlier.epochMilliseconds, exact };
}

/** By zone and date. Shared by all clinics, because a cache of each would add up. */
const plainDays = new Map<string, number | null>();
const MOST_DAYS = 2_000;
const DAY_HOURS = 24;

/**
 * When a day begins, milliseconds since the epoch; null if the clocks change on it, so that its hours cannot be added.
 * Cached: time-zone rules are slow to apply, and most visits are on the same few days.
 */
export function startOfPlainDay(date: string, zone: string): number | null {
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

/** The clinic's local date and time at an instant. */
export function wallClockAt(ms: number, zone: string): { date: string; time: string; weekday: number } {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return {
    date: at.toPlainDate().toString(),
    time: at.toPlainTime().toString({ smallestUnit: 'minute' }),
    weekday: at.dayOfWeek,
  };
}

/** `2026-03-31 23:59` in the clinic's time zone; with the UTC offset in the hour repeated in autumn. */
export function wallClockText(ms: number, zone: string): string {
  const { date, time } = wallClockAt(ms, zone);
  if (wallClockInstant(date, time, zone).exact) return `${date} ${time}`;
  return `${date} ${time} ${Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offset}`;
}

/** First day of a month `YYYY-MM` and of the next one. */
export function monthDays(month: string): { first: string; next: string } {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  return { first: first.toString(), next: first.add({ months: 1 }).toString() };
}

/** Both `YYYY-MM`. */
export const monthAfter = (month: string): string => monthDays(month).next.slice(0, 7);

export const dayAfter = (date: string): string => Temporal.PlainDate.from(date).add({ days: 1 }).toString();

/** Days of the clinic's calendar, both inclusive. */
export interface Period {
  from: string;
  to: string;
}

export const daysAfter = (date: string, days: number): string =>
  instant(Date.parse(`${date}T00:00:00Z`) + days * DAY).slice(0, 10);

/** Days by their names: today, and the days after it. */
export const namedDays: readonly string[] = ['today', 'tomorrow'];

/** A day by its name, `today` or `tomorrow`, on this clock. */
export function dayOf(day: string, zone: string, now: number): string {
  const ahead = namedDays.indexOf(day);
  return ahead < 0 ? day : daysAfter(wallClockAt(now, zone).date, ahead);
}

/** Whole days from one date to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY);

/** The current month at the clinic whose time is furthest behind, so that all clinics of a report share it. */
export const presentMonth = (clinics: readonly { timezone: string }[], now: number): string =>
  clinics
    .map(({ timezone }) => wallClockAt(now, timezone).date.slice(0, 7))
    .sort()
    .at(0) ?? instant(now).slice(0, 7);

export const monthBefore = (month: string): string => daysAfter(`${month}-01`, -1).slice(0, 7);

/** The whole month `YYYY-MM`. */
export function monthOf(month: string): Period {
  const next = daysAfter(`${month}-28`, 4).slice(0, 7);
  return { from: `${month}-01`, to: daysAfter(`${next}-01`, -1) };
}

/** The twelve months ending with this one. */
export function yearTo(month: string): Period {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const first = new Date(Date.UTC(year, number - 12, 1));
  return { from: first.toISOString().slice(0, 10), to: monthOf(month).to };
}

/** The instant at which a day begins at the clinic; if clocks skip midnight, the first one that exists. */
export const startOfDay = (date: string, zone: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;

/** UTC offset of a zone, in seconds, from an instant on (empty: from the beginning). */
export interface ClockStep {
  since: Instant | '';
  ahead: number;
}

/** A zone's offset at the first instant, then each change until the second. */
export function clockSteps(zone: string, from: number, to: number): ClockStep[] {
  let at = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  const aheadNow = () => at.offsetNanoseconds / 1_000_000_000;
  const steps: ClockStep[] = [{ since: '', ahead: aheadNow() }];
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds > to) return steps;
    at = next;
    steps.push({ since: instant(at.epochMilliseconds), ahead: aheadNow() });
  }
}

/** Leads are never older than this. */
const CLOCKS_FROM = Date.UTC(2020, 0, 1);
/** How far ahead clock changes are stored; they are calculated again at each start. */
const CLOCKS_AHEAD_MS = 10 * 365 * DAY;

/** The steps of a clinic's clock by which its days are counted. */
export const clockOf = (zone: string, now: number): ClockStep[] =>
  clockSteps(zone, CLOCKS_FROM, now + CLOCKS_AHEAD_MS);

export function isTimeZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/**
 * A date as YYYY-MM-DD, from formats that can mean only one day: year first (`-`, `/` or `.`, zeros optional), or with
 * the month's English name, in digits of any script. Rejects numeric day-first and month-first dates, because 03/04 is
 * a different day in different countries, and a weekday that does not match the date.
 */
export function readDate(text: string): string | undefined {
  const plain = plainText(text);
  const parts = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(plain);
  if (parts === null) return readNamedMonth(plain);
  return dateOf(Number(parts[1]), Number(parts[3]), Number(parts[4]));
}

/** Longer texts are no dates; bounds the work. */
const LONGEST_WRITING = 60;
const plainText = (text: string): string =>
  text.length > LONGEST_WRITING ? '' : westernDigits(text.normalize('NFKC')).trim();

function dateOf(year: number, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const weekdays = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const weekday = '(?:(?<weekday>[a-z]{3,9})\\.?,?\\s+)?';
const month = '(?<month>[a-z]{3,9})\\.?';
const day = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
/** `Thu 4 March 2027`, `4th of March, 2027`, `04-Mar-2027`. */
const dayFirst = new RegExp(`^${weekday}${day}(?:\\s+of)?[\\s-]*${month},?[\\s-]+(?<year>\\d{4})$`, 'i');
/** `March 4, 2027`, `Thursday, Mar 4th 2027`. */
const monthFirst = new RegExp(`^${weekday}${month}\\s+${day},?\\s+(?<year>\\d{4})$`, 'i');

/** From 1: accepts whole names and their first three letters (four for September). 0 for any other word. */
function numberIn(names: readonly string[], word: string): number {
  const lower = word.toLowerCase();
  return (
    names.findIndex(
      (name) => lower === name || lower === name.slice(0, 3) || (lower === 'sept' && name.startsWith(lower)),
    ) + 1
  );
}

function readNamedMonth(text: string): string | undefined {
  const { groups } = dayFirst.exec(text) ?? monthFirst.exec(text) ?? {};
  if (groups === undefined) return undefined;
  const date = dateOf(Number(groups.year), numberIn(months, groups.month ?? ''), Number(groups.day));
  if (date === undefined || groups.weekday === undefined) return date;
  return numberIn(weekdays, groups.weekday) === Temporal.PlainDate.from(date).dayOfWeek ? date : undefined;
}

/** The calendar repeats after 400 years; Date maps the years 0 to 99 to the last century. */
const daysIn = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

/**
 * A time of day as HH:MM, from formats that lose nothing: `9:30`, `09:30`, `14:30:00`, `2:30 PM`, `2.30 pm`, `3 PM`, in
 * digits of any script. Rejects non-zero seconds and times with a zone: dropping either would book another time.
 */
export function readTime(text: string): string | undefined {
  const plain = plainText(text);
  const parts =
    /^(\d{1,2}):(\d{2})(?::00(?:\.0+)?)?(?:\s*([ap])\.?m\.?)?$/i.exec(plain) ??
    /^(\d{1,2})(?:\.(\d{2}))?\s*([ap])\.?m\.?$/i.exec(plain);
  if (parts === null) return undefined;
  const half = parts[3]?.toLowerCase();
  const shown = Number(parts[1]);
  const minute = parts[2] ?? '00';
  if (half !== undefined && (shown < 1 || shown > 12)) return undefined;
  const hour = half === undefined ? shown : (shown % 12) + (half === 'p' ? 12 : 0);
  if (hour > 23 || Number(minute) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${minute}`;
}
