import { readDate as readYearFirst } from '../../../src/domain/date-time.ts';
import { readFormat } from '../../../src/domain/date-time-format.ts';

const shape = /^(YYYY|MM|DD)([/.\- ])(YYYY|MM|DD)\2(YYYY|MM|DD)$/;

export function isDateFormat(format: string): boolean {
  const [, first, , second, third] = shape.exec(format) ?? [];
  return first !== undefined && new Set([first, second, third]).size === 3;
}

const yearFirst = /^\d{4}([-/])\d{1,2}\1\d{1,2}$/;

/** Spreadsheet programs tend to append midnight to a date. */
const emptyTime = /[T ]0{1,2}:00(:00(\.0+)?)?$/;

/** A date as YYYY-MM-DD; undefined unless it is written year first or in the configured format. */
export function readDate(text: string, format: string | undefined): string | undefined {
  const date = text.normalize('NFKC').trim().replace(emptyTime, '');
  if (format === undefined || yearFirst.test(date)) return readYearFirst(date);
  const parts = date.split(/([/.-])/).map((part) => part.trim());
  return readFormat(parts.join(''), format)?.date;
}
