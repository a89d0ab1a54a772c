import type { Memory } from '../../src/connector.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { SheetsClient } from './api/client.ts';
import { isTabGone } from './api/failures.ts';
import { createAbsences, type KnownTabs, type StrayTab } from './gone-tabs.ts';
import { type TabKey, tabKeys } from './settings.ts';
import { isFormula } from './sheet/cells.ts';
import type { RawSpreadsheet } from './sheet/raw.ts';
import { type Snapshot, snapshotOf, type TabSnapshot } from './sheet/snapshot.ts';
import { AS_OF } from './sheet/tab-spec.ts';

/** One reading of the requested tabs. */
export interface SheetReading {
  snapshot: Snapshot;
  /** True when all tabs were read, so that a missing one does not exist. */
  complete: boolean;
  /** Tabs that look like ours and are not maintained, as of the last reading of all tabs. */
  strays: readonly StrayTab[];
}

export type Reader = ReturnType<typeof createReader>;

const KEY = 'tabs';
/** Which spreadsheet those tabs are of: the settings may name another one. */
const OF = 'tabs-of';
const FORMER = 'former-tabs';

const sameOwners = (one: Snapshot, other: Snapshot): boolean =>
  one.owners.map(({ name }) => name).join() === other.owners.map(({ name }) => name).join();

/** Whether Bookings holds what only its result explains: formulas, or numbers and checkboxes in columns of text. */
const needsResults = (tab: TabSnapshot | undefined): boolean =>
  tab?.cells.some((cells) =>
    [...tab.columns].some(([key, column]) => {
      const content = cells[column] ?? null;
      if (isFormula(content)) return key !== AS_OF;
      return content !== null && typeof content !== 'string' && freeText.has(key);
    }),
  ) ?? false;

const freeText: ReadonlySet<string> = new Set(['address', 'note', 'campaign']);

/** Including blank cells. */
const CELLS_PER_READ = 500_000;

/** All tabs at once, unless some are very large, because an answer is held in full while it is reduced. */
function portionsOf(ids: readonly number[], structure: Snapshot | undefined): number[][] {
  const sizes = new Map(
    [...(structure?.tabs.values() ?? [])].map((tab) => [tab.sheetId, tab.rowCount * tab.columnCount]),
  );
  const portions: number[][] = [[]];
  let cells = 0;
  for (const id of ids) {
    const size = sizes.get(id) ?? 0;
    if (cells > 0 && cells + size > CELLS_PER_READ) {
      portions.push([]);
      cells = 0;
    }
    cells += size;
    portions.at(-1)?.push(id);
  }
  return portions;
}

async function snapshotOfPortions(
  portions: readonly (readonly number[])[],
  known: KnownTabs,
  read: (ids: readonly number[]) => Promise<RawSpreadsheet>,
): Promise<Snapshot> {
  const tabs: Snapshot['tabs'][] = [];
  let last = snapshotOf({}, known);
  for (const ids of portions) {
    last = snapshotOf(await read(ids), known);
    tabs.push(last.tabs);
  }
  return { ...last, tabs: new Map(tabs.flatMap((found) => [...found])) };
}

/** The sheet ids of our tabs. */
function createKnownTabs(memory: Memory, spreadsheetId: string) {
  let known: KnownTabs | undefined;
  const load = async () => {
    if (known !== undefined) return known;
    const isOurs = [spreadsheetId, undefined].includes(await memory.get(OF));
    known = JSON.parse((isOurs ? await memory.get(KEY) : undefined) ?? '{}') as KnownTabs;
    return known;
  };
  async function remember(tabs: KnownTabs): Promise<void> {
    const before = await load();
    const after = { ...before, ...tabs };
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    await memory.set({ [KEY]: JSON.stringify(after), [OF]: spreadsheetId });
    known = after;
  }
  return { load, remember };
}

interface ReaderParts {
  client: SheetsClient;
  memory: Memory;
  clock: Clock;
  spreadsheetId: string;
}

