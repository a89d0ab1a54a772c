import { Temporal } from 'temporal-polyfill';
import { isTimeZone, readDate, readTime } from '../domain/date-time.ts';
import { readFormat } from '../domain/date-time-format.ts';
import { isNoDay, plainWriting, readDay } from './day.ts';
import { readTimeOfDay } from './time-of-day.ts';

/** A date and time on the clinic's wall clock: YYYY-MM-DD and HH:MM. */
export interface Moment {
  date?: string;
  time?: string;
  /** Date and time before conversion, when the text named a zone. */
  writtenDate?: string;
  writtenTime?: string;
}

export interface Writing {
  /** Format of dates and times that are not year-first. */
  format?: string | undefined;
  /** Zone of a date and time that names none. */
  zone?: string | undefined;
}

/**
 * A date, a time of day and optionally a zone: ISO 8601, `December 14, 2026 at 3 PM`, `Thu Mar 04 2027 10:30:00
 * GMT+0600 (…)`.
 */
const dateAndTime =
  /^(?<day>.{1,40}?[\d.)日일])(?:T|,? (?:at |um |à |a las |alle |om |o )?)(?<time>(?:(?:오전|오후|午前|午後|上午|下午) ?)?\d{1,2}(?:[:.h]\d{2})?(?::00(?:\.0+)?)?(?: ?[ap]\.? ?m\.?| ?uhr| ?h)?) ?(?<offset>Z|(?:GMT|UTC)?[+-]\d{1,2}(?::?\d{2})?|UTC|GMT)?(?: ?\[?(?<zone>[A-Z][A-Za-z_]+(?:\/[A-Za-z_+-]+)+)\]?)?(?: ?\((?<label>[^()]{0,60})\))?$/i;
/** What programs write for no day before a time, in other orders. */
const noDay =
  /^(?:0000-00-00|1900-01-00|(?:12[/.-]3[01]|3[01][/.-]12)[/.-]1899|0?1[/.-]0?[01][/.-](?:000[01]|19[07]0|1904|2000))(?=[T ])/;
/** `2027-03-04 10:30 - 11:00`: a day, and from when to when. */
const dayAndSlot = /^(.{1,40}?[\d.)日일]),? (?:at |um |à |a las |alle |om |o )?(\d{1,2}[:.h]\d{2}.{1,40})$/i;
/** As programs write them: nothing else can be meant. */
const plainDate = /^\d{4}-\d{2}-\d{2}$/;
const plainTime = /^\d{2}:\d{2}$/;
const labelOffset = /^(?:GMT|UTC) ?(?<offset>[+-]\d{1,2}(?::?\d{2})?)$/i;

/**
 * Reads only what has one meaning; undefined for anything else. A zone is taken from its name; an offset that the text
 * has beside it must be true on that day; in a label (`Europe/Berlin (GMT+02:00)`) it is often that of another season.
 */
export function readMoment(
  text: string,
  writing: Writing,
  clinicZone: string | undefined,
): Moment | undefined {
  const exact = writing.format === undefined ? exactly(text) : undefined;
  if (exact !== undefined) return exact;
  const plain = plainWriting(text).replace(noDay, '1899-12-30');
  const zone = writing.zone === clinicZone ? undefined : writing.zone;
  const { format } = writing;
  const written = format === undefined ? undefined : readFormat(plain, format);
  if (written !== undefined) return inClinicTime(written, zone, clinicZone);

  const parts = dateAndTime.exec(plain)?.groups;
  const [date, time] = [readDay(parts?.day ?? ''), readTimeOfDay(parts?.time ?? '')];
  if (parts === undefined || date === undefined || time === undefined)
    return inClinicTime(slotOn(plain) ?? dateOrTime(plain), zone, clinicZone);
  const isEnd = isEndOfSlot(plain, parts);
  if (isEnd) return isEnd === 'surely' ? inClinicTime({ date, time }, zone, clinicZone) : undefined;
  const there = zoneIn(parts, { date, time }, clinicZone);
  return there === 'unclear' ? undefined : inClinicTime({ date, time }, there ?? zone, clinicZone);
}

