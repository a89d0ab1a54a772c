import { readDate as readYearFirst } from '../../../../src/domain/date-time.ts';
import { readFormat } from '../../../../src/domain/date-time-format.ts';

const shape = /^(YYYY|MM|DD)([/.\- ])(YYYY|MM|DD)\2(YYYY|MM|DD)$/;

export function isDateFormat(format: string): boolean {
  const [, first, , second, third] = shape.exec(format) ?? [];
  return first !== undefined && new Set([first, second, third]).size === 3;
}

const yearFirst = /^\d{4}([-/])\d{1,2}\1\d{1,2}$/;

/** Spreadsheet programs tend to append midnight to a date. */
const emptyTime = /[T ]0{1,2}:00(:00(\.0+)?)?$/;

/** The same parts with day and month exchanged; undefined for year-first formats, which people do not confuse. */
export const otherOrder = (format: string | undefined): string | undefined =>
  format === undefined || format.startsWith('YYYY')
    ? undefined
    : format.replace(/DD|MM/g, (part) => (part === 'DD' ? 'MM' : 'DD'));

/** Whether a date in one column is written in the configured order only, in the other order only, or can be either. */
export function orderOf(text: string, format: string): 'configured' | 'other' | 'either' | undefined {
  const [own, other] = [readDay(text, format), readDay(text, otherOrder(format))];
  if (yearFirst.test(text.trim()) || (own ?? other) === undefined) return undefined;
  if (own === undefined) return 'other';
  return other === undefined || other === own ? 'configured' : 'either';
}

/** The day in a cell that may also hold a time. */
const readDay = (text: string, format: string | undefined) =>
  readFormattedDate(text.replace(timeAfter, ''), format);

/** From the first sign of a run only: from each of them, a long run would take quadratic time. */
const timeAfter = /(?<![T ,])[T ,]+\d{1,2}[:.h]\d{2}.*$/s;
/** Longer texts are no dates; bounds the work. */
const LONGEST = 80;

/** A day in the configured order, with the time of day after it: readable by everybody. */
export function withTime(text: string, format: string | undefined): string | undefined {
  const [time] = (text.length > LONGEST ? undefined : timeAfter.exec(text)) ?? [];
  const day = time === undefined ? undefined : readDay(text, format);
  return day === undefined ? undefined : `${day} ${time?.replace(/^[T ,]+/, '')}`;
}

/** A date as YYYY-MM-DD; undefined unless it is written year first or in the configured format. */
export function readFormattedDate(text: string, format: string | undefined): string | undefined {
  if (text.length > LONGEST) return undefined;
  const date = text.normalize('NFKC').trim().replace(emptyTime, '');
  if (format === undefined || yearFirst.test(date)) return readYearFirst(date);
  return readFormat(date.replace(/ ?([/.-]) ?/g, '$1'), format)?.date;
}
