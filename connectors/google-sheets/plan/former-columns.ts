import type { Content } from '../sheet/cells.ts';
import { contentAt, type TabSnapshot } from '../sheet/snapshot.ts';

/** The key of our column at this index. */
export function columnKeyOf(tab: TabSnapshot, column: number): string | undefined {
  for (const [key, index] of tab.columns) if (index === column) return key;
  return undefined;
}

interface Foreign {
  column: number;
  /** How often each content occurs, in any row. */
  contents: Map<string, number>;
}

/**
 * Former column by current column. Ours are known by their marks; people's are matched by shared content, and those
 * that share none (because all of it was overwritten) by order, ignoring blank ones.
 */
export function formerColumns(before: TabSnapshot, now: TabSnapshot): Map<number, number> {
  const found = new Map<number, number>();
  for (const [key, column] of now.columns) {
    const former = before.columns.get(key);
    if (former !== undefined) found.set(column, former);
  }
  let past = foreignOf(before);
  let present = foreignOf(now);
  const pairs = present
    .flatMap((one) => past.map((other) => ({ one, other, common: common(one, other) })))
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common);
  for (const { one, other } of pairs) {
    if (!present.includes(one) || !past.includes(other)) continue;
    found.set(one.column, other.column);
    present = present.filter((column) => column !== one);
    past = past.filter((column) => column !== other);
  }
  if (present.length !== past.length) {
    present = present.filter(({ contents }) => contents.size > 0);
    past = past.filter(({ contents }) => contents.size > 0);
  }
  if (present.length === past.length)
    for (const [at, { column }] of present.entries()) found.set(column, past[at]?.column ?? column);
  return found;
}

function foreignOf(tab: TabSnapshot): Foreign[] {
  const columns = Array.from({ length: tab.columnCount }, (_, column) => column);
  return columns
    .filter((column) => columnKeyOf(tab, column) === undefined)
    .map((column) => {
      const contents = new Map<string, number>();
      for (const row of tab.cells.keys()) {
        const text = textOf(contentAt(tab, row, column));
        if (text !== undefined) contents.set(text, (contents.get(text) ?? 0) + 1);
      }
      return { column, contents };
    });
}

const textOf = (content: Content): string | undefined =>
  content === null ? undefined : JSON.stringify(typeof content === 'object' ? content.formula : content);

function common({ contents }: Foreign, other: Foreign): number {
  let sum = 0;
  for (const [text, count] of contents) sum += Math.min(count, other.contents.get(text) ?? 0);
  return sum;
}
