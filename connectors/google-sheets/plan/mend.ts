import { type Content, sameContent } from '../sheet/cells.ts';
import { contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { ID } from '../tabs/tab-spec.ts';
import type { TabEdits, Write } from './edits.ts';
import { insertedAt } from './requests.ts';

/** What was written on the strength of a reading that may have been out of date by then. */
export interface Attempt {
  edits: TabEdits;
}

/**
 * Google has no "write only if nothing moved". Somebody who inserts, sorts or moves in the moment between our reading
 * and our writing gets a value of ours into a cell of theirs. The next reading shows it: where exactly our value stands
 * in a cell that is not ours, what stood there before is put back, found by the rest of its row and column.
 */
export function mend({ edits }: Attempt, now: TabSnapshot): Write[] {
  const before = edits.tab;
  const places = written(edits);
  if (places.length === 0) return [];
  const past = before.cells.map((_, row) => rowSignature(before, row));
  const mended: Write[] = [];
  for (const { row, column, value, key, target } of places) {
    if (value === null || !sameContent(contentAt(now, row, column), value)) continue;
    const keyNow = columnName(now, column);
    const lookNow = rowSignature(now, row);
    if (keyNow === key && lookNow === target) continue;
    // A cell of ours, in another row of ours: the next plan sees to it.
    if (keyNow !== undefined && idAt(now, row) !== undefined) continue;
    const formerRow = onlyIndexOf(past, lookNow);
    const formerColumn = columnBefore(before, now, column);
    const former =
      formerRow === undefined || formerColumn === undefined
        ? null
        : contentAt(before, formerRow, formerColumn);
    if (!sameContent(former, value)) mended.push({ row, column, value: former });
  }
  return mended;
}

interface Place {
  row: number;
  column: number;
  value: Content;
  /** Our column it was meant for. */
  key: string | undefined;
  /** How the row it was meant for looks. */
  target: string | undefined;
}

/** Where the cells of a batch came to stand, had nothing moved before it was applied. */
function written(edits: TabEdits): Place[] {
  const { tab, writes, deletions, insertion } = edits;
  const at = insertedAt(edits);
  const shift = (row: number) => {
    const above = row - deletions.filter((gone) => gone < row).length;
    return insertion && above >= at ? above + insertion.rows.length : above;
  };
  const places: Place[] = writes.map(({ row, column, value }) => ({
    row: shift(row),
    column,
    value,
    key: columnName(tab, column),
    target: rowSignature(tab, row),
  }));
  const idColumn = tab.columns.get(ID);
  for (const [index, cells] of (insertion?.rows ?? []).entries()) {
    const id = idColumn === undefined ? undefined : cells.get(idColumn);
    for (const [column, value] of cells)
      places.push({
        row: at + index,
        column,
        value,
        key: columnName(tab, column),
        target: id === undefined ? undefined : `id ${id}`,
      });
  }
  return places;
}

const columnName = (tab: TabSnapshot, column: number): string | undefined => {
  for (const [key, index] of tab.columns) if (index === column) return key;
  return undefined;
};

function idAt(tab: TabSnapshot, row: number): string | undefined {
  const column = tab.columns.get(ID);
  const content = column === undefined ? null : contentAt(tab, row, column);
  return content === null || typeof content === 'object' ? undefined : String(content);
}

/** A row by what it holds that we do not write: its id, else everything outside of the columns that we fill. */
function rowSignature(tab: TabSnapshot, row: number): string | undefined {
  const id = idAt(tab, row);
  if (id !== undefined) return `id ${id}`;
  const ours = new Set([...tab.columns].filter(([key]) => !inputs.has(key)).map(([, index]) => index));
  const kept = (tab.cells[row] ?? []).flatMap((content, column) =>
    content === null || ours.has(column) ? [] : [JSON.stringify(content)],
  );
  return kept.length === 0 ? undefined : kept.sort().join();
}

/** Columns of ours that people fill in. */
const inputs = new Set(['patient', 'phone', 'date', 'time', 'dentist', 'treatment', 'address', 'note']);

/** Where exactly one of the list is like it. */
function onlyIndexOf(list: readonly (string | undefined)[], wanted: string | undefined): number | undefined {
  if (wanted === undefined) return undefined;
  const first = list.indexOf(wanted);
  return first >= 0 && first === list.lastIndexOf(wanted) ? first : undefined;
}

/** A column of the present in the past: ours by name, others by their header and place among those with the same one. */
function columnBefore(before: TabSnapshot, now: TabSnapshot, column: number): number | undefined {
  const key = columnName(now, column);
  if (key !== undefined) return before.columns.get(key);
  const header = JSON.stringify(contentAt(now, 0, column));
  const same = (tab: TabSnapshot) =>
    Array.from({ length: tab.columnCount }, (_, index) => index).filter(
      (index) => columnName(tab, index) === undefined && JSON.stringify(contentAt(tab, 0, index)) === header,
    );
  const there = same(before);
  return there.length === same(now).length ? there[same(now).indexOf(column)] : undefined;
}
