import { Temporal } from 'temporal-polyfill';
import { readFormat, type Written } from './date-time-format.ts';

/** What a text says about date and time, by the clinic's wall clock: YYYY-MM-DD and HH:MM. */
export interface When {
  date?: string;
  time?: string;
  /** It named a zone, so date and time were converted; `writtenDate` is the date as it stood there. */
  writtenDate?: string;
}

export interface WhenOptions {
  /** How dates and times are written beside year-first ones. */
  format?: string | undefined;
  /** The zone of a date and time that names none. */
  zone?: string | undefined;
  /** Undefined when it is not known which clinic it is for: then nothing can be converted. */
  clinicZone: string | undefined;
}

const isoDateTime = /^(\d{4}-\d{1,2}-\d{1,2})[T ]+(\d{1,2}:\d{2})(?::00(?:\.0+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;
const isoDate = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/;
const timeOfDay = /^(\d{1,2}):(\d{2})(?::00(?:\.0+)?)?(?:\s*([ap])\.?m\.?)?$/i;

/**
 * Reads only what can mean one thing: year-first dates, ISO 8601, times of day, and the configured format. Undefined
 * for anything else: 03/04 is March to one reader and April to the next, and a guess would book the wrong day.
 */
export function readWhen(text: string, options: WhenOptions): When | undefined {
  const trimmed = text.normalize('NFKC').trim();
  const { format } = options;
  if (format !== undefined) {
    const written = readFormat(trimmed, format);
    if (written) return local(written, options);
  }
  const [, day, clock, offset] = isoDateTime.exec(trimmed) ?? [];
  if (day !== undefined && clock !== undefined) {
    const written = { ...dateParts(day), ...timeParts(clock) };
    return offset === undefined ? local(written, options) : converted(written, offset, options);
  }
  const written = { ...dateParts(trimmed), ...timeParts(trimmed) };
  return Object.keys(written).length === 0 ? undefined : local(written, options);
}

function dateParts(text: string): Written {
  const [, year, , month, day] = isoDate.exec(text) ?? [];
  return year === undefined ? {} : { year: Number(year), month: Number(month), day: Number(day) };
}

function timeParts(text: string): Written {
  const [, shown, minute, half] = timeOfDay.exec(text) ?? [];
  if (shown === undefined) return {};
  const hour = Number(shown);
  if (half === undefined) return { hour, minute: Number(minute) };
  // 13:00 PM is no time: an hour that does not exist makes the reading fail below.
  if (hour < 1 || hour > 12) return { hour: 99, minute: 0 };
  return { hour: (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0), minute: Number(minute) };
}

function local(written: Written, { zone, clinicZone }: WhenOptions): When | undefined {
  return attempt(() => {
    const date = plainDate(written);
    const time = plainTime(written);
    if (date === undefined || time === undefined || zone === undefined || zone === clinicZone)
      return shown(date, time);
    if (clinicZone === undefined) return undefined;
    // The hour that an autumn change repeats is rejected: which one is meant would be a guess.
    const there = date.toPlainDateTime(time).toZonedDateTime(zone, { disambiguation: 'reject' });
    return inZone(there.toInstant(), clinicZone, date);
  });
}

function converted(written: Written, offset: string, { clinicZone }: WhenOptions): When | undefined {
  if (clinicZone === undefined) return undefined;
  return attempt(() => {
    const date = plainDate(written);
    const time = plainTime(written);
    if (date === undefined || time === undefined) return undefined;
    const zone = offset.toUpperCase() === 'Z' ? 'UTC' : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
    return inZone(date.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant(), clinicZone, date);
  });
}

function inZone(instant: Temporal.Instant, zone: string, date: Temporal.PlainDate): When {
  const there = instant.toZonedDateTimeISO(zone);
  return { ...shown(there.toPlainDate(), there.toPlainTime()), writtenDate: date.toString() };
}

const shown = (date: Temporal.PlainDate | undefined, time: Temporal.PlainTime | undefined): When => ({
  ...(date && { date: date.toString() }),
  ...(time && { time: time.toString({ smallestUnit: 'minute' }) }),
});

function plainDate({ year, month, day }: Written): Temporal.PlainDate | undefined {
  if (year === undefined) return undefined;
  return Temporal.PlainDate.from({ year, month: month ?? 0, day: day ?? 0 }, { overflow: 'reject' });
}

function plainTime({ hour, minute }: Written): Temporal.PlainTime | undefined {
  if (hour === undefined) return undefined;
  return Temporal.PlainTime.from({ hour, minute: minute ?? 0 }, { overflow: 'reject' });
}

/** A date or time that does not exist is not understood. */
function attempt(read: () => When | undefined): When | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