/** A lone date or time, as which most come; undefined for all other writings. */
function exactly(text: string): Moment | undefined {
  const date = plainDate.test(text) ? readDate(text) : undefined;
  if (date !== undefined) return { date };
  const time = plainTime.test(text) ? readTime(text) : undefined;
  return time === undefined ? undefined : { time };
}

function zoneIn(
  { zone: named, offset: written, label }: Partial<Record<string, string>>,
  at: Moment,
  clinicZone: string | undefined,
): string | undefined {
  const labelled = labelOffset.exec(label ?? '')?.groups?.offset;
  // By the clinic's own clock, the label does not matter.
  const offset = written ?? (named !== undefined && named === clinicZone ? undefined : labelled);
  const there = offset === undefined ? undefined : offsetOf(offset);
  if (named === undefined) return there;
  const isKnown = isTimeZone(named) && (there === undefined || isTrueThere(at, named, there));
  return isKnown ? named : 'unclear';
}

/** Whether what may be an offset is the end of a slot, as in `09:00-10:00`: behind a `T` or seconds, it is none. */
function isEndOfSlot(
  plain: string,
  { time = '', offset = '' }: Partial<Record<string, string>>,
): 'surely' | 'perhaps' | false {
  const [, hours] = /^-(\d{1,2}):\d{2}$/.exec(offset) ?? [];
  const isProgram = /\dT\d|:\d{2}:/.test(plain.slice(0, -offset.length));
  if (hours === undefined || isProgram || readTimeOfDay(time + offset) === undefined) return false;
  // No clock of this world is further behind.
  return Number(hours) > 12 ? 'surely' : 'perhaps';
}

function slotOn(plain: string): Moment | undefined {
  const [, day = '', slot = ''] = dayAndSlot.exec(plain) ?? [];
  const [date, time] = [readDay(day), readTimeOfDay(slot)];
  return date === undefined || time === undefined ? undefined : { date, time };
}

function dateOrTime(text: string): Moment {
  const [date, time] = [readDay(text), readTimeOfDay(text)];
  return { ...(date !== undefined && { date }), ...(time !== undefined && { time }) };
}

/** `Z`, `+6`, `+0600` and `GMT+06:00` as a zone. */
function offsetOf(offset: string): string {
  const [, sign, hours, minutes = '00'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(offset) ?? [];
  return hours === undefined ? 'UTC' : `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

const wallClock = ({ date, time }: Moment) => Temporal.PlainDateTime.from(`${date}T${time}`);
const isTrueThere = (written: Moment, zone: string, offset: string): boolean =>
  wallClock(written).toZonedDateTime(zone).offset === (offset === 'UTC' ? '+00:00' : offset);

/** Converts a full date and time from another zone; a lone date or time is taken as the clinic's. */
function inClinicTime(
  written: Moment,
  zone: string | undefined,
  clinicZone: string | undefined,
): Moment | undefined {
  const { date, time } = written;
  if (date === undefined && time === undefined) return undefined;
  if (date === undefined || time === undefined || zone === undefined) return written;
  const before = { writtenDate: date, writtenTime: time };
  // A time that a program put on no day has no zone either, whatever it says.
  if (isNoDay(date)) return { ...written, ...before };
  if (clinicZone === undefined) return undefined;
  try {
    // Rejects the hour repeated at the end of daylight saving time, which is ambiguous.
    const here = wallClock(written)
      .toZonedDateTime(zone, { disambiguation: 'reject' })
      .withTimeZone(clinicZone);
    return {
      date: here.toPlainDate().toString(),
      time: here.toPlainTime().toString({ smallestUnit: 'minute' }),
      ...before,
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
