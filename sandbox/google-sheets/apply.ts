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
  insertColumns,
  insertRows,
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

function apply(book: Workbook, request: Request, writer: Writer): Record<string, unknown> {
  if (request.addSheet) return addSheet(book, request.addSheet, writer);
  if (request.createDeveloperMetadata)
    return createMetadata(book, request.createDeveloperMetadata, writer.nextId);
  if (request.updateDeveloperMetadata) return updateMetadata(book, request.updateDeveloperMetadata);
  if (request.updateCells) updateCells(book, request.updateCells, writer);
  if (request.repeatCell) {
    const { range, cell, fields } = request.repeatCell;
    const grid = gridOf(book, range.sheetId);
    const region = within(grid, range);
    guard(grid, region, writer.email);
    const mask = cellMask(fields);
    eachCell(region, (row, column) =>
      setCell(grid, row, column, written(cellAt(grid, row, column), cell, mask)),
    );
  }
  if (request.setDataValidation) {
    const { range, rule } = request.setDataValidation;
    const grid = gridOf(book, range.sheetId);
    const region = within(grid, range);
    guard(grid, region, writer.email);
    if ((rule?.condition?.values?.length ?? 0) > 500) throw invalid('Too many items in the list.');
    eachCell(region, (row, column) => {
      const { validation: _old, ...cell } = cellAt(grid, row, column) ?? {};
      setCell(grid, row, column, rule ? { ...cell, validation: rule } : cell);
    });
  }
  if (request.insertDimension) insertDimension(book, request.insertDimension, writer);
  if (request.deleteDimension) {
    const { grid, isRows, startIndex, endIndex } = dimension(book, request.deleteDimension.range, 0);
    const size = isRows ? grid.rowCount : grid.columns.length;
    if (endIndex - startIndex >= size) throw invalid('You can’t delete all the rows on the sheet.');
    guard(
      grid,
      isRows ? rowsRegion(startIndex, endIndex) : columnsRegion(startIndex, endIndex),
      writer.email,
    );
    if (isRows) deleteRows(grid, startIndex, endIndex);
    else deleteColumns(grid, startIndex, endIndex);
  }
  if (request.updateDimensionProperties) {
    const { range, properties, fields } = request.updateDimensionProperties;
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
  if (request.updateSheetProperties) updateSheet(book, request.updateSheetProperties);
  if (request.addConditionalFormatRule) {
    const { rule } = request.addConditionalFormatRule;
    for (const range of rule.ranges) within(gridOf(book, range.sheetId), range);
    gridOf(book, rule.ranges[0]?.sheetId).conditionalFormats.push(rule);
  }
  if (request.deleteNamedRange)
    throw invalid(`No named range with id: ${request.deleteNamedRange.namedRangeId}`);
  return {};
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
  const startRow = start?.rowIndex ?? range?.startRowIndex ?? 0;
  const startColumn = start?.columnIndex ?? range?.startColumnIndex ?? 0;
  const width = Math.max(0, ...rows.map(({ values = [] }) => values.length));
  const region = within(grid, {
    startRowIndex: startRow,
    endRowIndex: range ? range.endRowIndex : startRow + rows.length,
    startColumnIndex: startColumn,
    endColumnIndex: range ? range.endColumnIndex : startColumn + width,
  });
  if (startRow + rows.length > region.endRowIndex || startColumn + width > region.endColumnIndex)
    throw invalid('Tried writing to a cell outside of the range.');
  guard(grid, region, writer.email);
  for (let row = region.startRowIndex; row < region.endRowIndex; row += 1) {
    const given = rows[row - startRow]?.values ?? [];
    const last = range ? region.endColumnIndex : startColumn + given.length;
    const cells = [...(grid.rows[row] ?? [])];
    for (let column = startColumn; column < last; column += 1)
      cells[column] = written(cells[column], given[column - startColumn] ?? {}, mask);
    while (grid.rows.length <= row) grid.rows.push([]);
    grid.rows[row] = Array.from(cells);
  }
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
