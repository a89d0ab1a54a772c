import { type Content, sameContent } from '../sheet/cells.ts';
import { contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { ID } from '../tabs/tab-spec.ts';
import type { TabEdits, Write } from './edits.ts';
import { insertedAt } from './requests.ts';

/**
 * Google has no "write only if nothing moved". Somebody who inserts, sorts or moves in the moment between our reading
 * and our writing gets a value of ours into a cell of theirs. The next reading shows it: where exactly our value stands
 * in a cell it was not meant for, what stood there before is put back, found by the rest of its row and column. A cell
 * of ours in another row of ours is left to the next plan. Pure.
 */
export function mend(edits: TabEdits, now: TabSnapshot): Write[] {
  const before = edits.tab;
  const landed = written(edits).filter(
    ({ row, column, value }) => value !== null && sameContent(contentAt(now, row, column), value),
  );
  const byRow = Map.groupBy(landed, ({ row }) => row);
  const columns = formerColumns(before, now);
  const mended: Write[] = [];
  for (const [row, places] of byRow) {
    const id = idAt(now, row);
    const ours = new Set(places.map(({ column }) => column));
    const former =
      id === undefined ? formerRow(before, now, { row, ours, columns, meant: places }) : undefined;
    for (const { column, value, key, target, from } of places) {
      const keyNow = nameOf(now, column);
      const isRow = target === undefined ? former !== undefined && former === from : id === target;
      if (isRow && keyNow === key) continue;
      if (id !== undefined && keyNow !== undefined) continue;
      const source = id === undefined ? former : rowWithId(before, id);
      const there = columns.get(column);
      const content = source === undefined || there === undefined ? null : contentAt(before, source, there);
      if (!sameContent(content, value)) mended.push({ row, column, value: content });
    }
  }
  return mended;
}

interface Place {
  /** Where it came to stand, had nothing moved. */
  row: number;
  column: number;
  value: Content;
  /** Our column it was meant for. */
  key: string | undefined;
  /** The id of the row it was meant for; undefined for a row without one. */
  target: string | undefined;
  /** That row when it was read; undefined for a new one. */
  from: number | undefined;
}

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
    key: nameOf(tab, column),
    target: idAt(tab, row),
    from: row,
  }));
  const idColumn = tab.columns.get(ID) ?? -1;
  for (const [index, cells] of (insertion?.rows ?? []).entries()) {
    const target = String(cells.get(idColumn) ?? '');
    for (const [column, value] of cells)
      places.push({ row: at + index, column, value, key: nameOf(tab, column), target, from: undefined });
  }
  return places;
}

const nameOf = (tab: TabSnapshot, column: number): string | undefined => {
  for (const [key, index] of tab.columns) if (index === column) return key;
  return undefined;
};

function idAt(tab: TabSnapshot, row: number): string | undefined {
  const column = tab.columns.get(ID);
  const content = column === undefined ? null : contentAt(tab, row, column);
  return content === null || typeof content === 'object' ? undefined : String(content);
}

function rowWithId(tab: TabSnapshot, id: string): number | undefined {
  const found = tab.cells.findIndex((_, row) => idAt(tab, row) === id);
  return found < 0 ? undefined : found;
}

/** Where each column was: ours by name, others by their header and their place among those with the same one. */
function formerColumns(before: TabSnapshot, now: TabSnapshot): Map<number, number> {
  const others = (tab: TabSnapshot) =>
    Map.groupBy(
      Array.from({ length: tab.columnCount }, (_, index) => index).filter(
        (index) => nameOf(tab, index) === undefined,
      ),
      (index) => JSON.stringify(contentAt(tab, 0, index)),
    );
  const past = others(before);
  const found = new Map<number, number>();
  for (const [header, list] of others(now)) {
    const former = past.get(header) ?? [];
    if (former.length === list.length)
      for (const [at, column] of list.entries()) found.set(column, former[at] ?? column);
  }
  for (const [key, column] of now.columns) {
    const former = before.columns.get(key);
    if (former !== undefined) found.set(column, former);
  }
  return found;
}

interface Looking {
  row: number;
  /** Columns we have written to, which say nothing about whose row it is. */
  ours: ReadonlySet<number>;
  columns: ReadonlyMap<number, number>;
  meant: readonly Place[];
}

/** The row without an id that this one was: the one that agrees with it in most cells, when there is just one. */
function formerRow(
  before: TabSnapshot,
  now: TabSnapshot,
  { row, ours, columns, meant }: Looking,
): number | undefined {
  const kept = (now.cells[row] ?? []).flatMap((content, column) => {
    const former = columns.get(column);
    return content === null || ours.has(column) || former === undefined ? [] : [{ content, former }];
  });
  const agreeing = (candidate: number) =>
    kept.filter(({ content, former }) => sameContent(contentAt(before, candidate, former), content)).length;
  const blank = before.cells.map((cells) => cells.every((content) => content === null));
  let best: { row: number; score: number; alone: boolean } | undefined;
  for (const [candidate] of before.cells.entries()) {
    if (blank[candidate] || idAt(before, candidate) !== undefined) continue;
    const score = agreeing(candidate);
    if (score === 0 && kept.length > 0) continue;
    if (best === undefined || score > best.score) best = { row: candidate, score, alone: true };
    else if (score === best.score) best.alone = false;
  }
  if (best?.alone) return best.row;
  // Several agree as well: the one it was meant for, if it is among them.
  const wanted = meant[0]?.from;
  return best && wanted !== undefined && agreeing(wanted) === best.score ? wanted : undefined;
}
