import type { Clock } from '../../src/platform/clock.ts';
import { zoneOf } from './formulas.ts';
import { followCutCells } from './references.ts';
import { formatOf, typed } from './typing.ts';
import {
  cellAt,
  type Grid,
  type Region,
  type SandboxCell,
  setCell,
  sortKey,
  type Workbook,
} from './workbook.ts';

type Rectangle = { [side in keyof Region]-?: number };

/** What users do to a range of cells. */
export const rangeActions = (
  state: { book: Workbook },
  { touch, clock }: { touch: (tab: string) => Grid; clock: Clock },
) => ({
  /** Types a text, which the spreadsheet reads by its locale and the cell's format. */
  enter(tab: string, row: number, column: number, text: string) {
    const grid = touch(tab);
    const cell = cellAt(grid, row, column);
    const { locale, timeZone } = state.book;
    const year = Number(
      new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: zoneOf(timeZone) }).format(clock.now()),
    );
    const found = typed(text, { locale, format: formatOf(cell), year });
    const { value: _old, ...looks } = cell ?? {};
    const format = found?.format &&
      formatOf(cell) === undefined && { format: { ...looks.format, numberFormat: found.format } };
    setCell(grid, row, column, found ? { ...looks, ...format, value: found.value } : looks);
  },
  /** Data, Named ranges. */
  nameRange(tab: string, name: string, range: Rectangle) {
    state.book.namedRanges.push({ name, sheetId: touch(tab).sheetId, range });
  },
  /** Drags the fill handle of a row's cells down: texts that end in digits, dates and times count up. */
  fillDown(tab: string, from: Rectangle, to: number) {
    const grid = touch(tab);
    for (let column = from.startColumnIndex; column < from.endColumnIndex; column += 1)
      for (let row = from.endRowIndex; row <= to; row += 1)
        setCell(grid, row, column, countedUp(cellAt(grid, row - 1, column)));
  },
  /** Data, Sort range: the rows of this range alone, blank ones last. */
  sortRange(tab: string, range: Rectangle, column: number) {
    const grid = touch(tab);
    const rows = Array.from({ length: range.endRowIndex - range.startRowIndex }, (_, at) =>
      Array.from({ length: range.endColumnIndex - range.startColumnIndex }, (_, across) =>
        cellAt(grid, range.startRowIndex + at, range.startColumnIndex + across),
      ),
    );
    const keyOf = (cells: readonly (SandboxCell | undefined)[]) =>
      sortKey(cells[column - range.startColumnIndex]) ?? '9';
    for (const [at, cells] of rows.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b))).entries())
      for (const [across, cell] of cells.entries())
        setCell(grid, range.startRowIndex + at, range.startColumnIndex + across, cell);
  },
  /** Cells move, with their formats and what refers to them; what belongs to a column, such as a mark, stays. */
  cutAndPaste(tab: string, from: Rectangle, to: { row: number; column: number }) {
    const grid = touch(tab);
    const moved: [row: number, column: number, cell: SandboxCell | undefined][] = [];
    for (let row = from.startRowIndex; row < from.endRowIndex; row += 1)
      for (let column = from.startColumnIndex; column < from.endColumnIndex; column += 1) {
        const [down, across] = [row - from.startRowIndex, column - from.startColumnIndex];
        moved.push([to.row + down, to.column + across, cellAt(grid, row, column)]);
        setCell(grid, row, column, undefined);
      }
    for (const [row, column, cell] of moved) setCell(grid, row, column, cell);
    const [down, across] = [to.row - from.startRowIndex, to.column - from.startColumnIndex];
    followCutCells(state.book, grid, from, { down, across });
  },
  /** Insert, Pivot table; it counts whatever its source has. */
  pivot(tab: string, source: Rectangle) {
    touch(tab).pivotSources.push(source);
  },
});

function countedUp(cell: SandboxCell | undefined): SandboxCell | undefined {
  const { numberValue, stringValue } = cell?.value ?? {};
  const step = { DATE: 1, TIME: 1 / 24 }[formatOf(cell)?.type ?? ''];
  if (numberValue !== undefined && step) return { ...cell, value: { numberValue: numberValue + step } };
  const [, before = '', digits] = /^(.*?)(\d{1,15})$/.exec(stringValue ?? '') ?? [];
  if (digits === undefined) return cell;
  const next = String(Number(digits) + 1).padStart(digits.length, '0');
  return { ...cell, value: { stringValue: before + next } };
}
