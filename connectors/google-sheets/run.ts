import type { ConnectorContext, MirrorView } from '../../src/connector.ts';
import type { RawRequest, SheetsClient } from './api/client.ts';
import type { BookingsTab } from './bookings/bookings-tab.ts';
import { choicesOf, dropDowns } from './bookings/drop-downs.ts';
import type { LastWritten } from './last-written.ts';
import { createTab } from './plan/create-tab.ts';
import type { TabEdits } from './plan/edits.ts';
import { hashesOf, inexactFees, planTab } from './plan/plan-tab.ts';
import { requestsFor } from './plan/requests.ts';
import type { Reader, Reading } from './reader.ts';
import type { GoogleSheetsSettings, TabKey } from './settings.ts';
import { specOf } from './tabs/desired.ts';
import { syncRows } from './tabs/sync-tab.ts';
import type { TabSpec } from './tabs/tab-spec.ts';

/** About 2 MB, which is what Google recommends for one call; the rest follows in the next runs. */
const CELLS_PER_RUN = 30_000;
const BLANK_BOOKINGS = 200;

/** What one run is going to do, gathered tab by tab. */
export interface Run {
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
  /** To be done when the batch has gone through. */
  after: (() => Promise<void>)[];
}

export interface RunParts {
  context: ConnectorContext<GoogleSheetsSettings>;
  client: SheetsClient;
  reader: Reader;
  bookingsTab: BookingsTab;
  lastWritten: LastWritten;
  /** Problems of the tabs that show the mirror, as of their last comparison. Kept from run to run. */
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

/** Compares the wanted tabs with the sheet; what is ready in Bookings is booked on the way. Writes nothing itself. */
export async function planRun(parts: RunParts, input: RunInput, signal: AbortSignal): Promise<Run> {
  const { wanted, specs } = input;
  const run: Run = {
    requests: [],
    edits: [],
    written: {},
    problems: spreadsheetProblems(input),
    budget: CELLS_PER_RUN,
    left: 0,
    waiting: false,
    after: [],
  };
  const rowless = wanted.includes('bookings') ? await planBookings(run, parts, input, signal) : [];
  for (const key of wanted) {
    const spec = specs.get(key);
    if (spec) await planMirrorTab(run, parts, input, spec);
  }
  // A tab that is not compared in this run has the problems it had.
  const { settings } = parts.context;
  run.problems.push(...settings.tabs.flatMap((key) => parts.mirrorProblems.get(key) ?? []));
  if (wanted.includes('sync')) await planSync(run, parts, input, [...run.problems, ...rowless]);
  return run;
}

function spreadsheetProblems({ reading, isFull }: RunInput): string[] {
  const { copies } = reading.snapshot;
  const problems: string[] = [];
  if (copies.length > 0)
    problems.push(
      `${copies.map(({ title }) => title).join(', ')}: a copy of a tab that clinic-sync keeps; the copy is not kept up to date.`,
    );
  if (isFull)
    problems.push(
      'The spreadsheet is full (Google allows ten million cells): nothing new is added. Delete blank rows, columns or old tabs.',
    );
  return problems;
}

/** Resolves to the bookings whose row is gone, in a few words. */
async function planBookings(
  run: Run,
  parts: RunParts,
  input: RunInput,
  signal: AbortSignal,
): Promise<string[]> {
  const { context, client, bookingsTab } = parts;
  const { memory, includePatient } = context;
  const { view, reading } = input;
  const spec = specOf('bookings', [], { view, includePatient });
  const choices = await choicesOf(view);
  const offer = async (place: Parameters<typeof dropDowns>[0]): Promise<RawRequest[]> => {
    const { requests, done } = await dropDowns(place, { client, memory, choices }, signal);
    if (requests.length > 0) run.after.push(done);
    return requests;
  };
  const tab = reading.snapshot.tabs.get('bookings');
  if (tab === undefined) {
    const sheetId = planNewTab(run, parts, input, spec);
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

async function planMirrorTab(run: Run, parts: RunParts, input: RunInput, spec: TabSpec): Promise<void> {
  const { context, lastWritten, mirrorProblems } = parts;
  const tab = input.reading.snapshot.tabs.get(spec.key);
  if (tab === undefined) {
    planNewTab(run, parts, input, spec);
    return;
  }
  const onDrift = spec.key === 'sync' ? 'heal' : context.settings.on_drift;
  const { edits, rows, left, problems, writing } = planTab(tab, spec, {
    onDrift,
    lastWritten: onDrift === 'report' ? await lastWritten.of(spec.key) : new Map(),
    budget: run.budget,
    mayGrow: !input.isFull,
  });
  run.budget -= edits.writes.length;
  for (const cells of edits.insertion?.rows ?? []) run.budget -= cells.size;
  run.left += left;
  mirrorProblems.set(spec.key, problems);
  if (onDrift === 'report') run.after.push(() => lastWritten.note(spec.key, writing));
  addEdits(run, spec, edits, rows);
}

async function planSync(run: Run, parts: RunParts, input: RunInput, problems: string[]): Promise<void> {
  const { view, reading } = input;
  const { snapshot } = reading;
  const rows = await syncRows(view, {
    tab: snapshot.tabs.get('sync'),
    clinics: view.clinics,
    zone: snapshot.timeZone,
    problems,
  });
  const { includePatient } = parts.context;
  await planMirrorTab(run, parts, input, specOf('sync', rows, { view, includePatient }));
}

/** The id of the new tab; undefined when none may be made now. */
function planNewTab(
  run: Run,
  { context, reader, lastWritten, mirrorProblems, random }: RunParts,
  { reading, isFull }: RunInput,
  spec: TabSpec,
): number | undefined {
  if (!reading.complete || isFull) return undefined;
  const { key, title, columns } = spec;
  const { sheetId, rows, requests } = createTab(spec, reading.snapshot, {
    budget: run.budget,
    random,
    ...(key === 'bookings' && { blankRows: BLANK_BOOKINGS }),
  });
  run.budget -= rows * columns.length;
  run.left += spec.rows.length - rows;
  run.requests.push(...requests);
  run.written[title] = rows + 1;
  run.after.push(() => reader.remember({ [key]: sheetId }));
  mirrorProblems.set(key, inexactFees(title, spec));
  const present = spec.rows.filter(({ gone }) => gone !== true).slice(0, rows);
  if (context.settings.on_drift === 'report') run.after.push(() => lastWritten.note(key, hashesOf(present)));
  return sheetId;
}

function addEdits(run: Run, { title }: TabSpec, edits: TabEdits, rows: number): void {
  const requests = requestsFor(edits);
  if (requests.length === 0) return;
  run.requests.push(...requests);
  run.edits.push(edits);
  if (rows > 0) run.written[title] = rows;
}
