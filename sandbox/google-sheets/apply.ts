import type { Behavior } from './behavior.ts';
import { type FieldMask, parseMask } from './field-mask.ts';
import {
  dimension,
  eachCell,
  gridOf,
  guard,
  guardInside,
  isWithin,
  limitCells,
  requireFreeTitle,
} from './place.ts';
import { afterDeletion, afterInsertion, moveReferences } from './references.ts';
import { GoogleRefusal, invalid } from './refusal.ts';
import { refuseByRule } from './rules.ts';
import type { CellData, EmbeddedChart, Given, SheetRequest } from './schema.ts';
import {
  cellAt,
  copyWorkbook,
  deleteRows,
  type Grid,
  insertColumns,
  insertRows,
  isFilteredOut,
  type Metadata,
  newGrid,
  type SandboxCell,
  setCell,
  type Workbook,
} from './workbook.ts';

interface Writer {
  /** Returns the next unused id. */
  nextId: () => number;
  /** Google's limit is ten million. */
  mostCells: number;
  behavior: Behavior;
}

/** Applies all requests or none; does not modify `book`. Throws the refusal that Google would answer. */
export function applyBatch(book: Workbook, requests: readonly SheetRequest[], writer: Writer) {
  const next = copyWorkbook(book);
  const replies = requests.map((request, index) => {
    // The schema allows exactly one kind.
    const [[kind = '', given] = []] = Object.entries(request);
    const apply = appliers[kind as keyof SheetRequest] as (
      book: Workbook,
      given: unknown,
      writer: Writer,
    ) => unknown;
    try {
      return apply(next, given, writer) ?? {};
    } catch (error) {
      if (!(error instanceof GoogleRefusal) || error.code !== 400) throw error;
      throw new GoogleRefusal(400, error.status, `Invalid requests[${index}].${kind}: ${error.message}`);
    }
  });
  return { book: next, replies };
}

