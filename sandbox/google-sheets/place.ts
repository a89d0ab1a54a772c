import { invalid } from './refusal.ts';
import type { DimensionRange } from './schema.ts';
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

type WholeRegion = { [Side in keyof Region]-?: number };

export function isWithin(grid: Grid, region: Region): WholeRegion {
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

/** Rows or columns of a tab. `beyond`: how far past the last one the range may start. */
export function dimension(book: Workbook, range: DimensionRange | undefined, beyond: 0 | 1) {
  const grid = gridOf(book, range?.sheetId);
  const isRows = range?.dimension === 'ROWS';
  const { startIndex = 0, endIndex = 0 } = range ?? {};
  const size = isRows ? grid.rowCount : grid.columns.length;
  if (startIndex >= endIndex || startIndex >= size + beyond || (beyond === 0 && endIndex > size))
    throw invalid(`Range exceeds grid limits. Size: ${size}, asked for ${startIndex} to ${endIndex}`);
  const region = (start: number, end: number): Region =>
    isRows ? { startRowIndex: start, endRowIndex: end } : { startColumnIndex: start, endColumnIndex: end };
  return { grid, isRows, startIndex, endIndex, region };
}

export function eachCell(region: WholeRegion, visit: (row: number, column: number) => void): void {
  for (let row = region.startRowIndex; row < region.endRowIndex; row += 1)
    for (let column = region.startColumnIndex; column < region.endColumnIndex; column += 1)
      visit(row, column);
}

const isApart = (startA = 0, endA = Infinity, startB = 0, endB = Infinity) =>
  startA >= endB || startB >= endA;
const overlaps = (a: Region, b: Region): boolean =>
  !isApart(a.startRowIndex, a.endRowIndex, b.startRowIndex, b.endRowIndex) &&
  !isApart(a.startColumnIndex, a.endColumnIndex, b.startColumnIndex, b.endColumnIndex);
const coversRows = (outer: Region, { startRowIndex = 0, endRowIndex = Infinity }: Region): boolean =>
  (outer.startRowIndex ?? 0) <= startRowIndex && (outer.endRowIndex ?? Infinity) >= endRowIndex;

function refuseProtected({ protections }: Grid, isHit: (range: Region) => boolean): void {
  if (protections.some(({ range, warningOnly }) => !warningOnly && isHit(range)))
    throw invalid(
      'You are trying to edit a protected cell or object. Please contact the ' +
        'spreadsheet owner to remove protection if you need to edit.',
    );
}

/** Only the spreadsheet's owner may edit protected ranges, never a client. */
export const guard = (grid: Grid, region: Region): void =>
  refuseProtected(grid, (range) => overlaps(range, region));

/** Rows may be inserted beside a protected range, but not inside one. */
export const guardInside = (grid: Grid, region: Region): void =>
  refuseProtected(grid, (range) => coversRows(range, region) && overlaps(range, region));
