import { type Content, isFormula } from '../sheet/cells.ts';
import type { TabSnapshot } from '../sheet/snapshot.ts';

/** Finds rows of an earlier reading that still exist unchanged, wherever they were moved. */
export interface Unharmed {
  /** Whether the former row `candidate` exists elsewhere than in `row`. */
  isElsewhere(candidate: number, row: number): boolean;
  /** Whether an identical row existed before and identical rows did not multiply. */
  isUntouched(row: number): boolean;
}

/** @param columns Former column by present column. */
export function unharmed(
  before: TabSnapshot,
  now: TabSnapshot,
  columns: ReadonlyMap<number, number>,
): Unharmed {
  const past = before.cells.map((cells) => textOf(cells, (column) => column));
  const present = now.cells.map((cells) => textOf(cells, (column) => columns.get(column)));
  const pastCounts = counted(past);
  const presentCounts = counted(present);
  const of = (counts: ReadonlyMap<string, number>, text: string | undefined) =>
    text === undefined ? 0 : (counts.get(text) ?? 0);
  return {
    isElsewhere(candidate, row) {
      const text = past[candidate];
      const others = of(presentCounts, text) - (present[row] === text ? 1 : 0);
      return text !== undefined && others >= of(pastCounts, text);
    },
    isUntouched: (row) =>
      present[row] !== undefined && of(presentCounts, present[row]) <= of(pastCounts, present[row]),
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

function counted(texts: readonly (string | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
