import { Temporal } from 'temporal-polyfill';
import { westernDigits } from '../platform/text/digits.ts';
import { monthNamed, weekdayNamed } from './calendar-words.ts';
import { readDate, readTime } from './date-time.ts';

/** The numbers in a text; the date or time may not exist. Hours are 0–23. */
interface Written {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  /** +1 for PM, 0 for AM. */
  half?: 0 | 1;
  /** From 1 for Monday. */
  weekday?: number;
}

interface Token {
  pattern: string;
  read?: (text: string, into: Written) => void;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const number = (key: 'month' | 'day' | 'hour' | 'minute') => (text: string, into: Written) => {
  into[key] = Number(text);
};
/** In a known order, a year of two digits is one of this century. */
const CENTURY = 2_000;
const year: Token = {
  pattern: '(\\d{4})',
  read: (text, into) => {
    into.year = Number(text) + (text.length === 2 ? CENTURY : 0);
  },
};
const monthName: Token = {
  pattern: '(\\p{L}[\\p{L}\\p{M}]{0,19}(?: \\p{L}[\\p{L}\\p{M}]{0,19})?)\\.?',
  read: (text, into) => {
    into.month = monthNamed(text) ?? 0;
  },
};
const weekday: Token = {
  pattern: '([\\p{L}\\p{M}]{1,20})\\.?',
  read: (text, into) => {
    into.weekday = weekdayNamed(text) ?? 0;
  },
};
const half: Token = {
  pattern: '([ap])\\.? ?m\\.?',
  read: (text, into) => {
    into.half = text.toLowerCase() === 'p' ? 1 : 0;
  },
};

const day: Token = { pattern: '(\\d{1,2})', read: number('day') };
const hour: Token = { pattern: '(\\d{1,2})', read: number('hour') };
const month: Token = { pattern: '(\\d{1,2})', read: number('month') };

/** The tokens of common form tools; literal letters go into [brackets]. */
const tokens: Record<string, Token> = {
  YYYY: year,
  MMMM: monthName,
  MMM: monthName,
  MM: month,
  M: month,
  DD: day,
  Do: { pattern: '(\\d{1,2})(?:st|nd|rd|th)', read: number('day') },
  D: day,
  dddd: weekday,
  ddd: weekday,
  HH: hour,
  H: hour,
  hh: hour,
  h: hour,
  mm: { pattern: '(\\d{2})', read: number('minute') },
  // Whole minutes only: dropping seconds would book another time.
  ss: { pattern: '00' },
  A: half,
  a: half,
};
const splitter = /\[[^\]]*\]|YYYY|MMMM|MMM|MM|M|DD|Do|D|dddd|ddd|HH|H|hh|h|mm|ss|A|a|\s+|./gu;

const partsOf = (format: string): string[] => format.match(splitter) ?? [];

/** True for a complete date, a complete time of day or both, with no duplicate and no unknown letter. */
export function isDateTimeFormat(format: string): boolean {
  const parts = partsOf(format);
  const has = (...names: string[]) => parts.filter((part) => names.includes(part)).length;
  if (parts.some((part) => /^\p{L}$/u.test(part) && tokens[part] === undefined)) return false;
  const date = [has('YYYY'), has('MMMM', 'MMM', 'MM', 'M'), has('DD', 'D', 'Do')];
  const hours = has('HH', 'H') + has('hh', 'h');
  const halves = has('A', 'a');
  if ([...date, hours, has('mm'), halves].some((count) => count > 1)) return false;
  const wholeDate = date.every((count) => count === 1);
  const noDate = date.every((count) => count === 0);
  const wholeTime = has('HH', 'H') + has('mm') === 2 ? halves === 0 : has('hh', 'h') === 1 && halves === 1;
  const noTime = hours + has('mm') + halves === 0;
  return (wholeDate && (wholeTime || noTime)) || (noDate && wholeTime);
}

/**
 * The date (YYYY-MM-DD) and time of day (HH:MM) in a text of this format; undefined when the text does not match, empty
 * when there is no such date or time.
 */
