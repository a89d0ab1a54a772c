import type { ConnectorContext, MirrorView } from '../../src/connector.ts';
import type { RawRequest, SheetsClient } from './api/client.ts';
import type { BookingsTab } from './bookings/bookings-tab.ts';
import { choicesOf, dropDowns } from './bookings/drop-downs.ts';
import type { LastWritten } from './last-written.ts';
import { createTab } from './plan/create-tab.ts';
import { hashesOf, inexactFees, planTab } from './plan/plan-tab.ts';
import { requestsFor, type TabEdits } from './plan/requests.ts';
import type { Reader, Reading } from './reader.ts';
import type { GoogleSheetsSettings, TabKey } from './settings.ts';
import { specOf } from './tabs/mirror-tabs.ts';
import { syncRows } from './tabs/sync-tab.ts';
import type { TabSpec } from './tabs/tab-spec.ts';

/** About 2 MB, which is what Google recommends for one call; the rest follows in the next runs. */
const CELLS_PER_RUN = 30_000;
const BLANK_BOOKINGS = 200;

export interface RunParts {
  context: ConnectorContext<GoogleSheetsSettings>;
  client: SheetsClient;
  reader: Reader;
  bookingsTab: BookingsTab;
  lastWritten: LastWritten;
  /** Problems of the tabs that show the mirror, as of their last comparison. */
  mirrorProblems: Map<TabKey, string[]>;
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

/** The work of one run, gathered tab by tab. */
export interface Run extends RunParts, RunInput {
  requests: RawRequest[];
  edits: TabEdits[];
  written: Record<string, number>;
  problems: string[];
  /** Cells that may still be written. */
  budget: number;
  /** Rows that did not fit into the budget. */
  left: number;
  /** A claim waits for its second look. */
  waiting: boolean;
  /** Runs once the batch has succeeded. */
  after: (() => Promise<void>)[];
}

/** Compares the wanted tabs with the sheet and books what is ready in Bookings. Writes nothing to the sheet. */
export async function planRun(parts: RunParts, input: RunInput, signal: AbortSignal): Promise<Run> {
  const run: Run = {
    ...parts,
    ...input,
    requests: [],
    edits: [],
    written: {},
    problems: [],
    budget: CELLS_PER_RUN,
    left: 0,
    waiting: false,
    after: [],
  };
  const { problems, wanted, specs, mirrorProblems, context, reading } = run;
  const { copies } = reading.snapshot;
  if (copies.length > 0)
    problems.push(
      `${copies.map(({ title }) => title).join(', ')}: a copy of a tab that clinic-sync keeps; the copy is not kept up to date.`,
    );
  if (run.isFull)
    problems.push(
      'The spreadsheet is full (Google allows ten million cells): nothing new is added. Delete blank rows, columns or old tabs.',
    );
  const rowless = wanted.includes('bookings') ? await planBookings(run, signal) : [];
  for (const key of wanted) {
    const spec = specs.get(key);
    if (spec) await planMirrorTab(run, spec);
  }
  // A tab that is not compared in this run keeps its problems.
  problems.push(...context.settings.tabs.flatMap((key) => mirrorProblems.get(key) ?? []));
  if (wanted.includes('sync')) await planSync(run, [...problems, ...rowless]);
  return run;
}

const specIn = ({ view, context }: Run, key: TabKey, rows: TabSpec['rows']): TabSpec =>
  specOf(key, rows, { view, includePatient: context.includePatient });

/** Resolves to a line for each booking whose row is gone. */
async function planBookings(run: Run, signal: AbortSignal): Promise<string[]> {
  const { context, client, bookingsTab, view, reading } = run;
  const spec = specIn(run, 'bookings', []);
  const choices = await choicesOf(view);
  const offer = async (place: Parameters<typeof dropDowns>[0]): Promise<RawRequest[]> => {
    const { memory } = context;
    const { requests, done } = await dropDowns(place, { client, memory, choices }, signal);
    if (requests.length > 0) run.after.push(done);
    return requests;
  };
  const tab = reading.snapshot.tabs.get('bookings');
  if (tab === undefined) {
    const sheetId = planNewTab(run, spec);
    const columns = new Map(spec.columns.map(({ key }, index) => [key, index]));
    if (sheetId !== undefined)
      run.requests.push(...(await offer({ sheetId, rowCount: 1 + BLANK_BOOKINGS, columns })));
    return [];
  }
  const { edits, problems, rowless, waiting, rows } = await bookingsTab.process(tab, view);
  run.waiting = waiting;
  run.problems.push(...problems);
  const extras = tab.closed.length === 0 ? await offer(tab) : [];
  addEdits(run, spec, { ...edits, extras }, rows);
  return rowless;
}

async function planMirrorTab(run: Run, spec: TabSpec): Promise<void> {
  const { context, lastWritten, mirrorProblems, reading, isFull } = run;
  const { key } = spec;
  const tab = reading.snapshot.tabs.get(key);
  if (tab === undefined) {
    planNewTab(run, spec);
    return;
  }
  const isReport = key !== 'sync' && context.settings.on_drift === 'report';
  const { edits, rows, left, problems, writing, budget } = planTab(tab, spec, {
    lastWritten: isReport ? await lastWritten.of(key) : undefined,
    budget: run.budget,
    mayGrow: !isFull,
  });
  run.budget = budget;
  run.left += left;
  mirrorProblems.set(key, problems);
  if (isReport) run.after.push(() => lastWritten.note(key, writing));
  addEdits(run, spec, edits, rows);
}

async function planSync(run: Run, problems: string[]): Promise<void> {
  const { view, reading } = run;
  const { tabs, timeZone: zone } = reading.snapshot;
  const rows = await syncRows(view, { tab: tabs.get('sync'), clinics: view.clinics, zone, problems });
  await planMirrorTab(run, specIn(run, 'sync', rows));
}

/** The id of the new tab; undefined when none may be made now. */
function planNewTab(run: Run, spec: TabSpec): number | undefined {
  const { context, reader, lastWritten, mirrorProblems, random, reading, isFull } = run;
  if (!reading.complete || isFull) return undefined;
  const { key, title, columns } = spec;
  const { sheetId, rows, requests } = createTab(spec, reading.snapshot, {
    budget: run.budget,
    random,
    ...(key === 'bookings' && { blankRows: BLANK_BOOKINGS }),
  });
  run.budget -= rows.length * columns.length;
  run.left += spec.rows.length - rows.length;
  run.requests.push(...requests);
  run.written[title] = rows.length + 1;
  run.after.push(() => reader.remember({ [key]: sheetId }));
  mirrorProblems.set(key, inexactFees(title, spec));
  if (context.settings.on_drift === 'report') run.after.push(() => lastWritten.note(key, hashesOf(rows)));
  return sheetId;
}

function addEdits(run: Run, { title }: TabSpec, edits: TabEdits, rows: number): void {
  const requests = requestsFor(edits);
  if (requests.length === 0) return;
  run.requests.push(...requests);
  run.edits.push(edits);
  if (rows > 0) run.written[title] = rows;
}
