import { Temporal } from 'temporal-polyfill';
import { readDate, readTime } from '../../../src/domain/date-time.ts';
import { readFormat } from '../../../src/domain/date-time-format.ts';
import { westernDigits } from '../../../src/platform/digits.ts';

/** A date and time on the clinic's wall clock: YYYY-MM-DD and HH:MM. */
export interface When {
  date?: string;
  time?: string;
  /** Date and time before conversion, when the text named a zone. */
  writtenDate?: string;
  writtenTime?: string;
}

interface WhenOptions {
  /** Format of dates and times that are not year-first. */
  format?: string | undefined;
  /** Zone of a date and time that names none. */
  zone?: string | undefined;
  /** Undefined when the clinic is unknown; nothing can then be converted. */
  clinicZone: string | undefined;
}

/** A date, a time of day and optionally a zone: ISO 8601, `2026-12-14 3:30 PM`, `December 14, 2026 at 3 PM`. */
const dateAndTime =
  /^(?<day>.{1,40}?\d)(?:T|,? (?:at )?)(?<time>\d{1,2}(?:[:.]\d{2})?(?::00(?:\.0+)?)?(?: ?[ap]\.?m\.?)?) ?(?<offset>Z|[+-]\d{2}:?\d{2})?$/i;

type Written = Pick<When, 'date' | 'time'>;

/**
 * Reads only unambiguous texts: dates year first or with the month's English name, ISO 8601, times of day, and the
 * configured format. Undefined for anything else: 03/04 may be March or April, and a guess could book the wrong day.
 */
export function readWhen(text: string, options: WhenOptions): When | undefined {
  // Pages written from right to left may add direction marks.
  const trimmed = text
    .normalize('NFKC')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim();
  const { format } = options;
  const zone = options.zone === options.clinicZone ? undefined : options.zone;
  const written = format === undefined ? undefined : readFormat(trimmed, format);
  if (written !== undefined) return inClinicTime(written, zone, options);

  const spaced = westernDigits(trimmed).replace(/\s+/g, ' ');
  const { day, time: clock, offset } = dateAndTime.exec(spaced)?.groups ?? {};
  if (day === undefined || clock === undefined) return inClinicTime(dateOrTime(trimmed), zone, options);
  const [date, time] = [readDate(day), readTime(clock)];
  if (date === undefined || time === undefined) return undefined;
  return inClinicTime({ date, time }, offset === undefined ? zone : zoneOf(offset), options);
}

function dateOrTime(text: string): Written {
  const [date, time] = [readDate(text), readTime(text)];
  return { ...(date !== undefined && { date }), ...(time !== undefined && { time }) };
}

const zoneOf = (offset: string): string =>
  offset.toUpperCase() === 'Z' ? 'UTC' : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');

/** Converts a full date and time from another zone; a lone date or time is taken as the clinic's. */
function inClinicTime(
  written: Written,
  zone: string | undefined,
  { clinicZone }: WhenOptions,
): When | undefined {
  const { date, time } = written;
  if (date === undefined && time === undefined) return undefined;
  if (date === undefined || time === undefined || zone === undefined) return written;
  if (clinicZone === undefined) return undefined;
  try {
    // Rejects the hour repeated at the end of daylight saving time, which is ambiguous.
    const there = Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone, {
      disambiguation: 'reject',
    });
    const here = there.withTimeZone(clinicZone);
    return {
      date: here.toPlainDate().toString(),
      time: here.toPlainTime().toString({ smallestUnit: 'minute' }),
      writtenDate: date,
      writtenTime: time,
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
