import type { Memory } from '../../src/connector.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { MINUTE } from '../../src/platform/duration.ts';
import { HEADERS_WITHIN } from './plan/plan-tab.ts';
import type { TabEdits } from './plan/requests.ts';
import { hasForeignContent } from './plan/rows.ts';
import type { Content } from './sheet/cells.ts';
import { contentAt, type TabSnapshot } from './sheet/snapshot.ts';
import { ID } from './sheet/tab-spec.ts';

/** Writes that no reading has verified, kept in the daemon's database so that they are verified after a kill, too. */
export type WriteJournal = ReturnType<typeof createWriteJournal>;

interface Entry extends Omit<TabSnapshot, 'columns' | 'markIds' | 'cells' | 'formatted' | 'closed'> {
  /** Milliseconds since the epoch. */
  at: number;
  columns: [key: string, column: number][];
  /** Only what the write can harm for good. */
  rows: [row: number, cells: readonly Content[]][];
  writes: TabEdits['writes'];
  deletions: number[];
  insertion: { at: number; rows: [column: number, value: Content][][] } | undefined;
}

const PREFIX = 'unverified:';
/** Afterwards people may have changed too much for a comparison with the reading before the write. */
const KEPT_MS = 10 * MINUTE;
/** A write near more of people's content is not kept. */
const LONGEST = 2_000_000;

export function createWriteJournal(memory: Memory, clock: Clock) {
  return {
    /** The edits of each tab, instead of those noted before. Durable when it resolves. */
    async note(attempts: readonly (readonly TabEdits[])[]): Promise<void> {
      const at = clock.now();
      const entries = attempts.flatMap((edits): [string, string | undefined][] => {
        const text = JSON.stringify(edits.map((one) => entryOf(one, at)));
        return edits[0] ? [[PREFIX + edits[0].tab.sheetId, text.length > LONGEST ? undefined : text]] : [];
      });
      if (entries.length > 0) await memory.set(Object.fromEntries(entries));
    },
    async forget(sheetIds: readonly number[]): Promise<void> {
      if (sheetIds.length > 0)
        await memory.set(Object.fromEntries(sheetIds.map((sheetId) => [PREFIX + sheetId, undefined])));
    },
    /** What an earlier process left, by sheet id. */
    async all(): Promise<Map<number, TabEdits[]>> {
      const found = new Map<number, TabEdits[]>();
      for (const [key, text] of Object.entries(await memory.list(PREFIX))) {
        const entries = JSON.parse(text) as Entry[];
        const sheetId = Number(key.slice(PREFIX.length));
        if (entries.some(({ at }) => Math.abs(clock.now() - at) > KEPT_MS)) await this.forget([sheetId]);
        else found.set(sheetId, entries.map(editsOf));
      }
      return found;
    },
  };
}

/** Leaves out our rows that the write does not touch and that have no input of users: a plan restores them. */
function entryOf({ tab, writes, deletions, insertion }: TabEdits, at: number): Entry {
  const { columns, markIds: _ids, cells, formatted: _formatted, closed: _closed, ...place } = tab;
  const id = columns.get(ID) ?? -1;
  const written = new Set(writes.map(({ row }) => row));
  const isKept = (row: number) =>
    row < HEADERS_WITHIN ||
    written.has(row) ||
    contentAt(tab, row, id) === null ||
    hasForeignContent(tab, row);
  const ids = new Set([...cells.keys()].filter(isKept).map((row) => contentAt(tab, row, id)));
  return {
    ...place,
    at,
    columns: [...columns],
    // Rows with the same id are distinguished by their order.
    rows: cells.flatMap((row, index): Entry['rows'] =>
      ids.has(contentAt(tab, index, id)) && row.some((one) => one !== null) ? [[index, row]] : [],
    ),
    writes,
    deletions,
    insertion: insertion && { at: insertion.at, rows: insertion.rows.map((row) => [...row]) },
  };
}

function editsOf({ at: _at, columns, rows, writes, deletions, insertion, ...place }: Entry): TabEdits {
  const cells: (readonly Content[])[] = Array.from(
    { length: 1 + Math.max(-1, ...rows.map(([row]) => row)) },
    () => [],
  );
  for (const [row, found] of rows) cells[row] = found;
  return {
    tab: { ...place, columns: new Map(columns), cells, closed: [] },
    writes,
    deletions,
    insertion: insertion && { at: insertion.at, rows: insertion.rows.map((row) => new Map(row)) },
  };
}
