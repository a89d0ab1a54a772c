import { type Content, toRaw } from '../sheet/cells.ts';
import type { RawRequest } from '../sheet/raw.ts';
import type { TabSnapshot } from '../sheet/snapshot.ts';

/** One cell to write, at its position in the reading. */
export interface CellWrite {
  row: number;
  column: number;
  value: Content;
}

/** Changes to one tab. */
export interface TabEdits {
  tab: TabSnapshot;
  writes: CellWrite[];
  /** Rows to delete, ascending. */
  deletions: number[];
  /** New rows, inserted before `at`, each with its cells by column index. */
  insertion:
    | {
        at: number;
        rows: ReadonlyMap<number, Content>[];
        keys?: readonly string[];
        /** Between our rows, whose formats they get. */
        isInside?: boolean;
        /** Formats of the new rows, which start at the given row of the sheet. */
        looks?: (at: number) => RawRequest[];
      }
    | undefined;
}

export const noEdits = (tab: TabSnapshot): TabEdits => ({
  tab,
  writes: [],
  deletions: [],
  insertion: undefined,
});

/**
 * Edits as requests: cells first, at their positions in the reading; then deletions; then the insertion.
 *
 * @param isSingle One request for each cell, not as few as possible.
 */
export function requestsFor(edits: TabEdits, isSingle = false): RawRequest[] {
  const { sheetId } = edits.tab;
  const cells = (writes: readonly CellWrite[]) =>
    isSingle ? writes.flatMap((write) => cellRequests(sheetId, [write])) : cellRequests(sheetId, writes);
  const requests = cells(edits.writes);
  let rowCount = edits.tab.rowCount - edits.deletions.length;
  if (edits.deletions.length > 0 && rowCount <= edits.tab.frozenRowCount) {
    // Google refuses to delete all rows below the frozen ones, so a blank one is added first.
    requests.push(rowsInserted(sheetId, edits.tab.rowCount, 1, true));
    rowCount += 1;
  }
  for (const row of [...edits.deletions].reverse())
    requests.push({
      deleteDimension: { range: { sheetId, dimension: 'ROWS', startIndex: row, endIndex: row + 1 } },
    });
  if (edits.insertion) {
    const { rows, isInside = false } = edits.insertion;
    const at = insertedAt(edits);
    // The row before may be the header, which is formatted differently; at the end there is no other.
    requests.push(rowsInserted(sheetId, at, rows.length, (!isInside && at > 1) || at >= rowCount));
    const writes = rows.flatMap((cells, index) =>
      [...cells].map(([column, value]) => ({ row: at + index, column, value })),
    );
    requests.push(...cells(writes), ...(edits.insertion.looks?.(at) ?? []));
  }
  return requests;
}

const rowsInserted = (
  sheetId: number,
  at: number,
  count: number,
  inheritFromBefore: boolean,
): RawRequest => ({
  insertDimension: {
    range: { sheetId, dimension: 'ROWS', startIndex: at, endIndex: at + count },
    inheritFromBefore,
  },
});

/** Where new rows go after the deletions above them. */
export const insertedAt = ({ insertion, deletions }: TabEdits): number =>
  (insertion?.at ?? 0) - deletions.filter((row) => row < (insertion?.at ?? 0)).length;

interface Block {
  row: number;
  column: number;
  rows: Content[][];
}

/** As few rectangles as possible that cover exactly these cells. */
export function cellRequests(sheetId: number, writes: readonly CellWrite[]): RawRequest[] {
  const sorted = [...writes].sort((a, b) => a.row - b.row || a.column - b.column);
  const runs: Block[] = [];
  for (const { row, column, value } of sorted) {
    const last = runs.at(-1);
    const cells = last?.rows[0];
    if (last && cells && last.row === row && last.column + cells.length === column) cells.push(value);
    else runs.push({ row, column, rows: [[value]] });
  }
  const blocks: Block[] = [];
  const open = new Map<string, Block>();
  for (const run of runs) {
    const cells = run.rows[0] ?? [];
    const place = `${run.column}:${cells.length}`;
    const above = open.get(place);
    if (above && above.row + above.rows.length === run.row) above.rows.push(cells);
    else {
      blocks.push(run);
      open.set(place, run);
    }
  }
  return blocks.map(({ row, column, rows }) => ({
    updateCells: {
      start: { sheetId, rowIndex: row, columnIndex: column },
      rows: rows.map((cells) => ({
        values: cells.map((content) => {
          const userEnteredValue = toRaw(content);
          return userEnteredValue ? { userEnteredValue } : {};
        }),
      })),
      fields: 'userEnteredValue',
    },
  }));
}
