import { type Content, sameContent } from '../sheet/cells.ts';
import { contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { ID } from '../tabs/tab-spec.ts';
import { formerColumns, nameOf } from './former-columns.ts';
import { insertedAt, type TabEdits, type Write } from './requests.ts';
import { type Unharmed, unharmed } from './unharmed.ts';

/** The tab before and after one write. */
interface Scene {
  readonly before: TabSnapshot;
  readonly now: TabSnapshot;
  /** The target of each value of ours. */
  readonly places: readonly Place[];
  /** Former column by current column. */
  readonly columns: ReadonlyMap<number, number>;
  readonly whole: Unharmed;
  /** Cells of each new row. */
  readonly inserted: ReadonlyMap<number, readonly Place[]>;
  /** Former rows that were already restored. */
  readonly taken: Set<number>;
}

/**
 * Google has no conditional write. When rows or columns move between our reading and our writing, our value lands in a
 * cell of people's. Where the next reading shows exactly our value in a wrong cell, the former content is written back,
 * identified by the rest of the row and column. Our own cells are left to the next plan. Pure.
 */
export function repairWrites(edits: TabEdits, now: TabSnapshot): Write[] {
  const before = edits.tab;
  const places = written(edits);
  const landed = places.filter(({ row, column, value }) => sameContent(contentAt(now, row, column), value));
  const byRow = Map.groupBy([...landed, ...carriedOff(places, landed, now)], ({ row }) => row);
  const columns = formerColumns(before, now);
  const scene: Scene = {
    before,
    now,
    places,
    columns,
    whole: unharmed(before, now, columns),
    inserted: Map.groupBy(places, ({ from, row }) => (from === undefined ? row : -1)),
    taken: new Set(),
  };
  return [...byRow].flatMap(([row, here]) => repairRow(scene, row, here));
}

/** @param here Our values that are now in this row. */
function repairRow(scene: Scene, row: number, here: readonly Place[]): Write[] {
  const { before, now, whole, inserted, taken } = scene;
  const isNew = here.every(({ from }) => from === undefined) && here.length === inserted.get(row)?.length;
  if (isNew && here.some(({ column, key }) => nameOf(now, column) !== key))
    return rightColumns(row, here, now);
  if (here.every(({ isGuess }) => isGuess) && whole.isUntouched(row)) return [];
  const id = idAt(now, row);
  const ours = new Set(here.map(({ column }) => column));
  let found: readonly number[] | undefined;
  // Computed only when needed, because a row that is found counts as restored.
  const former = () => {
    found ??=
      id === undefined
        ? oneOf(formerRows(scene, row, ours), here, taken)
        : formerOf(before, now, { row, id });
    return found;
  };
  return here.flatMap((place) => repairCell(scene, place, { id, former }));
}

function repairCell(
  { before, now, places, columns }: Scene,
  { row, column, value, key, target, from, isGuess }: Place,
  { id, former }: { id: string | undefined; former: () => readonly number[] },
): Write[] {
  const keyNow = nameOf(now, column);
  const isRow = target === undefined ? from !== undefined && former().includes(from) : id === target;
  if ((isRow && keyNow === key) || (id !== undefined && keyNow !== undefined)) return [];
  const there = columns.get(column);
  const contents = there === undefined ? [] : former().map((one) => contentAt(before, one, there));
  const [content = null, ...others] = contents;
  // Ambiguity is harmless when all similar rows agree on this cell.
  const known = others.every((other) => sameContent(other, content)) ? content : null;
  if (isGuess) {
    const isMeant = places.some((one) => one.key === key && former().includes(one.from ?? -1));
    if (known === null || isMeant) return [];
  }
  return sameContent(known, value) ? [] : [{ row, column, value: known }];
}

/** Rows that differ only in cells we overwrote are interchangeable; each is restored once. */
function oneOf(alike: readonly number[], here: readonly Place[], taken: Set<number>): readonly number[] {
  const free = alike.filter((row) => !taken.has(row));
  const chosen = free.find((row) => here.some(({ from }) => from === row)) ?? free[0];
  if (chosen === undefined) return alike;
  taken.add(chosen);
  return [chosen];
}

/** A new row whose columns moved meanwhile: only we have written to it, so it is rewritten in place. */
function rightColumns(row: number, places: readonly Place[], now: TabSnapshot): Write[] {
  const cells = new Map<number, Content>(places.map(({ column }) => [column, null]));
  for (const { key, value } of places) {
    const column = now.columns.get(key ?? '');
    if (column !== undefined) cells.set(column, value);
  }
  return [...cells].map(([column, value]) => ({ row, column, value }));
}

interface Place {
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
function carriedOff(places: readonly Place[], landed: readonly Place[], now: TabSnapshot): Place[] {
  const known = new Set(landed.map(({ row, column }) => `${row} ${column}`));
  const found: Place[] = [];
  const loose = now.cells.flatMap((_, row) => (idAt(now, row) === undefined ? [row] : []));
  for (const place of places) {
    const column = now.columns.get(place.key ?? '');
    if (place.value === null || column === undefined) continue;
    for (const row of loose)
      if (sameContent(contentAt(now, row, column), place.value) && !known.has(`${row} ${column}`))
        found.push({ ...place, row, column, isGuess: true });
  }
  return found;
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

function idAt(tab: TabSnapshot, row: number): string | undefined {
  const column = tab.columns.get(ID);
  const content = column === undefined ? null : contentAt(tab, row, column);
  return content === null || typeof content === 'object' ? undefined : String(content);
}

const rowsWithId = (tab: TabSnapshot, id: string): number[] =>
  tab.cells.flatMap((_, row) => (idAt(tab, row) === id ? [row] : []));

/** Former index of a row with an id; of several with that id, the one at the same position among them. */
function formerOf(before: TabSnapshot, now: TabSnapshot, { row, id }: { row: number; id: string }): number[] {
  const past = rowsWithId(before, id);
  const present = rowsWithId(now, id);
  const [only] = past.length === present.length ? past.slice(present.indexOf(row)) : [];
  return only === undefined ? past : [only];
}

/**
 * Former indexes of a row without an id: the rows that differ least from it where we have not written.
 *
 * @param ours Columns we have written to, which do not identify the row.
 */
function formerRows(scene: Scene, row: number, ours: ReadonlySet<number>): number[] {
  const { before, whole } = scene;
  const untouched = untouchedCells(scene, row, ours);
  const marked = rowsWithRef(before, untouched);
  if (marked.length === 1) return marked;
  let least = Number.POSITIVE_INFINITY;
  let rows: number[] = [];
  for (const [candidate, cells] of before.cells.entries()) {
    if (idAt(before, candidate) !== undefined) continue;
    const { same, differing } = likeness(cells, untouched);
    // Nothing in common, and it exists elsewhere: this was a blank row.
    if (same === 0 && (differing > 0 || whole.isElsewhere(candidate, row))) continue;
    if (differing < least) rows = [];
    if (differing <= least) rows.push(candidate);
    least = Math.min(least, differing);
  }
  // Of several identical rows, the missing one; if none is missing, this row is a copy of them.
  const missing = rows.filter((candidate) => !whole.isElsewhere(candidate, row));
  return missing.length > 0 ? missing : rows;
}

interface Untouched {
  /** Content where we have not written, by former column. */
  kept: ReadonlyMap<number, Content>;
  /** Former columns we have written to. */
  hidden: ReadonlySet<number>;
}

function untouchedCells({ now, columns }: Scene, row: number, ours: ReadonlySet<number>): Untouched {
  const kept = new Map<number, Content>();
  const hidden = new Set<number>();
  for (const [column, former] of columns) {
    const content = contentAt(now, row, column);
    if (ours.has(column)) hidden.add(former);
    else if (content !== null) kept.set(former, content);
  }
  return { kept, hidden };
}

/** In Bookings the Ref identifies a row, unless we have just written it. */
function rowsWithRef(before: TabSnapshot, { kept, hidden }: Untouched): number[] {
  const column = before.columns.get('ref') ?? -1;
  const ref = hidden.has(column) ? undefined : kept.get(column);
  if (ref === undefined) return [];
  return [...before.cells.keys()].filter((candidate) => contentAt(before, candidate, column) === ref);
}

/** Counts equal and differing cells. A blank candidate differs infinitely. */
function likeness(cells: readonly Content[], { kept, hidden }: Untouched) {
  if (cells.every((content) => content === null)) return { same: 0, differing: Number.POSITIVE_INFINITY };
  const own = cells.filter((content, column) => content !== null && !hidden.has(column)).length;
  const same = [...kept].filter(([column, content]) => sameContent(cells[column] ?? null, content)).length;
  return { same, differing: own + kept.size - 2 * same };
}