const appliers: {
  [Kind in keyof SheetRequest]-?: (book: Workbook, given: Given<Kind>, writer: Writer) => unknown;
} = {
  addSheet(book, { properties }, { mostCells }) {
    const { sheetId, title, gridProperties = {}, hidden = false } = properties;
    if (book.grids.some((grid) => grid.sheetId === sheetId))
      throw invalid(`Sheet with id ${sheetId} already exists.`);
    requireFreeTitle(book, title);
    const { rowCount = 1000, columnCount = 26, frozenRowCount = 0 } = gridProperties;
    const grid = { ...newGrid(sheetId, title, rowCount, columnCount), frozenRowCount, hidden };
    book.grids.splice(properties.index ?? book.grids.length, 0, grid);
    limitCells(book, mostCells);
    return { addSheet: { properties: { sheetId, title } } };
  },

  updateCells(book, { start, rows, fields }, { behavior }) {
    const grid = gridOf(book, start.sheetId);
    const { rowIndex: startRowIndex = 0, columnIndex: startColumnIndex = 0 } = start;
    const width = Math.max(0, ...rows.map(({ values = [] }) => values.length));
    const region = {
      startRowIndex,
      endRowIndex: startRowIndex + rows.length,
      startColumnIndex,
      endColumnIndex: startColumnIndex + width,
    };
    guard(grid, isWithin(grid, region));
    const mask = cellMask(fields);
    for (const [down, { values = [] }] of rows.entries())
      for (const [across, given] of values.entries()) {
        const [row, column] = [startRowIndex + down, startColumnIndex + across];
        if (!behavior.mergedCellsTakeWrites && isInnerOfMerge(grid, row, column)) continue;
        const next = written(cellAt(grid, row, column), given, mask);
        if (!behavior.checkboxesTakeAnything) refuseByRule(grid, column, next);
        setCell(grid, row, column, behavior.lineBreaksAreKept ? next : withPlainBreaks(next));
      }
  },

  repeatCell(book, { range, cell, fields }) {
    const grid = gridOf(book, range.sheetId);
    const region = isWithin(grid, range);
    guard(grid, region);
    const mask = cellMask(fields);
    eachCell(region, (row, column) =>
      setCell(grid, row, column, written(cellAt(grid, row, column), cell, mask)),
    );
  },

  setDataValidation(book, { range, rule, filteredRowsIncluded = false }, { behavior }) {
    const grid = gridOf(book, range.sheetId);
    const region = isWithin(grid, range);
    guard(grid, region);
    if (grid.columns.slice(region.startColumnIndex, region.endColumnIndex).some(({ isTyped }) => isTyped))
      throw invalid('This operation is not allowed on cells in typed columns.');
    const choices = rule?.condition?.values ?? [];
    if (
      !behavior.listsTakeFormulas &&
      choices.some(({ userEnteredValue = '' }) => /^[=+]/.test(userEnteredValue))
    )
      throw invalid('Formulas are not supported in a list of values.');
    if ((rule?.condition?.values?.length ?? 0) > 500) throw invalid('Too many items in the list.');
    eachCell(region, (row, column) => {
      if (!filteredRowsIncluded && isFilteredOut(grid, row)) return;
      const { validation: _old, ...cell } = cellAt(grid, row, column) ?? {};
      setCell(grid, row, column, rule ? { ...cell, validation: rule } : cell);
    });
  },

  insertDimension(book, { range, inheritFromBefore = false }, { mostCells }) {
    const { grid, isRows, startIndex, endIndex, region } = dimension(book, range, 1);
    if (inheritFromBefore && startIndex === 0)
      throw invalid('inheritFromBefore cannot be true at the start of the sheet.');
    const size = isRows ? grid.rowCount : grid.columns.length;
    if (!inheritFromBefore && startIndex >= size)
      throw invalid('inheritFromBefore must be true at the end of the sheet.');
    if (startIndex > 0) guardInside(grid, region(startIndex - 1, startIndex + 1));
    if (isRows) insertRows(grid, startIndex, endIndex - startIndex, inheritFromBefore ? 'before' : 'after');
    else insertColumns(grid, startIndex, endIndex - startIndex);
    moveReferences(
      book,
      grid,
      isRows ? 'rows' : 'columns',
      afterInsertion(startIndex, endIndex - startIndex),
    );
    limitCells(book, mostCells);
  },

  deleteDimension(book, { range }) {
    const { grid, isRows, startIndex, endIndex, region } = dimension(book, range, 0);
    if (!isRows) throw invalid('The sandbox deletes rows only.');
    if (endIndex - startIndex >= grid.rowCount - grid.frozenRowCount)
      throw invalid('Sorry, it is not possible to delete all non-frozen rows.');
    guard(grid, region(startIndex, endIndex));
    deleteRows(grid, startIndex, endIndex);
    moveReferences(book, grid, 'rows', afterDeletion(startIndex, endIndex));
  },

  updateDimensionProperties(book, { range, properties, fields }) {
    const { grid, startIndex, endIndex } = dimension(book, range, 0);
    const mask = parseMask(fields);
    const { hiddenByUser = false, pixelSize } = properties;
    grid.columns = grid.columns.map((column, at) =>
      at < startIndex || at >= endIndex
        ? column
        : {
            ...column,
            ...('hiddenByUser' in mask && { hidden: hiddenByUser }),
            ...('pixelSize' in mask && pixelSize !== undefined && { pixelSize }),
          },
    );
  },

  addConditionalFormatRule(book, { rule }) {
    for (const range of rule.ranges) isWithin(gridOf(book, range.sheetId), range);
    gridOf(book, rule.ranges[0]?.sheetId).conditionalFormats.push(rule);
  },

  addChart(book, { chart }, { nextId }) {
    const { anchorCell } = chart.position.overlayPosition;
    const { rowIndex = 0, columnIndex = 0, sheetId } = anchorCell;
    const grid = gridOf(book, sheetId);
    if (rowIndex >= grid.rowCount || columnIndex >= grid.columns.length)
      throw invalid('The anchor cell is outside of the grid.');
    requireSources(book, chart.spec.basicChart);
    const made = { ...chart, chartId: nextId() };
    grid.charts.push(made);
    return { addChart: { chart: made } };
  },

  createDeveloperMetadata(book, { developerMetadata }, { nextId }) {
    const { location, ...given } = developerMetadata;
    const metadata: Metadata = { ...given, metadataId: nextId() };
    if (location.spreadsheet) book.metadata.push(metadata);
    else if (location.sheetId !== undefined) gridOf(book, location.sheetId).metadata.push(metadata);
    else {
      const { grid, startIndex, endIndex } = dimension(book, location.dimensionRange, 0);
      if (endIndex - startIndex !== 1) throw invalid('The sandbox keeps metadata of single columns only.');
      const column = grid.columns[startIndex];
      if (column) grid.columns[startIndex] = { ...column, metadata: [...column.metadata, metadata] };
    }
    return { createDeveloperMetadata: { developerMetadata: metadata } };
  },

  /** For the spreadsheet as a whole. */
  updateDeveloperMetadata(book, { dataFilters, developerMetadata }, { behavior }) {
    const frozen = new Set(behavior.copiedOwnersCanBeChanged ? [] : book.copiedMetadata);
    const ids = new Set(
      dataFilters
        .map((one) => one.developerMetadataLookup.metadataId)
        .filter((metadataId) => !frozen.has(metadataId)),
    );
    book.metadata = book.metadata.map((one) =>
      ids.has(one.metadataId) ? { ...one, ...developerMetadata } : one,
    );
    const changed = book.metadata.filter(({ metadataId }) => ids.has(metadataId));
    return { updateDeveloperMetadata: { developerMetadata: changed } };
  },

  addProtectedRange(book, { protectedRange }, { nextId }) {
    const { range, description, warningOnly } = protectedRange;
    const grid = gridOf(book, range.sheetId);
    isWithin(grid, range);
    const protectedRangeId = nextId();
    const { sheetId: _sheetId, ...region } = range;
    grid.protections.push({
      protectedRangeId,
      range: region,
      warningOnly,
      ...(description !== undefined && { description }),
    });
    return { addProtectedRange: { protectedRange: { protectedRangeId } } };
  },

  /** Of columns. */
  deleteDeveloperMetadata(book, { dataFilter }) {
    const { metadataId } = dataFilter.developerMetadataLookup;
    const deleted: Metadata[] = [];
    for (const grid of book.grids)
      grid.columns = grid.columns.map((column) => {
        const [gone, metadata] = [true, false].map((isIt) =>
          column.metadata.filter((one) => (one.metadataId === metadataId) === isIt),
        );
        deleted.push(...(gone ?? []));
        return { ...column, metadata: metadata ?? [] };
      });
    return { deleteDeveloperMetadata: { deletedDeveloperMetadata: deleted } };
  },

  updateSpreadsheetProperties(book, { properties }) {
    book.autoRecalc = properties.autoRecalc;
  },

  deleteNamedRange(_book, { namedRangeId }) {
    throw invalid(`No named range with id: ${namedRangeId}`);
  },
};

