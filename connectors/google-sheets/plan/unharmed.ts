import { type Content, isFormula } from '../sheet/cells.ts';
import type { TabSnapshot } from '../sheet/snapshot.ts';

/** Finds rows of an earlier reading that still exist unchanged, wherever they were moved. */
export type Unharmed = ReturnType<typeof unharmed>;

/** @param columns Former column by present column. */
export function unharmed(before: TabSnapshot, now: TabSnapshot, columns: ReadonlyMap<number, number>) {
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
