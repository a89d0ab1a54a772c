import { Temporal } from 'temporal-polyfill';

const shape = /^(YYYY|MM|DD)([/.\- ])(YYYY|MM|DD)\2(YYYY|MM|DD)$/;

export function isDateFormat(format: string): boolean {
  const [, first, , second, third] = shape.exec(format) ?? [];
  return first !== undefined && new Set([first, second, third]).size === 3;
}

/** Spreadsheet programs like to add an empty time of day to a date. */
const emptyTime = /[T ]0{1,2}:00(:00(\.0+)?)?$/;

/**
 * A date as YYYY-MM-DD; undefined when it is none. Only year-first dates and the configured format are understood:
 * 03/04 is March to one reader and April to the next, and a guess would book the wrong day.
 */
export function readDate(text: string, format: string | undefined): string | undefined {
  const date = text.normalize('NFKC').trim().replace(emptyTime, '');
  const [, yearFirst, , month, day] = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/.exec(date) ?? [];
  if (yearFirst !== undefined) return existing(yearFirst, month, day);
  if (format === undefined) return undefined;

  const separator = shape.exec(format)?.[2] ?? '/';
  const parts = date.split(separator).map((part) => part.trim());
  if (parts.length !== 3) return undefined;
  const part: Record<string, string | undefined> = {};
  for (const [index, token] of format.split(separator).entries()) part[token] = parts[index];
  return existing(part.YYYY, part.MM, part.DD);
}

function existing(year = '', month = '', day = ''): string | undefined {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return undefined;
  try {
    const fields = { year: Number(year), month: Number(month), day: Number(day) };
    return Temporal.PlainDate.from(fields, { overflow: 'reject' }).toString();
  } catch {
    return undefined;
  }
}

/**
 * A time of day as HH:MM; undefined when it is none. Understands AM / PM, and seconds when they are zero: dropping any
 * other would book another time.
 */
export function readTime(text: string): string | undefined {
  const match = /^(\d{1,2}):(\d{2})(?::00(?:\.0+)?)?(?:\s*([ap])\.?m\.?)?$/i.exec(
    text.normalize('NFKC').trim(),
  );
  if (!match) return undefined;
  const [, shown = '', minute = '', half] = match;
  let hour = Number(shown);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  if (hour > 23 || Number(minute) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${minute}`;
}