export function createReader({ client, memory, clock, spreadsheetId }: ReaderParts) {
  const { load, remember } = createKnownTabs(memory, spreadsheetId);
  const absences = createAbsences(clock);

  /** Whether results are requested, which makes the answer longer. */
  let results = false;

  /** The spreadsheet without cells, as of the last complete reading. */
  let whole: { snapshot: Snapshot; strays: readonly StrayTab[] } | undefined;

  async function contents(ids: readonly number[], signal: AbortSignal): Promise<Snapshot | undefined> {
    try {
      const asked = results;
      const read = async () =>
        snapshotOfPortions(portionsOf(ids, whole?.snapshot), await load(), (portion) =>
          client.tabs(portion, { results }, signal),
        );
      const snapshot = await read();
      if (snapshot.tabs.has('bookings')) results = needsResults(snapshot.tabs.get('bookings'));
      return asked || !results ? snapshot : await read();
    } catch (error) {
      if (isTabGone(error)) return undefined;
      throw error;
    }
  }

  async function readWhole(
    signal: AbortSignal,
  ): Promise<{ snapshot: Snapshot; strays: readonly StrayTab[] }> {
    const tabs = await load();
    const snapshot = snapshotOf(await client.structure(signal), tabs);
    absences.note(tabs, snapshot);
    const former = new Map(JSON.parse((await memory.get(FORMER)) ?? '[]') as [number, TabKey][]);
    const count = former.size;
    for (const key of tabKeys) {
      const sheetId = tabs[key];
      if (sheetId !== undefined && !snapshot.tabs.has(key) && snapshot.sheetIds.includes(sheetId))
        former.set(sheetId, key);
    }
    if (former.size > count) await memory.set({ [FORMER]: JSON.stringify([...former]) });
    const ours = new Set([...snapshot.tabs.values(), ...snapshot.copies].map(({ sheetId }) => sheetId));
    const strays = snapshot.sheetIds.flatMap((sheetId, at) => {
      const key = former.get(sheetId);
      return key === undefined || ours.has(sheetId)
        ? []
        : [{ key, title: snapshot.titles[at] ?? '', isCopy: false }];
    });
    whole = {
      snapshot,
      strays: [...snapshot.copies.map(({ key, title }) => ({ key, title, isCopy: true })), ...strays],
    };
    return whole;
  }

  return {
    /** Stores the sheet ids of new tabs. */
    remember,
    absence: absences.of,
    /** Every tab with one of these marks, copies and former tabs included, with the results of formulas. */
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
     * One call while tabs are where they were. When a tab is missing, or `isWhole` asks for it, all tabs are read
     * first: to find it, its copies and the owner of the spreadsheet. Google does not say whether a reading of some
     * tabs includes the owner, so only a reading of all tabs decides.
     */
    async read(
      wanted: readonly TabKey[],
      signal: AbortSignal,
      { isWhole = false }: { isWhole?: boolean } = {},
    ): Promise<SheetReading> {
      const tabs = await load();
      const ids = wanted.flatMap((key) => tabs[key] ?? []);
      if (whole !== undefined && !isWhole && ids.length === wanted.length) {
        const { owners } = whole.snapshot;
        const snapshot = await contents(ids, signal);
        const isDoubtful = snapshot && snapshot.owners.length > 0 && !sameOwners(snapshot, whole.snapshot);
        if (snapshot && !isDoubtful && wanted.every((key) => snapshot.tabs.has(key)))
          return { snapshot: { ...snapshot, owners }, complete: false, strays: whole.strays };
      }
      const { snapshot: structure, strays } = await readWhole(signal);
      const found = wanted.flatMap((key) => structure.tabs.get(key) ?? []);
      await remember(Object.fromEntries(found.map(({ key, sheetId }) => [key, sheetId])));
      if (found.length === 0) return { snapshot: structure, complete: true, strays };
      const filled = await contents(
        found.map(({ sheetId }) => sheetId),
        signal,
      );
      // A tab may be deleted between the two calls; the next run notices.
      const { titles, sheetIds, copies, owners } = structure;
      return {
        snapshot: { ...(filled ?? structure), titles, sheetIds, copies, owners },
        complete: filled !== undefined,
        strays,
      };
    },
  };
}
