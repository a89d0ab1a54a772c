import type { ConnectorContext, MirrorView } from '../../src/connector.ts';
import { failpoint } from '../../src/platform/failpoint.ts';
import { asFailure, Failure } from '../../src/platform/failure.ts';
import type { RawRequest, SheetsClient } from './api/client.ts';
import { isFull } from './api/failures.ts';
import type { BookingsTab } from './bookings/bookings-tab.ts';
import { choicesOf, dropDowns } from './bookings/drop-downs.ts';
import type { LastWritten } from './last-written.ts';
import { createTab, redWhenStale } from './plan/create-tab.ts';
import { hashesOf, inexactFees, planTab } from './plan/plan-tab.ts';
import { requestsFor, type TabEdits } from './plan/requests.ts';
import type { Reader, Reading } from './reader.ts';
import type { GoogleSheetsSettings, TabKey } from './settings.ts';
import { specOf } from './tabs/mirror-tabs.ts';
import { syncRows } from './tabs/sync-tab.ts';
import type { TabSpec } from './tabs/tab-spec.ts';
import type { WriteVerification } from './write-verification.ts';

/** About 2 MB, which is what Google recommends for one call; the rest follows in the next runs. */
const CELLS_PER_RUN = 30_000;
const BLANK_BOOKINGS = 200;

/** What is written in a batch of its own. */
export type Part = TabKey | 'drop-downs' | 'stale-watch';

export interface RunParts {
  context: ConnectorContext<GoogleSheetsSettings>;
  client: SheetsClient;
  reader: Reader;
  verification: WriteVerification;
  bookingsTab: BookingsTab;
  lastWritten: LastWritten;
  /** Problems of each part that are known until it is compared or written again. */
  standing: Map<Part, string[]>;
  /** How often in a row each part was refused. */
  refusals: Map<Part, number>;
  /** In [0, 1). */
  random: () => number;
}

export interface RunInput {
  view: MirrorView;
  reading: Reading;
  wanted: readonly TabKey[];
  specs: ReadonlyMap<TabKey, TabSpec>;
  /** The spreadsheet has as many cells as Google allows: no new tabs and rows. */
  isFull: boolean;
}

export interface Run extends RunParts, RunInput {
  written: Record<string, number>;
  problems: string[];
  /** Cells that may still be written. */
  budget: number;
  /** Rows that did not fit into the budget. */
  left: number;
  /** A claim waits for its second look. */
  waiting: boolean;
  /** Refused in this run. */
  refused: Set<Part>;
  signal: AbortSignal;
}

/**
 * Books what is ready in Bookings, then brings one tab after another up to date, each with a batch of its own: what
 * Google refuses of one tab is named in Sync, and stops no other.
 */
export async function runTabs(parts: RunParts, input: RunInput, signal: AbortSignal): Promise<Run> {
  const run: Run = {
    ...parts,
    ...input,
    written: {},
    problems: [],
    budget: CELLS_PER_RUN,
    left: 0,
    waiting: false,
    refused: new Set(),
    signal,
  };
  const { problems, wanted, specs } = run;
  problems.push(...strayTabs(run.reading));
  const rowless = wanted.includes('bookings') ? await runBookings(run) : [];
  for (const key of wanted) {
    const spec = specs.get(key);
    if (spec) await attempt(run, key, spec.title, () => runMirrorTab(run, spec));
  }
  if (run.isFull)
    problems.push(
      'The spreadsheet is full (Google allows ten million cells): nothing new is added. Delete blank rows, columns or old tabs.',
    );
  const all = () => [...problems, ...[...run.standing.values()].flat()];
  if (wanted.includes('sync')) await attempt(run, 'sync', 'Sync', () => runSync(run, [...all(), ...rowless]));
  return { ...run, problems: all() };
}

const strayTabs = ({ strays }: Reading): string[] =>
  strays.map(({ title, key, isCopy }) => {
    const what = isCopy ? 'a copy of a tab that clinic-sync keeps' : 'no longer has the marks of clinic-sync';
    const harm =
      key === 'bookings'
        ? 'rows ticked in it are NOT booked'
        : `${isCopy ? 'the copy' : 'it'} is not kept up to date`;
    return `${title}: ${what}; ${harm}.`;
  });

/** A refusal, or a fault in the work on a tab that shows the mirror, stops this part alone. */
async function attempt(run: Run, part: Part, title: string, work: () => Promise<void>): Promise<void> {
  const { standing, refusals, refused, context, signal } = run;
  try {
    await work();
    refusals.delete(part);
  } catch (error) {
    if (signal.aborted || !isOfOnePart(error, part)) throw error;
    const { message, hint = '' } = asFailure(error, title);
    refused.add(part);
    refusals.set(part, (refusals.get(part) ?? 0) + 1);
    // That it is full is said of the spreadsheet as a whole.
    if (isFull(error)) run.isFull = true;
    else standing.set(part, [`${title} is not up to date. ${message} ${hint}`.trim()]);
    context.log.warn('a part of the spreadsheet could not be written', {
      connector: context.name,
      kind: part,
    });
  }
}

const isOfOnePart = (error: unknown, part: Part): boolean =>
  error instanceof Failure ? error.status === 400 : part !== 'bookings';

const specIn = ({ view, context }: Run, key: TabKey, rows: TabSpec['rows']): TabSpec =>
  specOf(key, rows, { view, includePatient: context.includePatient });