/** Each source is one row or one column, all of them alike and as long as the labels. */
function requireSources(book: Workbook, { domains, series }: EmbeddedChart['spec']['basicChart']): void {
  const shapes = [...domains.map(({ domain }) => domain), ...series.map((one) => one.series)].map(
    ({ sourceRange: { sources } }) => {
      const sizes = sources.map((source) => {
        const region = isWithin(gridOf(book, source.sheetId), source);
        return {
          rows: region.endRowIndex - region.startRowIndex,
          columns: region.endColumnIndex - region.startColumnIndex,
        };
      });
      if (!sizes.every(({ rows }) => rows === 1) && !sizes.every(({ columns }) => columns === 1))
        throw invalid('A source of a chart must be one row or one column.');
      return JSON.stringify(sizes);
    },
  );
  if (new Set(shapes).size > 1)
    throw invalid('The domain and all series of a chart must have the same number of cells.');
}

const isInnerOfMerge = ({ merges }: Grid, row: number, column: number): boolean =>
  merges.some(
    ({ startRowIndex = 0, endRowIndex = 0, startColumnIndex = 0, endColumnIndex = 0 }) =>
      row >= startRowIndex &&
      row < endRowIndex &&
      column >= startColumnIndex &&
      column < endColumnIndex &&
      (row > startRowIndex || column > startColumnIndex),
  );

const withPlainBreaks = (cell: SandboxCell): SandboxCell =>
  cell.value?.stringValue === undefined
    ? cell
    : { ...cell, value: { stringValue: cell.value.stringValue.replaceAll('\r\n', '\n') } };

function cellMask(fields: string): FieldMask {
  const mask = parseMask(fields);
  const unknown = Object.keys(mask).find((one) => one !== 'userEnteredValue' && one !== 'userEnteredFormat');
  if (unknown !== undefined) throw invalid(`Invalid field mask: ${unknown}`);
  return mask;
}

/** A cell after a write: fields in the mask as given (absent: cleared), the others unchanged. */
function written(before: SandboxCell | undefined, given: CellData, mask: FieldMask): SandboxCell {
  const { value: _value, format: _format, ...rest } = before ?? {};
  const { userEnteredValue, userEnteredFormat } = mask;
  const value = userEnteredValue ? given.userEnteredValue : before?.value;
  const format = { ...before?.format };
  for (const name of Object.keys(userEnteredFormat ?? {})) delete format[name];
  Object.assign(format, userEnteredFormat && given.userEnteredFormat);
  return {
    ...rest,
    ...(value !== undefined && { value }),
    ...(Object.keys(format).length > 0 && { format }),
  };
}
