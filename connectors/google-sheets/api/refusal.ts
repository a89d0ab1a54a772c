import type { RawRequest } from '../sheet/raw.ts';
import { cellName, placeOf } from '../sheet/snapshot.ts';

const MOST_LETTERS = 200;
/** Shorter values occur by chance in any sentence. */
const SHORTEST_MASKED = 3;
const NAMED = /^Invalid requests\[(\d+)\](?:\.\w+)*:\s*/;

/** Google's own words for what it refused, without what was to be written, and where that was. */
export function refusalOf(
  message: string,
  requests: readonly RawRequest[],
): { words: string; cell: string | undefined; at: number | undefined } {
  const index = NAMED.exec(message)?.[1];
  const at = index === undefined ? undefined : Number(index);
  const named = requests[at ?? -1];
  let words = message.replace(NAMED, '');
  for (const text of textsIn(named ?? requests).sort((a, b) => b.length - a.length))
    words = words.replaceAll(text, '…');
  words = words.replace(/\s+/g, ' ').replace(/(?<![.\s])[.\s]+$/, '');
  return { words: words.slice(0, MOST_LETTERS), cell: named && cellOf(named), at };
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < SHORTEST_MASKED ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'fields' ? [] : textsIn(inner)));
}

function cellOf(request: RawRequest): string | undefined {
  const [body] = Object.values(request) as RawRequest[keyof RawRequest][];
  const { start, rows = [], range }: NonNullable<RawRequest['updateCells']> = Object(body);
  if (start) {
    const [row, column] = [start.rowIndex ?? 0, start.columnIndex ?? 0];
    const wide = Math.max(1, ...rows.map(({ values = [] }) => values.length));
    if (rows.length * wide <= 1) return cellName(row, column);
    const [endRowIndex, endColumnIndex] = [row + rows.length, column + wide];
    return placeOf({ startRowIndex: row, endRowIndex, startColumnIndex: column, endColumnIndex });
  }
  return range ? placeOf(range) : undefined;
}
