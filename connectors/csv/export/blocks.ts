import type { GrowingTable, Row } from '../../../src/connector.ts';
import type { Instant } from '../../../src/platform/clock.ts';
import { orderOfRows } from './table-rows.ts';

/** A page of rows, rendered together; unchanged blocks are copied as bytes. A workbook is one block. */
export interface Block {
  /** The key of its last row; the last block reaches to the end of the table. */
  last: Row;
  rows: number;
  latest: Instant | null;
  offset: number;
  length: number;
  /** Texts that were too long for a cell. */
  cut?: number;
}

export type SizedBlock = Omit<Block, 'offset'>;

/** With their offsets in a file whose first block begins at `from`. */
export function placed(sized: readonly SizedBlock[], from = 0): Block[] {
  let end = from;
  return sized.map((block) => {
    end += block.length;
    return { ...block, offset: end - block.length };
  });
}

/** The block that a row belongs to; undefined when there is none. */
export function blockOf(table: GrowingTable, blocks: readonly Block[], row: Row): Block | undefined {
  let [low, high] = [0, blocks.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const last = blocks[middle]?.last ?? {};
    if (orderOfRows(table, row, last) <= 0) high = middle;
    else low = middle + 1;
  }
  return blocks[low];
}

export const later = (one: Instant | null, other: Instant | null) =>
  one === null || (other !== null && other > one) ? other : one;

export function newest(rows: readonly Row[]): Instant | null {
  let found: Instant | null = null;
  for (const { changed_at } of rows) if (typeof changed_at === 'string') found = later(found, changed_at);
  return found;
}
