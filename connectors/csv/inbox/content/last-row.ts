import type { HeaderMap } from './headers.ts';

/** A time in the afternoon of a 24-hour clock, or with its half of the day: nothing after it could change it. */
const WHOLE_TIME = /^(?:00|1[3-9]|2[0-3]):\d{2}(?::\d{2})?$|\d\s*[ap]\.?\s?m\.?$/i;

export interface LastRow {
  headers: readonly string[];
  map: HeaderMap;
  /** The last row, whether the text ends with a quotation mark, and the shapes of the last column above it. */
  last: string[];
  endsQuoted: boolean;
  shapes: ReadonlySet<string>;
}

/** `2026-04-01` and `2027-12-31` are `9999-99-99`. */
export const shapeOf = (cell: string): string => cell.trim().replace(/\d/g, '9').slice(0, 40);

/**
 * Whether the last row of a file without a line end may be the beginning of a longer one. Not when its last cell is
 * closed by a quotation mark that cannot be half of a doubled one, is not booked, or is a day or time written like
 * those of the rows before.
 */
export function mayGoOn(file: LastRow): boolean {
  const { headers, map, last, endsQuoted, shapes } = file;
  if (last.length < headers.length) return true;
  const column = last.length - 1;
  const fields = Object.entries(map).flatMap(([field, columns]) => (columns.includes(column) ? [field] : []));
  if (fields.length === 0) return !endsQuoted && last.length > headers.length;
  if (endsQuoted) return fields.some((field) => WORDS.includes(field)) && mayQuote(last.at(-1) ?? '', fields);
  const cell = last.at(-1)?.trim() ?? '';
  if (fields.includes('appointment_time') && WHOLE_TIME.test(cell)) return false;
  const isSlot = fields.every((field) => ['appointment_date', 'appointment_time'].includes(field));
  const shape = shapeOf(cell);
  const isUsual =
    shapes.has(shape) && ![...shapes].some((other) => other !== shape && other.startsWith(shape));
  // Without leading zeros, one more digit makes another day of it.
  return !(isSlot && isUsual && /\d{2}\D*$/.test(cell));
}

const WORDS: readonly string[] = ['patient_name', 'address', 'note'];

/**
 * Whether people may quote something at the end of this text, so that its last quotation mark may be the first of two.
 */
const mayQuote = (text: string, fields: readonly string[]): boolean =>
  !fields.includes('patient_name') || /(?:^|\s)$/.test(text) || text.split('"').length % 2 === 0;
