import type { Clock } from '../../src/platform/clock.ts';
import type { Behavior } from './behavior.ts';
import { rangeActions } from './range-actions.ts';
import { afterDeletion, afterInsertion, moveReferences } from './references.ts';
import type { ValidationRule } from './rules.ts';
import type { ColumnType } from './workbook.ts';
import {
  type CellValue,
  cellAt,
  copyGrid,
  copyWorkbook,
  deleteColumns,
  deleteRows,
  type Grid,
  insertColumns,
  insertRows,
  moveColumn,
  type Region,
  setCell,
  sortKey,
  type Workbook,
} from './workbook.ts';

export type Typed = string | number | boolean | null | { formula: string };

/** What users do in the browser. Rows and columns are counted from 0; tabs are identified by their present title. */
export function createUserActions(
  state: { book: Workbook; behavior: Behavior },
  { nextId, clock }: { nextId: () => number; clock: Clock },
) {
  const history: Grid[] = [];
  const find = (tab: string): Grid => {
    const grid = state.book.grids.find(({ title }) => title === tab);
    if (!grid) throw new RangeError(`there is no tab ${tab}`);
    return grid;
  };
  /** The tab about to be changed, saved for `undo`. */
  const touch = (tab: string): Grid => {
    const grid = find(tab);
    state.book.changedAt = clock.now();
    history.push(copyGrid(grid));
    if (history.length > 50) history.shift();
    return grid;
  };

  return {
    type(tab: string, row: number, column: number, value: Typed) {
      const grid = touch(tab);
      if (row >= grid.rowCount || column >= grid.columns.length) throw new RangeError('outside of the grid');
      enter(grid, row, column, value);
    },
    ...rangeActions(state, { touch, clock }),
    insertRow(tab: string, at: number) {
      const grid = touch(tab);
      insertRows(grid, at, 1, at > 1 ? 'before' : 'after');
      moveReferences(state.book, grid, 'rows', afterInsertion(at, 1));
    },
    deleteRow(tab: string, at: number) {
      const grid = touch(tab);
      deleteRows(grid, at, at + 1);
      moveReferences(state.book, grid, 'rows', afterDeletion(at, at + 1));
    },
    moveRow(tab: string, from: number, to: number) {
      const grid = touch(tab);
      while (grid.rows.length <= Math.max(from, to)) grid.rows.push([]);
      const [row] = grid.rows.splice(from, 1);
      grid.rows.splice(to, 0, row ?? []);
    },
    /** Inserts a copy of a row, with values and formatting. */
    copyRow(tab: string, from: number, at: number) {
      const grid = touch(tab);
      const row = grid.rows[from] ?? [];
      insertRows(grid, at, 1, 'before');
      grid.rows[at] = row;
      moveReferences(state.book, grid, 'rows', afterInsertion(at, 1));
    },
    /** Sorts everything below the frozen rows, blank rows last. */
    sort(tab: string, column: number, descending = false) {
      const grid = touch(tab);
      const head = grid.rows.slice(0, grid.frozenRowCount);
      const body = grid.rows.slice(grid.frozenRowCount);
      const keyed = body.map((row, index) => ({ row, index, key: sortKey(row[column]) }));
      const sign = descending ? -1 : 1;
      keyed.sort((a, b) => {
        if (a.key === undefined || b.key === undefined)
          return Number(a.key === undefined) - Number(b.key === undefined) || a.index - b.index;
        return sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) || a.index - b.index;
      });
      grid.rows = [...head, ...keyed.map(({ row }) => row)];
    },
    /** Hides rows with another text in this column. */
    filter(tab: string, column: number, text: string) {
      touch(tab).filter = { column, text };
    },
    ...columnActions(state, touch),
    renameTab(tab: string, title: string) {
      touch(tab).title = title;
    },
    deleteTab(tab: string) {
      const grid = touch(tab);
      state.book.grids = state.book.grids.filter((one) => one !== grid);
    },
    /** Includes everything in the tab and attached to it. */
    duplicateTab(tab: string, title: string) {
      const grid = copyGrid(find(tab));
      const renumbered = <T extends { metadataId: number }>(list: readonly T[]) =>
        list.map((one) => ({ ...one, metadataId: nextId() }));
      state.book.grids.push({
        ...grid,
        sheetId: nextId(),
        title,
        metadata: renumbered(grid.metadata),
        columns: grid.columns.map((column) => ({ ...column, metadata: renumbered(column.metadata) })),
      });
    },
    ...shapeActions(touch, nextId),
    /** Restores the tab as it was before the last of these actions, undoing others' later writes as well. */
    undo(): boolean {
      const before = history.pop();
      if (!before) return false;
      if (!state.behavior.undoRestoresMarks) loseMarks(before, state.book);
      const at = state.book.grids.findIndex(({ sheetId }) => sheetId === before.sheetId);
      if (at === -1) state.book.grids.push(before);
      else state.book.grids[at] = before;
      return true;
    },
    ...fileActions(state, clock),
    /** Clears the undo history. */
    forget() {
      history.length = 0;
    },
  };
}

