import { cellMask, written } from './cell-data.ts';
import { parseMask } from './field-mask.ts';
import { createMetadata, updateMetadata } from './metadata.ts';
import {
  columnsRegion,
  dimension,
  eachCell,
  gridOf,
  guard,
  guardInside,
  limitCells,
  requireFreeTitle,
  rowsRegion,
  within,
} from './place.ts';
import { invalid, Refusal } from './refusal.ts';
import type { Request } from './schema.ts';
import {
  cellAt,
  copyWorkbook,
  deleteColumns,
  deleteRows,
  type Grid,
  insertColumns,
  insertRows,
  isFilteredOut,
  newGrid,
  setCell,
  type Workbook,
} from './workbook.ts';

export interface Writer {
  email: string;
  /** Counts up for every id that is given out. */
  nextId: () => number;
  /** Google's is ten million. */
  mostCells: number;
}

/** Applies all requests or none; the given workbook is left as it is. Throws the refusal Google would answer. */
export function applyBatch(book: Workbook, requests: readonly Request[], writer: Writer) {
  const next = copyWorkbook(book);
  const replies = requests.map((request, index) => {
    try {
      return apply(next, request, writer);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 400) throw error;
      const kind = Object.keys(request)[0] ?? '';
      throw new Refusal(400, error.status, `Invalid requests[${index}].${kind}: ${error.message}`);
    }
  });
  return { book: next, replies };
}

type Kind = keyof Request & string;
type Reply = Record<string, unknown>;
type Appliers = {
  [K in Kind]-?: (book: Workbook, request: NonNullable<Request[K]>, writer: Writer) => unknown;
};

const appliers: Appliers = {
  addSheet,
  updateCells,
  repeatCell,
  setDataValidation,
  insertDimension,
  deleteDimension,
  updateDimensionProperties: updateColumns,
  updateSheetProperties: updateSheet,
  createDeveloperMetadata: (book, request, { nextId }) => createMetadata(book, request, nextId),
  updateDeveloperMetadata: updateMetadata,
  addConditionalFormatRule(book, { rule }) {
    for (const range of rule.ranges) within(gridOf(book, range.sheetId), range);
    gridOf(book, rule.ranges[0]?.sheetId).conditionalFormats.push(rule);
  },
  deleteNamedRange(_book, { namedRangeId }) {
    throw invalid(`No named range with id: ${namedRangeId}`);
  },
};

/** The schema has seen to it that a request has exactly one kind. */
function apply(book: Workbook, request: Request, writer: Writer): Reply {
  const [[kind, given] = []] = Object.entries(request);
  const applier = appliers[kind as Kind] as (book: Workbook, given: unknown, writer: Writer) => unknown;
  return (applier(book, given, writer) ?? {}) as Reply;
}

function repeatCell(
  book: Workbook,
  { range, cell, fields }: NonNullable<Request['repeatCell']>,
  { email }: Writer,
): void {
  const grid = gridOf(book, range.sheetId);
  const region = within(grid, range);
  guard(grid, region, email);
  const mask = cellMask(fields);
  eachCell(region, (row, column) =>
    setCell(grid, row, column, written(cellAt(grid, row, column), cell, mask)),
  );
}

function setDataValidation(
  book: Workbook,
  { range, rule, filteredRowsIncluded = false }: NonNullable<Request['setDataValidation']>,
  { email }: Writer,
): void {
  const grid = gridOf(book, range.sheetId);
  const region = within(grid, range);
  guard(grid, region, email);
  if ((rule?.condition?.values?.length ?? 0) > 500) throw invalid('Too many items in the list.');
  eachCell(region, (row, column) => {
    if (!filteredRowsIncluded && isFilteredOut(grid, row)) return;
    const { validation: _old, ...cell } = cellAt(grid, row, column) ?? {};
    setCell(grid, row, column, rule ? { ...cell, validation: rule } : cell);
  });
}

function deleteDimension(
  book: Workbook,
  request: NonNullable<Request['deleteDimension']>,
  { email }: Writer,
): void {
  const { grid, isRows, startIndex, endIndex } = dimension(book, request.range, 0);
  const size = isRows ? grid.rowCount : grid.columns.length;
  if (endIndex - startIndex >= size) throw invalid('You can’t delete all the rows on the sheet.');
  guard(grid, isRows ? rowsRegion(startIndex, endIndex) : columnsRegion(startIndex, endIndex), email);
  if (isRows) deleteRows(grid, startIndex, endIndex);
  else deleteColumns(grid, startIndex, endIndex);
}

