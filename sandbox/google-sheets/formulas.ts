import { DAY, MINUTE } from '../../src/platform/duration.ts';
import { columnOf } from './references.ts';
import type { CellValue, Grid, SandboxCell, Workbook } from './workbook.ts';

export type ComputedValue = CellValue & { errorValue?: { type: string; message: string } };

/** The tab with a formula, and its spreadsheet. */
interface Place {
  book: Workbook;
  grid: Grid;
}

/** Maximum depth of references between formulas. */
const DEEPEST = 20;

/**
 * The result of a cell. Supports `=TODAY()`, `=NOW()` and a cell of the same tab (`=A5`), each plus or minus a number,
 * and `=IF(NOW()*1440>123;"then";"else")`, `=NA()`, `=SUM(…)` of one range, and IMPORTRANGE, which never stops loading.
 * Any other formula is an error, like a misspelt name.
 *
 * @param now The spreadsheet's local time as a serial number.
 */
export function effectiveValue(
  place: Place,
  cell: SandboxCell | undefined,
  now: number,
  depth = 0,
): ComputedValue | undefined {
  const formula = cell?.value?.formulaValue;
  if (formula === undefined) return cell?.value;
  if (depth > DEEPEST) return failed('REF', 'Circular dependency detected.');
  const known = functionIn(formula, place, now, depth);
  if (known) return known;
  const [, source = '', letters = '', row = '', sign, added] =
    /^=(TODAY\(\)|NOW\(\)|\$?([A-Z]{1,2})\$?(\d+))(?:([+-])(\d+(?:\.\d+)?))?$/i.exec(formula) ?? [];
  if (source === '') return failed('NAME', 'Unknown function or name.');
  const base = letters === '' ? clock(source, now) : refer(place, { letters, row }, now, depth);
  if (sign === undefined || base.errorValue) return base;
  const { numberValue = Object.keys(base).length === 0 ? 0 : undefined } = base;
  if (numberValue === undefined) return failed('VALUE', 'A number was expected.');
  return { numberValue: numberValue + (sign === '-' ? -1 : 1) * Number(added) };
}

function functionIn(formula: string, place: Place, now: number, depth: number): ComputedValue | undefined {
  if (/^=NA\(\)$/i.test(formula)) return failed('N_A', 'Not available.');
  if (/^=IMPORTRANGE\(/i.test(formula)) return failed('LOADING', 'Loading...');
  const [, summed] = /^=SUM\((.+)\)$/i.exec(formula) ?? [];
  if (summed !== undefined) return sum(place, summed, now, depth);
  const [, limit, late, early] = /^=IF\(NOW\(\)\*1440>(\d+)[;,]"([^"]*)"[;,]"([^"]*)"\)$/.exec(formula) ?? [];
  return limit === undefined
    ? undefined
    : { stringValue: (now * 1_440 > Number(limit) ? late : early) ?? '' };
}

const failed = (type: string, message: string): ComputedValue => ({ errorValue: { type, message } });

const clock = (source: string, now: number): ComputedValue => ({
  numberValue: source.toUpperCase().startsWith('TODAY') ? Math.floor(now) : now,
});

function refer(
  { book, grid }: Place,
  { letters, row }: { letters: string; row: string },
  now: number,
  depth: number,
): ComputedValue {
  const column = columnOf(letters);
  if (column >= grid.columns.length || Number(row) < 1 || Number(row) > grid.rowCount)
    return failed('REF', 'Reference does not exist.');
  return effectiveValue({ book, grid }, grid.rows[Number(row) - 1]?.[column], now, depth + 1) ?? {};
}

/** The numbers in a range, a named range or a whole column, of this tab or another. */
function sum({ book, grid }: Place, of: string, now: number, depth: number): ComputedValue {
  const named = book.namedRanges.find(({ name }) => name === of);
  const [, quoted, plain, from = '', first, to = '', last] =
    /^(?:(?:'([^']+)'|(\w+))!)?\$?([A-Z]{1,2})\$?(\d*):\$?([A-Z]{1,2})\$?(\d*)$/.exec(of) ?? [];
  const title = quoted ?? plain;
  const there = named
    ? book.grids.find(({ sheetId }) => sheetId === named.sheetId)
    : from && book.grids.find((one) => one.title === (title ?? grid.title));
  if (!there) return failed('REF', 'Reference does not exist.');
  const range = named?.range ?? {
    startRowIndex: first ? Number(first) - 1 : 0,
    endRowIndex: last ? Number(last) : there.rowCount,
    startColumnIndex: columnOf(from),
    endColumnIndex: columnOf(to) + 1,
  };
  const cells = there.rows
    .slice(range.startRowIndex, range.endRowIndex)
    .flatMap((row) => row.slice(range.startColumnIndex, range.endColumnIndex));
  const numbers = cells.map(
    (cell) => effectiveValue({ book, grid: there }, cell, now, depth + 1)?.numberValue ?? 0,
  );
  return { numberValue: numbers.reduce((total, one) => total + one, 0) };
}

/** The value of NOW(): the time of the last change, or the last full minute if the spreadsheet recalculates then. */
export const recalculatedAt = (ms: number, { autoRecalc, changedAt }: Workbook): number =>
  autoRecalc === 'ON_CHANGE' ? changedAt : Math.max(changedAt, ms - (ms % MINUTE));

/** Google names a custom zone GMT-07:00; everyone else calls it -07:00. */
export const zoneOf = (timeZone: string): string => timeZone.replace(/^GMT(?=[+-])/, '');

/** The local time in the spreadsheet's time zone as a serial number. */
export function serialNow(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zoneOf(timeZone),
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(ms);
  return (Date.parse(`${parts.replace(' ', 'T')}Z`) - Date.UTC(1899, 11, 30)) / DAY;
}
