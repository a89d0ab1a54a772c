import type { TabEdits } from './plan/requests.ts';
import type { TabKey } from './settings.ts';
import type { TabSnapshot } from './sheet/snapshot.ts';

/** Notices writes that are accepted and yet not there: a script or a proxy undoes them, or nothing received them. */
export type WriteTraces = ReturnType<typeof createWriteTraces>;

/** Once may be a person's undo. */
const UNDONE_TIMES = 2;

export function createWriteTraces() {
  /** Each tab as it was before the last accepted write to it, by sheet id. */
  const before = new Map<number, TabSnapshot>();
  /** Writes in a row that left no trace. */
  const traceless = new Map<number, { key: TabKey; title: string; times: number }>();
  return {
    /** Call when these edits were accepted. */
    accepted(edits: readonly TabEdits[]): void {
      for (const { tab } of edits) before.set(tab.sheetId, tab);
    },
    /** Call with each reading. */
    look({ key, sheetId, title, rowCount, cells }: TabSnapshot): void {
      const former = before.get(sheetId);
      if (former === undefined) return;
      before.delete(sheetId);
      const isAsBefore =
        former.rowCount === rowCount && JSON.stringify(former.cells) === JSON.stringify(cells);
      const times = 1 + (traceless.get(sheetId)?.times ?? 0);
      if (isAsBefore) traceless.set(sheetId, { key, title, times });
      else traceless.delete(sheetId);
    },
    /** Whether the last write to this tab left no trace: the next run writes and reads it again. */
    isDoubtful: (tab: TabKey): boolean => [...traceless.values()].some(({ key }) => key === tab),
    /** The titles of tabs that stay as they were, whatever is written to them. */
    undone: (): string[] =>
      [...traceless.values()].filter(({ times }) => times >= UNDONE_TIMES).map(({ title }) => title),
  };
}