function updateColumns(
  book: Workbook,
  { range, properties, fields }: NonNullable<Request['updateDimensionProperties']>,
): void {
  const { grid, isRows, startIndex, endIndex } = dimension(book, range, 0);
  const mask = parseMask(fields);
  if (isRows) throw invalid('The sandbox keeps no properties of rows.');
  for (let at = startIndex; at < endIndex; at += 1) {
    const column = grid.columns[at];
    if (!column) continue;
    grid.columns[at] = {
      ...column,
      ...('hiddenByUser' in mask && { hidden: properties.hiddenByUser ?? false }),
      ...('pixelSize' in mask && properties.pixelSize !== undefined && { pixelSize: properties.pixelSize }),
    };
  }
}

function addSheet(book: Workbook, { properties }: NonNullable<Request['addSheet']>, writer: Writer) {
  const { gridProperties = {} } = properties;
  const sheetId = properties.sheetId ?? writer.nextId();
  const title = properties.title ?? `Sheet${book.grids.length + 1}`;
  if (book.grids.some((grid) => grid.sheetId === sheetId))
    throw invalid(`Sheet with id ${sheetId} already exists.`);
  requireFreeTitle(book, title);
  const grid = newGrid(sheetId, title, gridProperties.rowCount ?? 1000, gridProperties.columnCount ?? 26);
  grid.frozenRowCount = gridProperties.frozenRowCount ?? 0;
  grid.hidden = properties.hidden ?? false;
  book.grids.splice(properties.index ?? book.grids.length, 0, grid);
  limitCells(book, writer.mostCells);
  return { addSheet: { properties: { sheetId, title } } };
}

function updateCells(book: Workbook, request: NonNullable<Request['updateCells']>, writer: Writer): void {
  const { start, range, rows = [], fields } = request;
  const grid = gridOf(book, start?.sheetId ?? range?.sheetId);
  const mask = cellMask(fields);
  const { startRowIndex, startColumnIndex, ...region } = writtenRegion(grid, request);
  guard(grid, { startRowIndex, startColumnIndex, ...region }, writer.email);
  for (let row = startRowIndex; row < region.endRowIndex; row += 1) {
    const given = rows[row - startRowIndex]?.values ?? [];
    const last = range ? region.endColumnIndex : startColumnIndex + given.length;
    const cells = [...(grid.rows[row] ?? [])];
    for (let column = startColumnIndex; column < last; column += 1)
      cells[column] = written(cells[column], given[column - startColumnIndex] ?? {}, mask);
    while (grid.rows.length <= row) grid.rows.push([]);
    grid.rows[row] = Array.from(cells);
  }
}

/** From `start` as far as there are cells, or the whole `range`. */
function writtenRegion(grid: Grid, { start, range, rows = [] }: NonNullable<Request['updateCells']>) {
  const startRow = start?.rowIndex ?? range?.startRowIndex ?? 0;
  const startColumn = start?.columnIndex ?? range?.startColumnIndex ?? 0;
  const endRow = startRow + rows.length;
  const endColumn = startColumn + Math.max(0, ...rows.map(({ values = [] }) => values.length));
  const region = within(grid, {
    startRowIndex: startRow,
    endRowIndex: range ? range.endRowIndex : endRow,
    startColumnIndex: startColumn,
    endColumnIndex: range ? range.endColumnIndex : endColumn,
  });
  if (endRow > region.endRowIndex || endColumn > region.endColumnIndex)
    throw invalid('Tried writing to a cell outside of the range.');
  return region;
}

function insertDimension(
  book: Workbook,
  request: NonNullable<Request['insertDimension']>,
  writer: Writer,
): void {
  const { grid, isRows, startIndex, endIndex } = dimension(book, request.range, 1);
  const before = request.inheritFromBefore === true;
  if (before && startIndex === 0)
    throw invalid('inheritFromBefore cannot be true at the start of the sheet.');
  const inside = (edge: number) => edge - 1 >= 0 && edge;
  if (inside(startIndex))
    guardInside(
      grid,
      isRows ? rowsRegion(startIndex - 1, startIndex + 1) : columnsRegion(startIndex - 1, startIndex + 1),
      writer.email,
    );
  if (isRows) insertRows(grid, startIndex, endIndex - startIndex, before ? 'before' : 'after');
  else insertColumns(grid, startIndex, endIndex - startIndex);
  limitCells(book, writer.mostCells);
}

function updateSheet(
  book: Workbook,
  { properties, fields }: NonNullable<Request['updateSheetProperties']>,
): void {
  const grid = gridOf(book, properties.sheetId);
  const mask = parseMask(fields);
  if ('title' in mask && properties.title !== undefined && properties.title !== grid.title) {
    requireFreeTitle(book, properties.title);
    grid.title = properties.title;
  }
  if ('hidden' in mask) grid.hidden = properties.hidden ?? false;
  if (mask.gridProperties && 'frozenRowCount' in mask.gridProperties)
    grid.frozenRowCount = properties.gridProperties?.frozenRowCount ?? 0;
}
