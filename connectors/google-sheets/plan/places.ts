import { type Content, sameContent } from '../sheet/cells.ts';
import { contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { ID } from '../sheet/tab-spec.ts';
import { columnKeyOf } from './former-columns.ts';
import { insertedAt, type TabEdits } from './requests.ts';

export interface GridPlace {
  /** The target position, had nothing moved. */
  row: number;
  column: number;
  value: Content;
  /** Key of the target column. */
  key: string | undefined;
  /** Id of the target row; undefined for a row without one. */
  target: string | undefined;
  /** Index of the target row in the reading; undefined for a new row. */
  from: number | undefined;
  /** Found by value alone. */
  isGuess?: boolean;
}

/** Our values in people's rows of the same column, wherever those rows were moved since. */
export function carriedOff(
  places: readonly GridPlace[],
  landed: readonly GridPlace[],
  now: TabSnapshot,
): GridPlace[] {
  const known = new Set(landed.map(({ row, column }) => `${row} ${column}`));
  const found: GridPlace[] = [];
  const loose = now.cells.flatMap((_, row) => (rowIdAt(now, row) === undefined ? [row] : []));
  for (const place of places) {
    const column = now.columns.get(place.key ?? '');
    if (place.value === null || column === undefined) continue;
    for (const row of loose)
      if (sameContent(contentAt(now, row, column), place.value) && !known.has(`${row} ${column}`))
        found.push({ ...place, row, column, isGuess: true });
  }
  return found;
}

/** The target of each of our values. */
export function writtenPlace(edits: TabEdits): GridPlace[] {
  const { tab, writes, deletions, insertion } = edits;
  const at = insertedAt(edits);
  const shift = (row: number) => {
    const above = row - deletions.filter((gone) => gone < row).length;
    return insertion && above >= at ? above + insertion.rows.length : above;
  };
  const named = new Map(
    writes.flatMap(({ row, column, value }) =>
      columnKeyOf(tab, column) === ID && value !== null ? [[row, String(value)] as const] : [],
    ),
  );
  const places: GridPlace[] = writes.map(({ row, column, value }) => ({
    row: shift(row),
    column,
    value,
    key: columnKeyOf(tab, column),
    target: named.get(row) ?? rowIdAt(tab, row),
    from: row,
  }));
  const idColumn = tab.columns.get(ID) ?? -1;
  for (const [index, cells] of (insertion?.rows ?? []).entries()) {
    const target = String(cells.get(idColumn) ?? '');
    for (const [column, value] of cells)
      places.push({ row: at + index, column, value, key: columnKeyOf(tab, column), target, from: undefined });
  }
  return places;
}

export function rowIdAt(tab: TabSnapshot, row: number): string | undefined {
  const column = tab.columns.get(ID);
  const content = column === undefined ? null : contentAt(tab, row, column);
  return content === null || typeof content === 'object' ? undefined : String(content);
}
