import { Temporal } from 'temporal-polyfill';
import { wallClockAt } from '../../../src/domain/date-time.ts';
import { DAY, MINUTE } from '../../../src/platform/duration.ts';

/** Content of a cell as entered; cells with the same formula are equal. */
export type Content = Plain | Formula;
export type Plain = string | number | boolean | null;
interface Formula {
  readonly formula: string;
  /** Present when results were requested. */
  readonly result?: Plain | FormulaFault;
}
interface FormulaFault {
  /** Google's name of the error: `REF`, `N_A`, `LOADING` and so on. */
  readonly fault: string;
}

interface RawValue {
  numberValue?: number | null;
  stringValue?: string | null;
  boolValue?: boolean | null;
  formulaValue?: string | null;
}
interface EffectiveValue extends RawValue {
  errorValue?: { type?: string | null } | null;
}

export const isFormula = (content: Content | undefined): content is Formula =>
  typeof content === 'object' && content !== null;

/** @param effective The cell's result, needed only for formulas. */
export function fromRaw(value: RawValue | null | undefined, effective?: EffectiveValue | null): Content {
  if (!value) return null;
  if (!value.formulaValue) return plainOf(value);
  const formula = value.formulaValue;
  if (!effective) return { formula };
  const fault = effective.errorValue;
  return { formula, result: fault ? { fault: fault.type ?? 'ERROR' } : plainOf(effective) };
}

function plainOf({ numberValue, stringValue, boolValue }: RawValue): Plain {
  const content = numberValue ?? stringValue ?? boolValue ?? null;
  return content === '' ? null : content;
}

/** Text stays text, whatever it looks like: nothing written by a clinic or visitor becomes a formula. */
export function toRaw(content: Content): RawValue | undefined {
  if (content === null || content === '') return undefined;
  if (typeof content === 'object') return { formulaValue: content.formula };
  if (typeof content === 'number') return { numberValue: content };
  return typeof content === 'boolean' ? { boolValue: content } : { stringValue: content };
}

/** Without separators and blanks, which Google shows in the spreadsheet's language. */
const plain = (formula: string) =>
  formula
    .replaceAll(';', ',')
    .split('"')
    // Every second part is quoted text, whose blanks count.
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/\s+/g, '')))
    .join('"')
    .toUpperCase();

/** Tolerance, because Google changes the last bits of numbers. */
const NEAR = 1e-9;

export function sameContent(one: Content, other: Content): boolean {
  if (isFormula(one) || isFormula(other))
    return isFormula(one) && isFormula(other) && plain(one.formula) === plain(other.formula);
  if (typeof one === 'number' && typeof other === 'number')
    return one === other || Math.abs(one - other) <= NEAR * Math.max(1, Math.abs(one));
  return (one === '' ? null : one) === (other === '' ? null : other);
}

/** Google's limit for a text. */
const LONGEST_TEXT = 50_000;

export const textCell = (value: string | number | null | undefined): Content => {
  if (value === null || value === undefined || value === '') return null;
  // Google may normalise line breaks.
  const whole = String(value).replaceAll(/\r\n?/g, '\n');
  return whole.length <= LONGEST_TEXT ? whole : `${whole.slice(0, LONGEST_TEXT - 1).toWellFormed()}…`;
};

/** Whether `text` cut it. */
export const isCut = (content: Content): boolean =>
  typeof content === 'string' && content.length >= LONGEST_TEXT - 1 && content.endsWith('…');

export const numberCell = (value: string | number | null | undefined): Content =>
  typeof value === 'number' ? value : textCell(value);

/** A decimal as a number where that loses nothing, otherwise as text. */
export function money(value: string | number | null | undefined): Content {
  if (value === null || value === undefined || value === '') return null;
  const exact = String(value);
  const decimals = exact.split('.')[1]?.length ?? 0;
  return decimals <= 20 && Number(exact).toFixed(decimals) === exact ? Number(exact) : exact;
}

const EPOCH = Date.UTC(1899, 11, 30);

/** Days since 30 December 1899; text other than a date stays text. */
export function dateSerial(date: string | number | null | undefined): Content {
  if (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return textCell(date);
  const ms = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(ms) ? date : (ms - EPOCH) / DAY;
}

export function timeSerial(time: string | number | null | undefined): Content {
  const [, hour, minute] = /^(\d{2}):(\d{2})$/.exec(String(time ?? '')) ?? [];
  if (hour === undefined) return textCell(time);
  return (Number(hour) * 60 + Number(minute)) / 1_440;
}

/** An instant on a wall clock, to the minute. */
export function instantSerial(at: string | number | null | undefined, zone: string): Content {
  if (typeof at !== 'string' || at === '') return null;
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return at;
  return Math.floor(wallClockMs(ms, zone) / MINUTE) / 1_440 - EPOCH / DAY;
}

/** `2026-03-02 15:00` */
export function instantText(at: string, zone: string): string {
  const { date, time } = wallClockAt(Date.parse(at), zone);
  return `${date} ${time}`;
}

/** Whole minutes since the spreadsheet's epoch on its own clock, which is `NOW()*1440` there. */
export const wallMinutes = (ms: number, zone: string): number =>
  Math.floor((wallClockMs(ms, zone) - EPOCH) / MINUTE);

function wallClockMs(ms: number, zone: string): number {
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return ms + offsetNanoseconds / 1e6;
}

export const serialDate = (serial: number): string =>
  new Date(EPOCH + Math.floor(serial) * DAY).toISOString().slice(0, 10);

/** The time of day in a serial; undefined when it is not on a whole minute. */
export function serialTime(serial: number): string | undefined {
  const minutes = (serial - Math.floor(serial)) * 1_440;
  const whole = Math.round(minutes);
  if (Math.abs(minutes - whole) > 0.001 || whole >= 1_440) return undefined;
  return `${String(Math.floor(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`;
}
