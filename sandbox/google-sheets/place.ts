import { invalid } from './refusal.ts';
import { cellsIn, type Grid, type Region, type Workbook } from './workbook.ts';

export function gridOf(book: Workbook, sheetId: number | undefined): Grid {
  const grid = book.grids.find((one) => one.sheetId === (sheetId ?? 0));
  if (!grid) throw invalid(`No grid with id: ${sheetId ?? 0}`);
  return grid;
}

export function requireFreeTitle(book: Workbook, title: string): void {
  if (book.grids.some((grid) => grid.title.toLowerCase() === title.toLowerCase()))
    throw invalid(`A sheet with the name "${title}" already exists. Please enter another name.`);
}

export function limitCells(book: Workbook, mostCells: number): void {
  if (cellsIn(book) > mostCells)
    throw invalid(
      `This action would increase the number of cells in the workbook above the limit of ${mostCells} cells.`,
    );
}

export type WholeRegion = { [Side in keyof Region]-?: number };

export function within(grid: Grid, region: Region): WholeRegion {
  const whole = {
    startRowIndex: region.startRowIndex ?? 0,
    endRowIndex: region.endRowIndex ?? grid.rowCount,
    startColumnIndex: region.startColumnIndex ?? 0,
    endColumnIndex: region.endColumnIndex ?? grid.columns.length,
  };
  if (whole.endRowIndex > grid.rowCount || whole.endColumnIndex > grid.columns.length)
    throw invalid(
      `Range exceeds grid limits. Max rows: ${grid.rowCount}, max columns: ${grid.columns.length}`,
    );
  return whole;
}

export function dimension(
  book: Workbook,
  range: { sheetId: number; dimension: string; startIndex: number; endIndex: number } | undefined,
  beyond: number,
) {
  const grid = gridOf(book, range?.sheetId);
  const isRows = range?.dimension === 'ROWS';
  const { startIndex = 0, endIndex = 0 } = range ?? {};
  const size = isRows ? grid.rowCount : grid.columns.length;
  if (startIndex >= endIndex || startIndex >= size + beyond || (beyond === 0 && endIndex > size))
    throw invalid(`Range exceeds grid limits. Size: ${size}, asked for ${startIndex} to ${endIndex}`);
  return { grid, isRows, startIndex, endIndex };
}

export const rowsRegion = (startRowIndex: number, endRowIndex: number): Region => ({
  startRowIndex,
  endRowIndex,
});
export const columnsRegion = (startColumnIndex: number, endColumnIndex: number): Region => ({
  startColumnIndex,
  endColumnIndex,
});

export function eachCell(region: WholeRegion, visit: (row: number, column: number) => void): void {
  for (let row = region.startRowIndex; row < region.endRowIndex; row += 1)
    for (let column = region.startColumnIndex; column < region.endColumnIndex; column += 1)
      visit(row, column);
}

const side = (value: number | undefined, open: number) => value ?? open;
const overlaps = (a: Region, b: Region): boolean =>
  side(a.startRowIndex, 0) < side(b.endRowIndex, Infinity) &&
  side(b.startRowIndex, 0) < side(a.endRowIndex, Infinity) &&
  side(a.startColumnIndex, 0) < side(b.endColumnIndex, Infinity) &&
  side(b.startColumnIndex, 0) < side(a.endColumnIndex, Infinity);
const covers = (outer: Region, inner: Region): boolean =>
  side(outer.startRowIndex, 0) <= side(inner.startRowIndex, 0) &&
  side(outer.endRowIndex, Infinity) >= side(inner.endRowIndex, Infinity);

const protectedMessage =
  'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.';

export function guard(grid: Grid, region: Region, email: string): void {
  const closed = grid.protections.some(
    (one) => !one.warningOnly && !one.editors.includes(email) && overlaps(one.range, region),
  );
  if (closed) throw invalid(protectedMessage);
}

/** Rows may be inserted beside a protected range, not inside one. */
export function guardInside(grid: Grid, region: Region, email: string): void {
  const closed = grid.protections.some(
    (one) =>
      !one.warningOnly &&
      !one.editors.includes(email) &&
      covers(one.range, region) &&
      overlaps(one.range, region),
  );
  if (closed) throw invalid(protectedMessage);
}
