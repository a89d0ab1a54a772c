import { type Content, isFormula, sameContent } from '../sheet/cells.ts';
import { contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { ID } from '../sheet/tab-spec.ts';
import { columnKeyOf, formerColumns } from './former-columns.ts';
import { carriedOff, type GridPlace, rowIdAt, writtenPlace } from './places.ts';
import type { CellWrite, TabEdits } from './requests.ts';
import { hasLostId, withLostMarks } from './still-ours.ts';

/** The tab before and after one write. */
interface Scene {
  readonly before: TabSnapshot;
  readonly now: TabSnapshot;
  /** The target of each of our values. */
  readonly places: readonly GridPlace[];
  /** Former column by current column. */
  readonly columns: ReadonlyMap<number, number>;
  readonly whole: Unharmed;
  /** Former rows that were already restored. */
  readonly taken: Set<number>;
}

/**
 * Google has no conditional write. When rows or columns move between our reading and our writing, our value lands in a
 * cell of people's, or over a header, an ID or the clinic of one of our rows, which no plan writes again. Where the
 * next reading shows exactly our value in a wrong cell, the former content is written back, identified by the rest of
 * the row and column. Pure.
 */
export function repairWrites(edits: TabEdits, reading: TabSnapshot): CellWrite[] {
  const before = edits.tab;
  const now = withLostMarks(before, reading);
  const places = writtenPlace(edits);
  const landed = places.filter(({ row, column, value }) => sameContent(contentAt(now, row, column), value));
  const byRow = Map.groupBy([...landed, ...carriedOff(places, landed, now)], ({ row }) => row);
  const columns = formerColumns(before, now);
  const scene: Scene = {
    before,
    now,
    places,
    columns,
    whole: unharmed(before, now, columns),
    taken: new Set(),
  };
  const fresh = newRows(scene);
  return [
    ...fresh.values(),
    ...[...byRow].map(([row, here]) => (fresh.has(row) ? [] : repairRow(scene, row, here))),
  ].flat();
}

/** @param here Our values that are now in this row. */
function repairRow(scene: Scene, row: number, here: readonly GridPlace[]): CellWrite[] {
  const { before, now, whole, taken } = scene;
  if (here.every(({ isGuess }) => isGuess) && whole.isUntouched(row)) return [];
  if (hasLostId(scene, row)) return [];
  const ours = new Set(here.map(({ column }) => column));
  const isNameless = here.some(({ column, key }) => columnKeyOf(now, column) === ID && key !== ID);
  const nameless = isNameless ? oneOf(namelessRows(scene, row, ours), here, taken) : [];
  const id = nameless.length === 1 ? rowIdAt(before, nameless[0] ?? -1) : rowIdAt(now, row);
  let found: readonly number[] | undefined = isNameless ? nameless : undefined;
  // Computed only when needed, because a row that is found counts as restored.
  const former = () => {
    found ??=
      id === undefined
        ? oneOf(formerRows(scene, row, ours), here, taken)
        : formerOf(before, now, { row, id });
    return found;
  };
  const restored = here.flatMap((place) => repairCell(scene, place, { id, former }));
  const completed = here.flatMap((place) => completeCell(scene, place, { id, former }));
  const isCompleted = ({ column }: CellWrite) => completed.some((one) => one.column === column);
  return [...restored.filter((one) => !isCompleted(one)), ...completed];
}

interface FormerRow {
  id: string | undefined;
  former: () => readonly number[];
}

/** Whether this is the row that the value is for. */
const isTarget = ({ target, from }: GridPlace, { id, former }: FormerRow): boolean =>
  target === undefined ? from !== undefined && former().includes(from) : id === target;

/**
 * Of a row whose columns moved, only some cells were reached: the value goes where it was to go, if that is as it was.
 */
function completeCell({ before, now }: Scene, place: GridPlace, found: FormerRow): CellWrite[] {
  const { row, column, value, key = '', from = -1, isGuess } = place;
  const [there, was] = [now.columns.get(key), before.columns.get(key)];
  if (isGuess || there === undefined || was === undefined || there === column) return [];
  if (!isTarget(place, found) || sameContent(contentAt(now, row, there), value)) return [];
  return sameContent(contentAt(now, row, there), contentAt(before, from, was))
    ? [{ row, column: there, value }]
    : [];
}

function repairCell(scene: Scene, place: GridPlace, found: FormerRow): CellWrite[] {
  const { now, places } = scene;
  const { row, column, value, key, isGuess } = place;
  const { id, former } = found;
  const keyNow = columnKeyOf(now, column);
  if (keyNow === key && isTarget(place, found)) return [];
  const known = formerContent(scene, column, former());
  const isOurs = id !== undefined && keyNow !== undefined;
  if (isOurs && (known === undefined || isMeant(places, { id, key: keyNow, value }))) return [];
  if (isGuess) {
    const isRewritten = places.some((one) => one.key === key && former().includes(one.from ?? -1));
    if (known === undefined || known === null || isRewritten) return [];
  }
  return sameContent(known ?? null, value) ? [] : [{ row, column, value: known ?? null }];
}

const isMeant = (
  places: readonly GridPlace[],
  { id, key, value }: { id: string; key: string; value: Content },
) => places.some((one) => one.target === id && one.key === key && sameContent(one.value, value));

/** What stood in these rows; undefined when there is none, or they differ there. */
function formerContent({ before, columns }: Scene, column: number, rows: readonly number[]) {
  const there = columns.get(column);
  if (there === undefined) return undefined;
  const [content, ...others] = rows.map((row) => contentAt(before, row, there));
  return content !== undefined && others.every((other) => sameContent(other, content)) ? content : undefined;
}

/** Rows that differ only in cells we overwrote are interchangeable; each is restored once. */
function oneOf(alike: readonly number[], here: readonly GridPlace[], taken: Set<number>): readonly number[] {
  const free = alike.filter((row) => !taken.has(row));
  const chosen = free.find((row) => here.some(({ from }) => from === row)) ?? free[0];
  if (chosen === undefined) return alike;
  taken.add(chosen);
  return [chosen];
}

/**
 * New rows whose columns moved meanwhile, wherever they are: only we have written to them, so they are written again.
 */
function newRows({ now, places }: Scene): Map<number, CellWrite[]> {
  const inserted = Map.groupBy(places, ({ from, row }) => (from === undefined ? row : -1));
  inserted.delete(-1);
  const isRight = ({ row, column, key, value }: GridPlace) =>
    columnKeyOf(now, column) === key && sameContent(contentAt(now, row, column), value);
  if ([...inserted.values()].flat().every(isRight)) return new Map();
  const rows = Map.groupBy(now.cells.keys(), (row) => digestOf(now.cells[row] ?? []));
  const found = [...inserted.values()].flatMap((cells) =>
    (rows.get(digestOf(cells.map(({ value }) => value))) ?? []).map(
      (row) => [row, inOrder(now, row, cells)] as const,
    ),
  );
  return new Map(found.filter(([, writes]) => writes.length > 0));
}

/** What brings these contents of a row into their columns. */
function inOrder(now: TabSnapshot, row: number, cells: readonly GridPlace[]): CellWrite[] {
  const right = new Map<number, Content>((now.cells[row] ?? []).keys().map((column) => [column, null]));
  for (const { key, value } of cells) {
    const column = now.columns.get(key ?? '');
    if (column !== undefined) right.set(column, value);
  }
  return [...right].flatMap(([column, value]) =>
    sameContent(contentAt(now, row, column), value) ? [] : [{ row, column, value }],
  );
}

/** The same for the same contents in another order. */
const digestOf = (cells: readonly Content[]): string =>
  cells
    .filter((content) => content !== null)
    .map((content) => JSON.stringify(typeof content === 'number' ? content.toPrecision(9) : content))
    .sort()
    .join();

const rowsWithId = (tab: TabSnapshot, id: string): number[] =>
  tab.cells.flatMap((_, row) => (rowIdAt(tab, row) === id ? [row] : []));

/** Former index of a row with an id; of several with that id, the one at the same position among them. */
function formerOf(before: TabSnapshot, now: TabSnapshot, { row, id }: { row: number; id: string }): number[] {
  const past = rowsWithId(before, id);
  const present = rowsWithId(now, id);
  const [only] = past.length === present.length ? past.slice(present.indexOf(row)) : [];
  return only === undefined ? past : [only];
}

/**
 * Former indexes of a row whose ID we have overwritten: of the ids that are gone, those whose rows differ least from
 * it.
 */
function namelessRows(scene: Scene, row: number, ours: ReadonlySet<number>): number[] {
  const { before, now } = scene;
  const untouched = untouchedCells(scene, row, ours);
  const [past, present] = [before, now].map((tab) => Map.groupBy(tab.cells.keys(), (at) => rowIdAt(tab, at)));
  const gone = [...(past ?? [])].flatMap(([id, rows]) =>
    id !== undefined && (present?.get(id)?.length ?? 0) < rows.length ? rows : [],
  );
  const differing = gone.map((candidate) => likeness(before.cells[candidate] ?? [], untouched).differing);
  return gone.filter((_, at) => differing[at] === Math.min(...differing));
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
    if (rowIdAt(before, candidate) !== undefined) continue;
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

/** Finds rows of an earlier reading that still exist unchanged, wherever they were moved. */
type Unharmed = ReturnType<typeof unharmed>;

/** @param columns Former column by present column. */
function unharmed(before: TabSnapshot, now: TabSnapshot, columns: ReadonlyMap<number, number>) {
  const past = before.cells.map((cells) => textOf(cells, (column) => column));
  const present = now.cells.map((cells) => textOf(cells, (column) => columns.get(column)));
  const count = (texts: readonly (string | undefined)[]) => {
    const groups = Map.groupBy(texts, (text) => text);
    return (text: string) => groups.get(text)?.length ?? 0;
  };
  const [pastCount, presentCount] = [count(past), count(present)];
  return {
    /** Whether the former row `candidate` exists in a row other than `row`. */
    isElsewhere(candidate: number, row: number): boolean {
      const text = past[candidate];
      if (text === undefined) return false;
      return presentCount(text) - (present[row] === text ? 1 : 0) >= pastCount(text);
    },
    /** Whether an identical row existed before and identical rows did not multiply. */
    isUntouched(row: number): boolean {
      const text = present[row];
      return text !== undefined && presentCount(text) <= pastCount(text);
    },
  };
}

/** Undefined for a row with content in a new column. */
function textOf(
  cells: readonly Content[],
  place: (column: number) => number | undefined,
): string | undefined {
  const found: [number, Content][] = [];
  for (const [column, content] of cells.entries()) {
    if (content === null) continue;
    const at = place(column);
    if (at === undefined) return undefined;
    found.push([at, isFormula(content) ? { formula: content.formula } : content]);
  }
  return JSON.stringify(found.sort(([a], [b]) => a - b));
}
