import type { Content } from '../sheet/cells.ts';
import type { TabSnapshot } from '../sheet/snapshot.ts';

/** One cell to write. Rows and columns are where the reading found them. */
export interface Write {
  row: number;
  column: number;
  value: Content;
}

/** What is to be done to one tab. */
export interface TabEdits {
  tab: TabSnapshot;
  writes: Write[];
  /** Rows to delete, ascending. */
  deletions: number[];
  /** New rows, put in before `at`; each has its cells by column index. */
  insertion: { at: number; rows: ReadonlyMap<number, Content>[] } | undefined;
  /** Requests beside cells: drop-downs and the like. */
  extras: object[];
}

export const noEdits = (tab: TabSnapshot): TabEdits => ({
  tab,
  writes: [],
  deletions: [],
  insertion: undefined,
  extras: [],
});
