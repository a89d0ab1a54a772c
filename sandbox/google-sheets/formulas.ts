import { DAY, MINUTE } from '../../src/platform/duration.ts';
import type { Cell, CellValue, Grid, Workbook } from './workbook.ts';

export type EffectiveValue = CellValue & { errorValue?: { type: string; message: string } };

/** Maximum depth of references between formulas. */
const DEEPEST = 20;

/**
 * The result of a cell. Supports `=TODAY()`, `=NOW()` and a cell of the same tab (`=A5`), each plus or minus a number,
 * and `=IF(NOW()*1440>123;"then";"else")`, `=NA()`, and IMPORTRANGE, which never stops loading. References are not adjusted when rows move. Any other formula is an error,
 * like a misspelt name.
 *
 * @param now The spreadsheet's local time as a serial number.
 */
export function effectiveValue(
  grid: Grid,
  cell: Cell | undefined,
  now: number,
  depth = 0,
): EffectiveValue | undefined {
  const formula = cell?.value?.formulaValue;
  if (formula === undefined) return cell?.value;
  if (depth > DEEPEST) return failed('REF', 'Circular dependency detected.');
  const [, limit, late, early] = /^=IF\(NOW\(\)\*1440>(\d+)[;,]"([^"]*)"[;,]"([^"]*)"\)$/.exec(formula) ?? [];
  if (limit !== undefined) return { stringValue: (now * 1_440 > Number(limit) ? late : early) ?? '' };
  const [, source = '', letters = '', row = '', sign, added] =
    /^=(TODAY\(\)|NOW\(\)|\$?([A-Z]{1,2})\$?(\d+))(?:([+-])(\d+(?:\.\d+)?))?$/i.exec(formula) ?? [];
  if (source === '') return failureOf(formula);
  const base = letters === '' ? clock(source, now) : refer(grid, { letters, row }, now, depth);
  if (sign === undefined || base.errorValue) return base;
  const { numberValue = Object.keys(base).length === 0 ? 0 : undefined } = base;
  if (numberValue === undefined) return failed('VALUE', 'A number was expected.');
  return { numberValue: numberValue + (sign === '-' ? -1 : 1) * Number(added) };
}

const failureOf = (formula: string): EffectiveValue => {
  if (/^=NA\(\)$/i.test(formula)) return failed('N_A', 'Not available.');
  if (/^=IMPORTRANGE\(/i.test(formula)) return failed('LOADING', 'Loading...');
  return failed('NAME', 'Unknown function or name.');
};

const failed = (type: string, message: string): EffectiveValue => ({ errorValue: { type, message } });

const clock = (source: string, now: number): EffectiveValue => ({
  numberValue: source.toUpperCase().startsWith('TODAY') ? Math.floor(now) : now,
});

function refer(
  grid: Grid,
  { letters, row }: { letters: string; row: string },
  now: number,
  depth: number,
): EffectiveValue {
  const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  if (column > grid.columns.length || Number(row) < 1 || Number(row) > grid.rowCount)
    return failed('REF', 'Reference does not exist.');
  return effectiveValue(grid, grid.rows[Number(row) - 1]?.[column - 1], now, depth + 1) ?? {};
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
