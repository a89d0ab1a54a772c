import type { EmbeddedChart } from './schema.ts';

/** Types of the columns of a native table, as `columnType` names them. */
export type ColumnType =
  | 'DOUBLE'
  | 'CURRENCY'
  | 'PERCENT'
  | 'DATE'
  | 'TIME'
  | 'DATE_TIME'
  | 'TEXT'
  | 'BOOLEAN';

/** The kinds of value a cell can hold; at most one. */
export interface CellValue {
  numberValue?: number | undefined;
  stringValue?: string | undefined;
  boolValue?: boolean | undefined;
  formulaValue?: string | undefined;
}

/** Never modified in place, only replaced: copies of a workbook share their cells. */
export interface SandboxCell {
  readonly value?: CellValue;
  readonly format?: Readonly<Record<string, unknown>>;
  readonly validation?: Readonly<Record<string, unknown>>;
}

export interface Metadata {
  readonly metadataId: number;
  readonly metadataKey: string;
  readonly metadataValue: string;
  readonly visibility: string;
}

/** What belongs to a column as a whole and moves with it. */
interface Column {
  readonly metadata: readonly Metadata[];
  readonly hidden?: boolean;
  readonly pixelSize?: number;
  /** A typed column of a table. */
  readonly isTyped?: boolean;
  readonly type?: ColumnType;
}

export interface Region {
  startRowIndex?: number | undefined;
  endRowIndex?: number | undefined;
  startColumnIndex?: number | undefined;
  endColumnIndex?: number | undefined;
}

interface Protection {
  readonly protectedRangeId: number;
  readonly description?: string;
  readonly range: Region;
  /** People are asked before they edit it; clients are not. */
  readonly warningOnly?: true;
}

export interface Grid {
  readonly sheetId: number;
  title: string;
  rowCount: number;
  frozenRowCount: number;
  hidden: boolean;
  columns: Column[];
  /** Short or missing rows are blank. */
  rows: (readonly (SandboxCell | undefined)[])[];
  metadata: Metadata[];
  protections: Protection[];
  merges: Region[];
  /** Native tables (Format, Convert to table). */
  tables: Region[];
  /** What pivot tables, on this tab or another, are made of. */
  pivotSources: Region[];
  /** Rows with another text in this column are hidden. */
  filter?: { column: number; text: string } | undefined;
  conditionalFormats: unknown[];
  charts: (EmbeddedChart & { chartId: number })[];
}

export interface Workbook {
  spreadsheetId: string;
  title: string;
  locale: string;
  timeZone: string;
  /** Milliseconds since the epoch. */
  changedAt: number;
  /** `ON_CHANGE`: NOW() stays the same until someone changes something. */
  autoRecalc: 'ON_CHANGE' | 'MINUTE' | 'HOUR';
  metadata: Metadata[];
  /** Ids of the spreadsheet's metadata that came with a copy of the file. */
  copiedMetadata: readonly number[];
  grids: Grid[];
  namedRanges: { readonly name: string; readonly sheetId: number; readonly range: Region }[];
}

/** A copy that can be modified without changing the original. Cells, being immutable, are shared. */
export const copyWorkbook = (book: Workbook): Workbook => ({
  ...book,
  metadata: [...book.metadata],
  namedRanges: [...book.namedRanges],
  grids: book.grids.map(copyGrid),
});

export const copyGrid = (grid: Grid): Grid => ({
  ...grid,
  columns: [...grid.columns],
  rows: [...grid.rows],
  metadata: [...grid.metadata],
  protections: [...grid.protections],
  merges: [...grid.merges],
  tables: [...grid.tables],
  pivotSources: [...grid.pivotSources],
  conditionalFormats: [...grid.conditionalFormats],
  charts: [...grid.charts],
});

export const newGrid = (sheetId: number, title: string, rowCount: number, columnCount: number): Grid => ({
  sheetId,
  title,
  rowCount,
  frozenRowCount: 0,
  hidden: false,
  columns: Array.from({ length: columnCount }, () => ({ metadata: [] })),
  rows: [],
  metadata: [],
  protections: [],
  merges: [],
  tables: [],
  pivotSources: [],
  conditionalFormats: [],
  charts: [],
});

export const cellAt = (grid: Grid, row: number, column: number): SandboxCell | undefined =>
  grid.rows[row]?.[column];

export const isFilteredOut = (grid: Grid, row: number): boolean =>
  grid.filter !== undefined &&
  row >= grid.frozenRowCount &&
  cellAt(grid, row, grid.filter.column)?.value?.stringValue !== grid.filter.text;

export function setCell(grid: Grid, row: number, column: number, cell: SandboxCell | undefined): void {
  while (grid.rows.length <= row) grid.rows.push([]);
  const cells = [...(grid.rows[row] ?? [])];
  while (cells.length <= column) cells.push(undefined);
  cells[column] = cell;
  grid.rows[row] = cells;
}

/** Inserts blank rows before `at`, formatted like the row before or after them. */
export function insertRows(grid: Grid, at: number, count: number, inherit: 'before' | 'after'): void {
  const model = grid.rows[inherit === 'before' ? at - 1 : at] ?? [];
  const blank = model.map((cell) => cell && withoutValue(cell));
  while (grid.rows.length < at) grid.rows.push([]);
  grid.rows = [
    ...grid.rows.slice(0, at),
    ...Array.from({ length: count }, () => blank),
    ...grid.rows.slice(at),
  ];
  grid.rowCount += count;
}

const withoutValue = ({ value: _value, ...looks }: SandboxCell): SandboxCell => looks;

export function deleteRows(grid: Grid, start: number, end: number): void {
  grid.rows.splice(start, end - start);
  grid.rowCount -= end - start;
}

export function insertColumns(grid: Grid, at: number, count: number): void {
  const blank = Array.from({ length: count }, (): Column => ({ metadata: [] }));
  grid.columns.splice(at, 0, ...blank);
  grid.rows = grid.rows.map((row) =>
    row.length <= at ? row : [...row.slice(0, at), ...blank.map(() => undefined), ...row.slice(at)],
  );
}

export function deleteColumns(grid: Grid, start: number, end: number): void {
  grid.columns.splice(start, end - start);
  grid.rows = grid.rows.map((row) => [...row.slice(0, start), ...row.slice(end)]);
}

export function moveColumn(grid: Grid, from: number, to: number): void {
  const move = <T>(list: readonly T[], blank: T): T[] => {
    const copy = Array.from({ length: grid.columns.length }, (_, index) => list[index] ?? blank);
    const [taken] = copy.splice(from, 1);
    copy.splice(to, 0, taken ?? blank);
    return copy;
  };
  grid.rows = grid.rows.map((row) => move<SandboxCell | undefined>(row, undefined));
  grid.columns = move<Column>(grid.columns, { metadata: [] });
}

export const cellsIn = (book: Workbook): number =>
  book.grids.reduce((sum, grid) => sum + grid.rowCount * grid.columns.length, 0);

/** Numbers before texts before checkboxes, as in a spreadsheet. */
export function sortKey(cell: SandboxCell | undefined): string | undefined {
  const { numberValue, stringValue, boolValue, formulaValue } = cell?.value ?? {};
  if (numberValue !== undefined) return `0${(numberValue + 1e9).toFixed(6).padStart(20, '0')}`;
  if (stringValue !== undefined || formulaValue !== undefined) return `1${stringValue ?? formulaValue}`;
  return boolValue === undefined ? undefined : `2${boolValue}`;
}
