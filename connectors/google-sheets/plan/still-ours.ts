import { sameContent } from '../sheet/cells.ts';
import { contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { ID } from '../sheet/tab-spec.ts';
import { type GridPlace, rowIdAt } from './places.ts';
import { HEADERS_WITHIN } from './plan-tab.ts';

/** The first text of a column, which is its header. */
function headerOf({ cells }: TabSnapshot, column: number): string | undefined {
  for (const row of cells.slice(0, HEADERS_WITHIN)) {
    const content = row[column] ?? null;
    if (typeof content === 'string') return content;
  }
  return undefined;
}

/**
 * A column that came back without its mark, such as by undo, is known by its header: what we wrote into it is not in a
 * column of people's.
 */
export function withLostMarks(before: TabSnapshot, now: TabSnapshot): TabSnapshot {
  const columns = new Map(now.columns);
  const marked = new Set(columns.values());
  for (const [key, former] of before.columns) {
    const header = headerOf(before, former);
    if (columns.has(key) || header === undefined) continue;
    const places = Array.from({ length: now.columnCount }, (_, column) => column).filter(
      (column) => !marked.has(column) && headerOf(now, column) === header,
    );
    const [only] = places;
    if (only !== undefined && places.length === 1) columns.set(key, only);
  }
  return columns.size === now.columns.size ? now : { ...now, columns };
}

interface LostIdScene {
  before: TabSnapshot;
  now: TabSnapshot;
  places: readonly GridPlace[];
}

/** Whether this is one of our rows, old or new, whose ID people emptied: it is as it was, but for the ID. */
export function hasLostId({ before, now, places }: LostIdScene, row: number): boolean {
  if (rowIdAt(now, row) !== undefined) return false;
  const present = new Set([...now.cells.keys()].map((at) => rowIdAt(now, at)));
  const isGone = (id: string | undefined) => id !== undefined && !present.has(id);
  const keys = [...now.columns.keys()].filter((key) => key !== ID);
  const shows = (key: string) => contentAt(now, row, now.columns.get(key) ?? -1);
  const isAlike = (from: number) =>
    keys.every((key) => {
      const written = places.find((place) => place.from === from && place.key === key);
      const former = contentAt(before, from, before.columns.get(key) ?? -1);
      return sameContent(shows(key), written ? written.value : former);
    });
  if ([...before.cells.keys()].some((from) => isGone(rowIdAt(before, from)) && isAlike(from))) return true;
  const added = Map.groupBy(
    places.filter(({ from }) => from === undefined),
    ({ target }) => target,
  );
  return [...added].some(
    ([id, cells]) =>
      isGone(id) && cells.every(({ key = ID, value }) => key === ID || sameContent(shows(key), value)),
  );
}