export function readFormat(text: string, format: string): { date?: string; time?: string } | undefined {
  const written = writtenIn(text, format);
  if (written === undefined) return undefined;
  const { year, month = 0, day = 0, weekday = 0, hour, minute = 0 } = written;
  const named = year === undefined ? undefined : readDate(`${String(year).padStart(4, '0')}-${month}-${day}`);
  const isOther = weekday > 0 && named !== undefined && Temporal.PlainDate.from(named).dayOfWeek !== weekday;
  const date = isOther ? undefined : named;
  const time =
    hour === undefined ? undefined : readTime(`${String(hour)}:${String(minute).padStart(2, '0')}`);
  if ((year !== undefined && date === undefined) || (hour !== undefined && time === undefined)) return {};
  return { ...(date !== undefined && { date }), ...(time !== undefined && { time }) };
}

const isNumber = (part: string | undefined): boolean => tokens[part ?? '']?.pattern.includes('\\d') ?? false;

function patternOf(parts: readonly string[], index: number): string {
  const part = parts[index] ?? '';
  const { pattern } = tokens[part] ?? {};
  if (pattern === undefined)
    return /^\s+$/.test(part) ? '\\s+' : RegExp.escape(part.startsWith('[') ? part.slice(1, -1) : part);
  // Numbers that touch have their whole width, and a year in front of month and day has, too.
  const touches = isNumber(part) && (isNumber(parts[index - 1]) || isNumber(parts[index + 1]));
  const isShort = part === 'YYYY' && !touches && parts.slice(0, index).some((one) => /^D/.test(one));
  return isShort ? '(\\d{4}|\\d{2})' : touches ? pattern.replace('{1,2}', '{2}') : pattern;
}

function writtenIn(text: string, format: string): Written | undefined {
  const readers: NonNullable<Token['read']>[] = [];
  const parts = partsOf(format);
  const pattern = parts.map((part, index) => {
    const read = tokens[part]?.read;
    if (read) readers.push(read);
    return patternOf(parts, index);
  });
  const match = new RegExp(`^${pattern.join('')}$`, 'iu').exec(westernDigits(text.normalize('NFKC')).trim());
  if (match === null) return undefined;
  const written: Written = {};
  for (const [index, read] of readers.entries()) read(match[index + 1] ?? '', written);
  if (written.half !== undefined) {
    const shown = written.hour ?? 0;
    if (shown < 1 || shown > 12) return undefined;
    written.hour = (shown % 12) + written.half * 12;
    written.minute ??= 0;
  }
  return written;
}

export interface PossibleDate {
  format: string;
  /** YYYY-MM-DD */
  date: string;
}

const daysAndMonths = [
  ['DD', 'MM'],
  ['MM', 'DD'],
] as const;
const clocks = ['', ' HH:mm', ' HH:mm:ss', ' h:mm A'];

/** What a date in numbers, with its year last, means day first and month first; empty for any other text. */
export function possibleDates(text: string): PossibleDate[] {
  const [, separator] =
    /^\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|[2-9]\d)(?!\d)/.exec(westernDigits(text.normalize('NFKC')).trim()) ??
    [];
  if (separator === undefined) return [];
  const formats = daysAndMonths.flatMap((order) =>
    clocks.map((clock) => `${[...order, 'YYYY'].join(separator)}${clock}`),
  );
  return formats.flatMap((format) => {
    const { date } = readFormat(text, format) ?? {};
    return date === undefined ? [] : [{ format, date }];
  });
}

/** A date (YYYY-MM-DD) and time of day (HH:MM) in this format; the inverse of `readFormat`. */
export function writeFormat(date: string, time: string, format: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const [hour = '', minute = ''] = time.split(':');
  const twelve = String(Number(hour) % 12 || 12);
  const name = (months[Number(month) - 1] ?? '').replace(/^./, (first) => first.toUpperCase());
  const half = Number(hour) < 12 ? 'am' : 'pm';
  const written: Record<string, string> = {
    ...{ YYYY: year, MMMM: name, MMM: name, MM: month, M: String(Number(month)) },
    ...{ DD: day, D: String(Number(day)), Do: `${Number(day)}th`, dddd: 'day', ddd: 'day' },
    ...{ HH: hour, H: String(Number(hour)), hh: twelve.padStart(2, '0'), h: twelve },
    ...{ mm: minute, ss: '00', A: half.toUpperCase(), a: half },
  };
  return partsOf(format)
    .map((part) => written[part] ?? (part.startsWith('[') ? part.slice(1, -1) : part))
    .join('');
}
