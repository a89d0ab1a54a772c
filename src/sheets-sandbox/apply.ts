import { type FieldMask, parseMask } from './field-mask.ts';
import { invalid, Refusal } from './refusal.ts';
import type { CellData, Request } from './schema.ts';
import {
  type Cell,
  cellAt,
  cellsIn,
  copyWorkbook,
  deleteColumns,
  deleteRows,
  type Grid,
  insertColumns,
  insertRows,
  type Metadata,
  newGrid,
  type Region,
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
  if (request.createDeveloperMetadata) return createMetadata(book, request.createDeveloperMetadata, writer);
  if (request.updateDeveloperMetadata) return updateMetadata(book, request.updateDeveloperMetadata);
  if (request.updateCells) updateCells(book, request.updateCells, writer);
  if (request.repeatCell) {
    const { range, cell, fields } = request.repeatCell;
    const grid = gridOf(book, range.sheetId);
    const region = within(grid, range);
    guard(grid, region, writer);
    const mask = cellMask(fields);
    eachCell(region, (row, column) =>
      setCell(grid, row, column, written(cellAt(grid, row, column), cell, mask)),
    );
  }
  if (request.setDataValidation) {
    const { range, rule } = request.setDataValidation;
    const grid = gridOf(book, range.sheetId);
    const region = within(grid, range);
    guard(grid, region, writer);
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
    guard(grid, isRows ? rowsRegion(startIndex, endIndex) : columnsRegion(startIndex, endIndex), writer);
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
  limitCells(book, writer);
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
  guard(grid, region, writer);
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
      writer,
    );
  if (isRows) insertRows(grid, startIndex, endIndex - startIndex, before ? 'before' : 'after');
  else insertColumns(grid, startIndex, endIndex - startIndex);
  limitCells(book, writer);
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

function createMetadata(
  book: Workbook,
  request: NonNullable<Request['createDeveloperMetadata']>,
  writer: Writer,
) {
  const { location, ...given } = request.developerMetadata;
  const taken = [
    book.metadata,
    ...book.grids.flatMap((grid) => [grid.metadata, ...grid.columns.map((c) => c.metadata)]),
  ];
  const metadataId = given.metadataId ?? writer.nextId();
  if (taken.flat().some((one) => one.metadataId === metadataId))
    throw invalid(`Developer metadata with id ${metadataId} already exists.`);
  const { metadataValue, ...rest } = given;
  const metadata: Metadata = { ...rest, ...(metadataValue !== undefined && { metadataValue }), metadataId };
  if (location.spreadsheet) book.metadata.push(metadata);
  else if (location.sheetId !== undefined) gridOf(book, location.sheetId).metadata.push(metadata);
  else {
    const { grid, isRows, startIndex, endIndex } = dimension(book, location.dimensionRange, 0);
    if (isRows || endIndex - startIndex !== 1)
      throw invalid('The sandbox keeps metadata of single columns only.');
    const column = grid.columns[startIndex];
    if (column) grid.columns[startIndex] = { ...column, metadata: [...column.metadata, metadata] };
  }
  return { createDeveloperMetadata: { developerMetadata: metadata } };
}

function updateMetadata(book: Workbook, request: NonNullable<Request['updateDeveloperMetadata']>) {
  const mask = parseMask(request.fields);
  const changed: Metadata[] = [];
  const renew = (one: Metadata): Metadata => {
    const found = request.dataFilters.some(
      ({ developerMetadataLookup: lookup }) => lookup.metadataId === one.metadataId,
    );
    if (!found) return one;
    const { metadataKey, metadataValue } = request.developerMetadata;
    const after = {
      ...one,
      ...('metadataKey' in mask && metadataKey !== undefined && { metadataKey }),
      ...('metadataValue' in mask && metadataValue !== undefined && { metadataValue }),
    };
    changed.push(after);
    return after;
  };
  book.metadata = book.metadata.map(renew);
  for (const grid of book.grids) grid.metadata = grid.metadata.map(renew);
  return { updateDeveloperMetadata: { developerMetadata: changed } };
}

const cellFields = ['userEnteredValue', 'userEnteredFormat', 'dataValidation', 'note', '*'];

function cellMask(fields: string): FieldMask {
  const mask = parseMask(fields);
  const unknown = Object.keys(mask).find((field) => !cellFields.includes(field));
  if (unknown !== undefined) throw invalid(`Invalid field mask: ${unknown}`);
  return mask;
}

function written(before: Cell | undefined, given: CellData, mask: FieldMask): Cell {
  const all = '*' in mask;
  const { value, format, validation } = before ?? {};
  const formatMask = mask.userEnteredFormat;
  const whole = all || (formatMask !== undefined && Object.keys(formatMask).length === 0);
  const nextFormat = whole
    ? given.userEnteredFormat
    : formatMask
      ? { ...format, ...pick(given.userEnteredFormat ?? {}, Object.keys(formatMask)) }
      : format;
  const nextValue = all || mask.userEnteredValue ? given.userEnteredValue : value;
  const nextValidation = all || mask.dataValidation ? given.dataValidation : validation;
  return {
    ...(nextValue !== undefined && { value: nextValue }),
    ...(nextFormat !== undefined && { format: nextFormat }),
    ...(nextValidation !== undefined && { validation: nextValidation }),
  };
}

const pick = (from: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

export function gridOf(book: Workbook, sheetId: number | undefined): Grid {
  const grid = book.grids.find((one) => one.sheetId === (sheetId ?? 0));
  if (!grid) throw invalid(`No grid with id: ${sheetId ?? 0}`);
  return grid;
}

function requireFreeTitle(book: Workbook, title: string): void {
  if (book.grids.some((grid) => grid.title.toLowerCase() === title.toLowerCase()))
    throw invalid(`A sheet with the name "${title}" already exists. Please enter another name.`);
}

function limitCells(book: Workbook, { mostCells }: Writer): void {
  if (cellsIn(book) > mostCells)
    throw invalid(
      `This action would increase the number of cells in the workbook above the limit of ${mostCells} cells.`,
    );
}

type WholeRegion = { [Side in keyof Region]-?: number };

function within(grid: Grid, region: Region): WholeRegion {
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

function dimension(
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

const rowsRegion = (startRowIndex: number, endRowIndex: number): Region => ({ startRowIndex, endRowIndex });
const columnsRegion = (startColumnIndex: number, endColumnIndex: number): Region => ({
  startColumnIndex,
  endColumnIndex,
});

function eachCell(region: WholeRegion, visit: (row: number, column: number) => void): void {
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

function guard(grid: Grid, region: Region, { email }: Writer): void {
  const closed = grid.protections.some(
    (one) => !one.warningOnly && !one.editors.includes(email) && overlaps(one.range, region),
  );
  if (closed) throw invalid(protectedMessage);
}

/** Rows may be inserted beside a protected range, not inside one. */
function guardInside(grid: Grid, region: Region, { email }: Writer): void {
  const closed = grid.protections.some(
    (one) =>
      !one.warningOnly &&
      !one.editors.includes(email) &&
      covers(one.range, region) &&
      overlaps(one.range, region),
  );
  if (closed) throw invalid(protectedMessage);
}
