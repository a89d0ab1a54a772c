import { DAY } from '../../src/platform/duration.ts';
import type { ComputedValue } from './formulas.ts';
import type { CellValue, SandboxCell } from './workbook.ts';

interface NumberFormat {
  type: string;
  pattern?: string;
}

/** How a spreadsheet reads and shows what is typed, by its locale. */
interface Reading {
  /** Order of a date in numbers. */
  order: 'dmy' | 'mdy';
  separator: string;
  decimal: string;
  yes: string;
  no: string;
}

const readings: Record<string, Reading> = {
  en_US: { order: 'mdy', separator: '/', decimal: '.', yes: 'TRUE', no: 'FALSE' },
  en_GB: { order: 'dmy', separator: '/', decimal: '.', yes: 'TRUE', no: 'FALSE' },
  de_DE: { order: 'dmy', separator: '.', decimal: ',', yes: 'WAHR', no: 'FALSCH' },
  fr_FR: { order: 'dmy', separator: '/', decimal: ',', yes: 'VRAI', no: 'FAUX' },
};
const readingOf = (locale: string): Reading => readings[locale] ?? (readings.en_GB as Reading);

const EPOCH = Date.UTC(1899, 11, 30);

interface Entered {
  value: CellValue;
  /** Set by what was typed, unless the cell has a format. */
  format?: NumberFormat;
}

/** A text typed into a cell: its format and the spreadsheet's locale decide what it becomes. */
export function typed(
  text: string,
  { locale, format, year }: { locale: string; format: NumberFormat | undefined; year: number },
): Entered | undefined {
  if (text === '') return undefined;
  if (text.startsWith("'")) return { value: { stringValue: text.slice(1) } };
  if (format?.type === 'TEXT') return { value: { stringValue: text } };
  if (text.startsWith('=')) return { value: { formulaValue: text } };
  const { decimal, yes, no } = readingOf(locale);
  // English is understood everywhere.
  if ([yes, 'TRUE'].includes(text.toUpperCase())) return { value: { boolValue: true } };
  if ([no, 'FALSE'].includes(text.toUpperCase())) return { value: { boolValue: false } };
  const [, sign = '', whole = '', , part = '', percent] =
    /^([+-]?)(\d+)([.,](\d+))?(\s?%)?$/.exec(text.replace(decimal, '.')) ?? [];
  if (whole !== '' && !(text.includes('.') && decimal === ',')) {
    const number = Number(`${sign}${whole}.${part || 0}`);
    return percent
      ? { value: { numberValue: number / 100 }, format: { type: 'PERCENT' } }
      : { value: { numberValue: number } };
  }
  return dateIn(text, locale, year) ?? timeIn(text) ?? { value: { stringValue: text } };
}

function dateIn(text: string, locale: string, thisYear: number): Entered | undefined {
  const [, y, m, d] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  const [, one, other, year = String(thisYear)] =
    /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}))?$/.exec(text) ?? [];
  const isDayFirst = readingOf(locale).order === 'dmy';
  const found = y === undefined ? [year, isDayFirst ? other : one, isDayFirst ? one : other] : [y, m, d];
  const [wholeYear = 0, month = 0, day = 0] = found.map(Number);
  const ms = Date.UTC(wholeYear, month - 1, day);
  const date = new Date(ms);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return { value: { numberValue: (ms - EPOCH) / DAY }, format: { type: 'DATE' } };
}

function timeIn(text: string): Entered | undefined {
  const [, hour, minute, half] = /^(\d{1,2}):(\d{2})(?:\s?([ap])m)?$/i.exec(text) ?? [];
  if (hour === undefined || Number(minute) > 59 || Number(hour) > (half ? 12 : 23)) return undefined;
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  return { value: { numberValue: (hours * 60 + Number(minute)) / 1_440 }, format: { type: 'TIME' } };
}

export const formatOf = (cell: SandboxCell | undefined): NumberFormat | undefined =>
  cell?.format?.numberFormat as NumberFormat | undefined;

/** A result as people see it. */
export function formatted(
  result: ComputedValue,
  format: NumberFormat | undefined,
  locale: string,
): string | undefined {
  const { numberValue, stringValue, boolValue, errorValue } = result;
  if (errorValue)
    return errorValue.type === 'LOADING' ? 'Loading...' : `#${errorValue.type.replace('N_A', 'N/A')}`;
  const { yes, no, decimal, order, separator } = readingOf(locale);
  if (boolValue !== undefined) return boolValue ? yes : no;
  if (numberValue === undefined) return stringValue;
  const date = new Date(Math.round((EPOCH + numberValue * DAY) / 60_000) * 60_000);
  const iso = date.toISOString();
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-');
  const own = (
    order === 'dmy' ? [day, month, year] : [String(Number(month)), String(Number(day)), year]
  ).join(separator);
  const shownDate = format?.pattern?.startsWith('yyyy-mm-dd') ? iso.slice(0, 10) : own;
  if (format?.type === 'DATE') return shownDate;
  if (format?.type === 'TIME') return iso.slice(11, 16);
  if (format?.type === 'DATE_TIME') return `${shownDate} ${iso.slice(11, 16)}`;
  if (format?.type === 'PERCENT') return `${numberValue * 100}%`.replace('.', decimal);
  return String(numberValue).replace('.', decimal);
}
