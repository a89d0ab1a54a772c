import { type FieldMask, maskedFields, selects } from './field-mask.ts';
import { effectiveValue } from './formulas.ts';
import { formatOf, formatted } from './typing.ts';
import type { Grid, Region, Workbook } from './workbook.ts';

interface ResourceOptions {
  mask: FieldMask;
  /** The spreadsheet's local time as a serial number. */
  now: () => number;
  /** The requested tabs, with the part of each; all if omitted. */
  ranges?: ReadonlyMap<number, Region>;
}

/** The workbook as returned by the API: only what the mask selects, only the requested grids. */
export function spreadsheetResource(book: Workbook, { mask, now, ranges }: ResourceOptions): unknown {
  const grids = ranges ? book.grids.filter(({ sheetId }) => ranges.has(sheetId)) : book.grids;
  const withData = selects(mask, ['sheets', 'data']);
  const sheets = grids.map((grid) => ({
    properties: {
      sheetId: grid.sheetId,
      title: grid.title,
      index: book.grids.indexOf(grid),
      sheetType: 'GRID',
      gridProperties: {
        rowCount: grid.rowCount,
        columnCount: grid.columns.length,
        ...(grid.frozenRowCount > 0 && { frozenRowCount: grid.frozenRowCount }),
      },
      ...(grid.hidden && { hidden: true }),
    },
    ...(grid.metadata.length > 0 && { developerMetadata: grid.metadata }),
    ...(grid.merges.length > 0 && {
      merges: grid.merges.map((range) => ({
        ...(grid.sheetId !== 0 && { sheetId: grid.sheetId }),
        ...range,
      })),
    }),
    ...(grid.protections.length > 0 && {
      protectedRanges: grid.protections.map((one) => protection(grid, one)),
    }),
    ...(withData && {
      data: [gridData(grid, { mask, now, book, region: ranges?.get(grid.sheetId) ?? {} })],
    }),
  }));
  return maskedFields(
    {
      spreadsheetId: book.spreadsheetId,
      properties: { title: book.title, locale: book.locale, timeZone: book.timeZone },
      ...(book.metadata.length > 0 && { developerMetadata: book.metadata }),
      sheets,
    },
    mask,
  );
}

const protection = (grid: Grid, one: Grid['protections'][number]) => ({
  protectedRangeId: one.protectedRangeId,
  ...(one.description !== undefined && { description: one.description }),
  ...(one.warningOnly && { warningOnly: true }),
  // Like Google, omits the id 0.
  range: { ...(grid.sheetId !== 0 && { sheetId: grid.sheetId }), ...one.range },
});

/** Like Google, omits trailing blank rows and cells. */
function gridData(
  grid: Grid,
  { mask, now, book, region }: { mask: FieldMask; now: () => number; book: Workbook; region: Region },
) {
  const { startRowIndex = 0, endRowIndex } = region;
  const withField = (name: string) => selects(mask, ['sheets', 'data', 'rowData', 'values', name]);
  const [withRule, withResult, withText, withFormat] = [
    ...['dataValidation', 'effectiveValue', 'formattedValue', 'userEnteredFormat'],
  ].map(withField);
  const at = withResult || withText ? now() : 0;
  const rowData = grid.rows.slice(startRowIndex, endRowIndex).map((row) => {
    const values = row.map((cell) => {
      const result =
        (withResult || withText) && cell?.value ? effectiveValue({ book, grid }, cell, at) : undefined;
      const shown = withText && result && formatted(result, formatOf(cell), book.locale);
      return {
        ...(cell?.value && { userEnteredValue: cell.value }),
        ...(withResult && result && { effectiveValue: result }),
        ...(shown !== undefined && shown !== false && { formattedValue: shown }),
        ...(withRule && cell?.validation && { dataValidation: cell.validation }),
        ...(withFormat && cell?.format && { userEnteredFormat: cell.format }),
      };
    });
    while (values.length > 0 && Object.keys(values.at(-1) ?? {}).length === 0) values.pop();
    return values.length > 0 ? { values } : {};
  });
  while (rowData.length > 0 && !rowData.at(-1)?.values) rowData.pop();
  return {
    ...(startRowIndex > 0 && { startRow: startRowIndex }),
    ...(rowData.length > 0 && { rowData }),
    columnMetadata: grid.columns.map(({ metadata, hidden, pixelSize = 100 }) => ({
      pixelSize,
      ...(hidden && { hiddenByUser: true }),
      ...(metadata.length > 0 && { developerMetadata: metadata }),
    })),
  };
}