const columnActions = (state: { book: Workbook }, touch: (tab: string) => Grid) => ({
  insertColumn(tab: string, at: number) {
    const grid = touch(tab);
    insertColumns(grid, at, 1);
    moveReferences(state.book, grid, 'columns', afterInsertion(at, 1));
  },
  moveColumn: (tab: string, from: number, to: number) => moveColumn(touch(tab), from, to),
  deleteColumn(tab: string, at: number) {
    const grid = touch(tab);
    deleteColumns(grid, at, at + 1);
    moveReferences(state.book, grid, 'columns', afterDeletion(at, at + 1));
  },
});

const fileActions = (state: { book: Workbook; behavior: Behavior }, clock: Clock) => ({
  /** The version as it is now; calling it restores all tabs, as Version history does. */
  version(): () => void {
    const saved = copyWorkbook(state.book);
    return () => {
      const next = copyWorkbook(saved);
      if (!state.behavior.undoRestoresMarks) for (const grid of next.grids) loseMarks(grid, state.book);
      state.book = { ...next, changedAt: clock.now() };
    };
  },
  /** File, Make a copy; from here on, the copy is served under the same id. */
  copyFile() {
    state.book.copiedMetadata = state.book.metadata.map(({ metadataId }) => metadataId);
  },
});

/** What users do to a tab other than to its cells. */
const shapeActions = (touch: (tab: string) => Grid, nextId: () => number) => ({
  protect(tab: string, range: Region, { description }: { description?: string } = {}) {
    touch(tab).protections.push({
      protectedRangeId: nextId(),
      range,
      ...(description !== undefined && { description }),
    });
  },
  /** Converts the tab, or a range of it, to a table; these columns become typed. */
  convertToTable(tab: string, typed: readonly number[], range: Region = {}) {
    const grid = touch(tab);
    grid.tables.push(range);
    grid.columns = grid.columns.map((column, at) => ({ ...column, isTyped: typed.includes(at) }));
  },
  /** Gives a column of a native table its type. */
  typeColumn(tab: string, at: number, type: ColumnType) {
    const grid = touch(tab);
    grid.columns = grid.columns.map((column, index) =>
      index === at ? { ...column, isTyped: true, type } : column,
    );
  },
  /** Data > Data validation, for a range; what is there stays. */
  validate(tab: string, region: { [side in keyof Region]-?: number }, rule: ValidationRule) {
    const grid = touch(tab);
    for (let row = region.startRowIndex; row < region.endRowIndex; row += 1)
      for (let column = region.startColumnIndex; column < region.endColumnIndex; column += 1)
        setCell(grid, row, column, { ...cellAt(grid, row, column), validation: { ...rule } });
  },
  /** Only the first cell keeps its content. */
  merge(tab: string, region: { [side in keyof Region]-?: number }) {
    const grid = touch(tab);
    grid.merges.push(region);
    for (let row = region.startRowIndex; row < region.endRowIndex; row += 1)
      for (let column = region.startColumnIndex; column < region.endColumnIndex; column += 1)
        if (row > region.startRowIndex || column > region.startColumnIndex) enter(grid, row, column, null);
  },
  unprotect: (tab: string) => {
    touch(tab).protections = [];
  },
});

export type UserActions = ReturnType<typeof createUserActions>;

function enter(grid: Grid, row: number, column: number, value: Typed): void {
  const { value: _old, ...looks } = cellAt(grid, row, column) ?? {};
  const typed = toValue(value);
  setCell(grid, row, column, typed ? { ...looks, value: typed } : looks);
}

/** A column that comes back is a new one, without marks. */
function loseMarks(grid: Grid, book: Workbook): void {
  const present = new Set(book.grids.flatMap(({ columns }) => columns.flatMap(({ metadata }) => metadata)));
  grid.columns = grid.columns.map((column) => ({
    ...column,
    metadata: column.metadata.filter((one) => present.has(one)),
  }));
}

function toValue(value: Typed): CellValue | undefined {
  if (value === null || value === '') return undefined;
  if (typeof value === 'object') return { formulaValue: value.formula };
  if (typeof value === 'number') return { numberValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return { stringValue: value };
}