/** Resolves to a line for each booking whose row is gone. */
async function runBookings(run: Run): Promise<string[]> {
  const { bookingsTab, view, reading } = run;
  const spec = specIn(run, 'bookings', []);
  const tab = reading.snapshot.tabs.get('bookings');
  if (tab === undefined) {
    let sheetId: number | undefined;
    await attempt(run, 'bookings', spec.title, async () => {
      sheetId = await addTab(run, spec);
    });
    const columns = new Map(spec.columns.map(({ key }, index) => [key, index]));
    if (sheetId !== undefined) await offerChoices(run, { sheetId, rowCount: 1 + BLANK_BOOKINGS, columns });
    return [];
  }
  const { edits, problems, rowless, waiting, rows } = await bookingsTab.process(tab, view);
  run.problems.push(...problems);
  run.standing.delete('bookings');
  await attempt(run, 'bookings', tab.title, () => sendEdits(run, spec, edits, rows));
  run.waiting = waiting && !run.refused.has('bookings');
  if (tab.closed.every(({ isMerge }) => isMerge)) await offerChoices(run, tab);
  return rowless;
}

/** Once refused, drop-downs are not sent again before the tab or the choices change: names may be typed. */
async function offerChoices(run: Run, place: Parameters<typeof dropDowns>[0]): Promise<void> {
  const { client, context, view, standing, signal } = run;
  const choices = await choicesOf(view);
  const { requests, done } = await dropDowns(place, { client, memory: context.memory, choices }, signal);
  if (requests.length === 0) return;
  standing.delete('drop-downs');
  await attempt(run, 'drop-downs', 'The drop-downs of Bookings', () => send(run, requests));
  await done();
}

async function runMirrorTab(run: Run, spec: TabSpec): Promise<void> {
  const { context, lastWritten, standing, reading } = run;
  const { key } = spec;
  const tab = reading.snapshot.tabs.get(key);
  if (tab === undefined) {
    const sheetId = await addTab(run, spec);
    const state = spec.columns.findIndex((column) => column.key === 'state');
    if (key === 'sync' && sheetId !== undefined) await watchAge(run, sheetId, state);
    return;
  }
  if (key === 'sync') await watchAge(run, tab.sheetId, tab.columns.get('state') ?? -1);
  const isReport = key !== 'sync' && context.settings.on_drift === 'report';
  const { edits, rows, left, problems, writing, budget } = planTab(tab, spec, {
    lastWritten: isReport ? await lastWritten.of(key) : undefined,
    budget: run.budget,
    mayGrow: !run.isFull,
  });
  run.budget = budget;
  run.left += left;
  standing.set(key, problems);
  await sendEdits(run, spec, edits, rows);
  if (isReport) await lastWritten.note(key, writing);
}

/**
 * NOW() moves only when something changes, unless the spreadsheet says otherwise: without this, STALE would never show while
 * the daemon is dead. Asked for once; from then on it is the people's setting.
 */
async function watchAge(run: Run, sheetId: number, column: number): Promise<void> {
  const { memory } = run.context;
  if (column < 0 || (await memory.get('stale-watch')) === String(sheetId)) return;
  await attempt(run, 'stale-watch', 'The colour of STALE in Sync', () =>
    send(run, redWhenStale(sheetId, column)),
  );
  await memory.set({ 'stale-watch': String(sheetId) });
}

async function runSync(run: Run, problems: string[]): Promise<void> {
  const { view, reading } = run;
  const { tabs, timeZone: zone } = reading.snapshot;
  const rows = await syncRows(view, { tab: tabs.get('sync'), clinics: view.clinics, zone, problems });
  await runMirrorTab(run, specIn(run, 'sync', rows));
}

/** Resolves to the id of the new tab; undefined when none may be made now. */
async function addTab(run: Run, spec: TabSpec): Promise<number | undefined> {
  const { context, reader, lastWritten, standing, random, reading } = run;
  if (!reading.complete || run.isFull) return undefined;
  const { key, title, columns } = spec;
  const { sheetId, rows, requests } = createTab(spec, reading.snapshot, {
    budget: run.budget,
    random,
    ...(key === 'bookings' && { blankRows: BLANK_BOOKINGS }),
  });
  run.budget -= rows.length * columns.length;
  run.left += spec.rows.length - rows.length;
  standing.set(key, inexactFees(title, spec));
  await send(run, requests);
  run.written[title] = rows.length + 1;
  await reader.remember({ [key]: sheetId });
  if (context.settings.on_drift === 'report') await lastWritten.note(key, hashesOf(rows));
  return sheetId;
}

async function sendEdits(run: Run, { title }: TabSpec, edits: TabEdits, rows: number): Promise<void> {
  await send(run, requestsFor(edits), edits);
  if (rows > 0) run.written[title] = rows;
}

async function send(
  { client, verification, signal }: Run,
  requests: readonly RawRequest[],
  edits?: TabEdits,
): Promise<void> {
  if (requests.length === 0) return;
  const edited = edits ? [edits] : [];
  verification.expect(edited);
  failpoint('google-sheets.planned');
  try {
    await client.write(requests, signal);
  } catch (error) {
    if (error instanceof Failure && error.status === 400) verification.drop(edited);
    // It may have been applied.
    else if (!signal.aborted) await verification.verify(edited, signal).catch(() => {});
    throw error;
  }
  failpoint('google-sheets.written');
  await verification.verify(edited, signal);
}
