import type { Memory } from '../../src/connector.ts';
import type { SheetsClient } from './api/client.ts';
import { isTabGone } from './api/failures.ts';
import type { TabKey } from './settings.ts';
import { isFormula } from './sheet/cells.ts';
import { type Snapshot, snapshotOf, type TabSnapshot } from './sheet/snapshot.ts';

/** One reading of the tabs asked for. */
export interface Reading {
  snapshot: Snapshot;
  /** All tabs of the spreadsheet were read, so what is missing does not exist. */
  complete: boolean;
}

export type Reader = ReturnType<typeof createReader>;

const KEY = 'tabs';
/** Sheet ids. */
type Known = Partial<Record<TabKey, number>>;

const hasFormulas = (tab: TabSnapshot | undefined): boolean =>
  tab?.cells.some((cells) => [...tab.columns.values()].some((column) => isFormula(cells[column]))) ?? false;

export function createReader({ client, memory }: { client: SheetsClient; memory: Memory }) {
  let known: Known | undefined;
  const load = async () => {
    known ??= JSON.parse((await memory.get(KEY)) ?? '{}') as Known;
    return known;
  };
  async function remember(tabs: Known): Promise<void> {
    const before = await load();
    const after = { ...before, ...tabs };
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    await memory.set({ [KEY]: JSON.stringify(after) });
    known = after;
  }

  /** Whether people have formulas in Bookings, which count as what they come to: only then is that asked for. */
  let results = false;

  async function contents(ids: readonly number[], signal: AbortSignal): Promise<Snapshot | undefined> {
    try {
      const asked = results;
      const snapshot = snapshotOf(await client.tabs(ids, { results }, signal), await load());
      if (snapshot.tabs.has('bookings')) results = hasFormulas(snapshot.tabs.get('bookings'));
      if (asked || !results) return snapshot;
      return snapshotOf(await client.tabs(ids, { results }, signal), await load());
    } catch (error) {
      if (isTabGone(error)) return undefined;
      throw error;
    }
  }

  return {
    /** Where new tabs are. */
    remember,
    /** Every tab with one of these marks, copies and former tabs included, with what formulas come to. */
    async readMarked(keys: readonly TabKey[], signal: AbortSignal): Promise<Snapshot> {
      const structure = snapshotOf(await client.structure(signal), await load());
      const ids = [...structure.tabs.values(), ...structure.copies]
        .filter(({ key }) => keys.includes(key))
        .map(({ sheetId }) => sheetId);
      if (ids.length === 0) return { ...structure, tabs: new Map(), copies: [] };
      const filled = snapshotOf(await client.tabs(ids, { results: true }, signal), await load());
      return { ...filled, owners: structure.owners };
    },
    /**
     * One call while everything is where it was. When a tab or our mark is missing, the whole spreadsheet is read before
     * it counts as gone.
     */
    async read(wanted: readonly TabKey[], signal: AbortSignal): Promise<Reading> {
      const tabs = await load();
      const ids = wanted.flatMap((key) => tabs[key] ?? []);
      if (ids.length === wanted.length) {
        const snapshot = await contents(ids, signal);
        if (snapshot && snapshot.owners.length > 0 && wanted.every((key) => snapshot.tabs.has(key)))
          return { snapshot, complete: false };
      }
      const structure = snapshotOf(await client.structure(signal), tabs);
      const found = wanted.flatMap((key) => structure.tabs.get(key) ?? []);
      await remember(Object.fromEntries(found.map(({ key, sheetId }) => [key, sheetId])));
      if (found.length === 0) return { snapshot: structure, complete: true };
      const filled = await contents(
        found.map(({ sheetId }) => sheetId),
        signal,
      );
      // A tab may be deleted between the two calls; the next run notices.
      const { titles, sheetIds, copies } = structure;
      return {
        snapshot: { ...(filled ?? structure), titles, sheetIds, copies },
        complete: filled !== undefined,
      };
    },
  };
}
