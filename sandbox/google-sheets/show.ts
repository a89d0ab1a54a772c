import { DAY } from '../../src/platform/duration.ts';
import { effectiveValue } from './formulas.ts';
import type { Cell, Grid } from './workbook.ts';

const EPOCH = Date.UTC(1899, 11, 30);
const at = (serial: number) => new Date(Math.round(EPOCH + serial * DAY)).toISOString();

/** What a person reads in a cell. `now` is the spreadsheet's own clock as a serial, for formulas. */
function shownText(grid: Grid, cell: Cell | undefined, now: number): string {
  const { numberValue, stringValue, boolValue, errorValue } = effectiveValue(grid, cell, now) ?? {};
  if (errorValue) return `#${errorValue.type}`;
  if (stringValue !== undefined) return stringValue;
  if (boolValue !== undefined) return boolValue ? 'TRUE' : 'FALSE';
  if (numberValue === undefined) return '';
  const { type, pattern = '' } = (cell?.format?.numberFormat ?? {}) as { type?: string; pattern?: string };
  if (type === 'DATE') return at(numberValue).slice(0, 10);
  if (type === 'TIME') return at(numberValue).slice(11, 16);
  if (type === 'DATE_TIME') return at(numberValue).slice(0, 16).replace('T', ' ');
  const decimals = /0\.(0+)/.exec(pattern)?.[1]?.length;
  if (decimals === undefined) return String(numberValue);
  return numberValue.toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** A tab for the page: what each cell shows, and what kind of cell it is. */
export function shownGrid(grid: Grid, now: number) {
  const rows = Array.from({ length: Math.min(grid.rowCount, Math.max(grid.rows.length, 1) + 3) }, (_, row) =>
    grid.columns.map((_column, column) => {
      const cell = grid.rows[row]?.[column];
      const rule = cell?.validation?.condition as
        | { type?: string; values?: { userEnteredValue: string }[] }
        | undefined;
      return {
        text: shownText(grid, cell, now),
        ...(rule?.type === 'BOOLEAN' && { checkbox: true }),
        ...(rule?.type === 'ONE_OF_LIST' && { choices: rule.values?.map((one) => one.userEnteredValue) }),
      };
    }),
  );
  return {
    title: grid.title,
    frozen: grid.frozenRowCount,
    hidden: grid.columns.map(({ hidden }) => hidden === true),
    rows,
  };
}

/** The wall clock of the spreadsheet's time zone as a serial number. */
export function serialNow(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(ms);
  return (Date.parse(`${parts.replace(' ', 'T')}Z`) - EPOCH) / DAY;
}
