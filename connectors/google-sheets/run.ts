import {
  type ConnectorContext,
  type MirrorView,
  type Note,
  need,
  type Problem,
  said,
  trouble,
} from '../../src/connector.ts';
import { clinicLabels } from '../../src/domain/clinics/clinic-label.ts';
import { noteOfFailure } from '../../src/domain/texts/problem.ts';
import { asFailure, Failure } from '../../src/platform/failure.ts';
import { type Locale, localeOf } from '../../src/platform/text/locale.ts';
import type { SheetsClient } from './api/client.ts';
import { isFull } from './api/failures.ts';
import type { BookingsTab } from './bookings/bookings-tab.ts';
import { choicesOf, dropDowns } from './bookings/drop-downs.ts';
import { goneTabs, noteGone, strayTabs } from './gone-tabs.ts';
import type { Growth } from './growth.ts';
import type { LastWritten } from './last-written.ts';
import { ageStamp, agesOf, stampColumn, stampWrites } from './plan/age-stamps.ts';
import { createTab, recalculated, redWhenStale } from './plan/create-tab.ts';
import { translatedHeaders } from './plan/headings.ts';
import { hashesOf, inexactFees, planTab } from './plan/plan-tab.ts';
import { noEdits, requestsFor, type TabEdits } from './plan/requests.ts';
import { rowsByKey } from './plan/rows.ts';
import type { Reader, SheetReading } from './reader.ts';
import { forgetRefused, noteRefused } from './refused-parts.ts';
import { type RefusedCells, sendBatch, sendEdits } from './send.ts';
import { type GoogleSheetsSettings, type TabKey, tabKeys } from './settings.ts';
import type { RawRequest } from './sheet/raw.ts';
import type { TabSnapshot } from './sheet/snapshot.ts';
import { AS_OF, type TabSpec } from './sheet/tab-spec.ts';
import { CHART_ROWS, chartRequests } from './tabs/charts.ts';
import { specOf } from './tabs/mirror-tabs.ts';
import { priceRows } from './tabs/price-list.ts';
import { syncRows } from './tabs/sync-tab.ts';
import type { WriteTraces } from './write-traces.ts';
import type { WriteVerification } from './write-verification.ts';

/** About 2 MB, Google's recommendation for one call; later runs write the rest. */
const CELLS_PER_RUN = 30_000;
const BLANK_BOOKINGS = 200;

/** What is written in its own batch. */
type Part = TabKey | 'drop-downs' | 'stale-watch' | 'as-of' | 'charts';

export interface RunParts {
  context: ConnectorContext<GoogleSheetsSettings>;
  client: SheetsClient;
  reader: Reader;
  verification: WriteVerification;
  traces: WriteTraces;
  bookingsTab: BookingsTab;
  lastWritten: LastWritten;
  growth: Growth;
  /** Problems of each part, kept until the part is compared or written again. */
  standing: Map<Part, Problem[]>;
  /** How often in a row each part was refused. */
  refusals: Map<Part, number>;
  refusedCells: RefusedCells;
  /** In [0, 1). */
  random: () => number;
}

export interface RunInput {
  view: MirrorView;
  reading: SheetReading;
  wanted: readonly TabKey[];
  specs: ReadonlyMap<TabKey, TabSpec>;
  /** The spreadsheet has as many cells as Google allows, so no tabs or rows are added. */
  isFull: boolean;
  /** The spreadsheet is in Google Drive's bin. */
  isInBin: boolean;
  /** Nothing has been compared since the start. */
  isFirst: boolean;
  /** Rows that people ticked in copies of Bookings, by the copy's title. */
  ticked: ReadonlyMap<string, number>;
}

export interface SheetRun extends RunParts, RunInput {
  written: Record<string, number>;
  problems: Problem[];
  /** Cells that may still be written. */
  budget: number;
  /** Rows beyond the budget. */
  left: number;
  /** A claim waits for its second look. */
  waiting: boolean;
  /** Parts refused in this run. */
  refused: Set<Part>;
  /** Tabs whose cells have moved since the reading. */
  edited: Set<TabKey>;
  /** Tabs that are missing, or to which rows may have been added: one more reading decides. */
  doubtful: Set<TabKey>;
  signal: AbortSignal;
}

/**
 * Books what is ready in Bookings, then updates one tab after another, each in its own batch: what Google refuses for
 * one tab is reported in Sync and stops no other.
 */
export async function runTabs(parts: RunParts, input: RunInput, signal: AbortSignal): Promise<SheetRun> {
  const run: SheetRun = {
    ...parts,
    ...input,
    written: {},
    problems: [],
    budget: CELLS_PER_RUN,
    left: 0,
    waiting: false,
    refused: new Set(),
    edited: new Set(),
    doubtful: new Set(),
    signal,
  };
  const { problems, wanted, specs, context } = run;
  if (run.isFirst) await forgetRefused(context);
  if (run.isInBin) problems.push(trouble(said('sheet_in_bin', {})));
  problems.push(...strayTabs(run.reading, run.ticked));
  const rowless = wanted.includes('bookings') ? await runBookings(run) : [];
  for (const key of wanted) {
    const spec = key === 'price_list' ? await priceList(run) : specs.get(key);
    if (spec) await attempt(run, key, spec.title, () => runMirrorTab(run, spec));
  }
  if (wanted.includes('overview')) await addCharts(run);
  await stampAges(run);
  if (run.isFull) problems.push(trouble(said('sheet_full', {})));
  problems.push(...(await goneTabs(context)).map((key) => tabGone(run, key)), ...undoneWrites(run));
  const all = () => [...problems, ...[...run.standing.values()].flat()];
  if (wanted.includes('sync'))
    await attempt(run, 'sync', specIn(run, 'sync', []).title, () => runSync(run, [...all(), ...rowless]));
  return { ...run, problems: all() };
}

/** A refusal, or a fault while working on a tab that shows the mirror, stops only this part. */
async function attempt(
  run: SheetRun,
  part: Part,
  place: string | Note,
  work: () => Promise<void>,
): Promise<void> {
  const { standing, refusals, refused, context, signal } = run;
  try {
    await work();
    if (refusals.delete(part)) await noteRefused(context.memory, part, undefined);
  } catch (error) {
    if (signal.aborted || !isOfOnePart(error, part)) throw error;
    refused.add(part);
    refusals.set(part, (refusals.get(part) ?? 0) + 1);
    // A full spreadsheet is reported once, as a whole.
    const failure = asFailure(error, 'Writing');
    const what = said('part_refused', { place, detail: noteOfFailure(failure) });
    if (isFull(error)) run.isFull = true;
    else standing.set(part, [refusal(run, part, what)]);
    await noteRefused(context.memory, part, what.said);
    context.log.warn('a part of the spreadsheet could not be written', {
      ...{ connector: context.name, kind: part, problem: failure.message },
    });
  }
}

/**
 * The first refusal may be due to people editing the tab at that moment: it is retried within seconds before it needs a
 * person. Not after a start, which would withdraw an open need for those seconds.
 */
function refusal({ refusals, isFirst }: SheetRun, part: Part, what: Note): Problem {
  const isDoubtful = refusals.get(part) === 1 && !isFirst;
  if (part === 'drop-downs' || part === 'charts' || isDoubtful) return what;
  return isTab(part) ? trouble(what) : need(what);
}

const isTab = (part: Part): part is TabKey => tabKeys.some((key) => key === part);

const isOfOnePart = (error: unknown, part: Part): boolean =>
  error instanceof Failure ? error.status === 400 : part !== 'bookings';

const specIn = ({ view, context }: SheetRun, key: TabKey, rows: TabSpec['rows']): TabSpec =>
  specOf(key, rows, {
    ...{ view, includePatient: context.includePatient, language: context.settings.language },
  });

const localeIn = ({ context }: SheetRun): Locale => localeOf(context.settings.language);

/** Resolves to a line for each booking whose row is gone. */
async function runBookings(run: SheetRun): Promise<Problem[]> {
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
  await translate(run, tab, spec, edits);
  run.problems.push(...problems);
  run.standing.delete('bookings');
  await attempt(run, 'bookings', tab.title, () => sendEdits(run, spec.title, edits, rows));
  run.waiting = waiting && !run.refused.has('bookings');
  if (tab.closed.every(({ isMerge }) => isMerge)) await offerChoices(run, tab);
  return rowless;
}

/** Once refused, drop-downs are not sent again until the tab or the choices change, because names can be typed. */
async function offerChoices(run: SheetRun, place: Parameters<typeof dropDowns>[0]): Promise<void> {
  const { client, context, view, standing, signal } = run;
  const choices = await choicesOf(view);
  const { requests, done } = await dropDowns(place, { client, memory: context.memory, choices }, signal);
  if (requests.length === 0) return;
  standing.delete('drop-downs');
  await attempt(run, 'drop-downs', said('part_drop_downs', {}), () => sendBatch(run, requests));
  await done();
}

async function runMirrorTab(run: SheetRun, spec: TabSpec): Promise<void> {
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
  const { mayGrow, repeated } = await run.growth.look(key, (row) => rowsByKey(tab, spec)?.has(row) === true);
  if (!mayGrow) run.doubtful.add(key);
  const { edits, rows, left, problems, writing, budget } = planTab(tab, spec, {
    connector: context.name,
    lastWritten: isReport ? await lastWritten.of(key) : undefined,
    budget: run.budget,
    mayGrow: mayGrow && !run.isFull,
    repeated,
    isFilling: run.growth.filling.has(key),
  });
  if (left === 0) run.growth.filling.delete(key);
  run.budget = budget;
  run.left += left;
  standing.set(key, problems);
  await translate(run, tab, spec, edits);
  await sendEdits(run, spec.title, edits, rows);
  if (isReport) await lastWritten.note(key, writing);
}

async function translate(
  { context: { memory, settings } }: SheetRun,
  tab: TabSnapshot,
  { columns }: TabSpec,
  edits: TabEdits,
): Promise<void> {
  edits.writes.push(...(await translatedHeaders(memory, tab, { columns, language: settings.language })));
}

/**
 * By default NOW() moves only when something changes, so STALE would never show while the daemon is dead. This is set
 * once; from then on it is the people's setting.
 */
async function watchAge(run: SheetRun, sheetId: number, column: number): Promise<void> {
  const { memory } = run.context;
  if (column < 0 || (await memory.get('stale-watch')) === String(sheetId)) return;
  await attempt(run, 'stale-watch', said('part_stale_colour', {}), async () =>
    sendBatch(run, [...(await recalculation(run)), redWhenStale(sheetId, column)]),
  );
  await memory.set({ 'stale-watch': String(sheetId) });
}

/** Depends on the day that people wrote into the tab. */
async function priceList(run: SheetRun): Promise<TabSpec> {
  const { view, reading, context } = run;
  const from = {
    tab: reading.snapshot.tabs.get('price_list'),
    nowMs: context.clock.now(),
    locale: localeIn(run),
  };
  const rows: TabSpec['rows'][number][] = [];
  for (const facts of view.clinics) rows.push(...(await priceRows(view, facts, from)));
  return specIn(run, 'price_list', rows);
}

async function runSync(run: SheetRun, problems: Problem[]): Promise<void> {
  const { view, reading } = run;
  const { tabs, timeZone: zone } = reading.snapshot;
  const rows = await syncRows(view, {
    ...{ tab: tabs.get('sync'), clinics: view.clinics, zone, problems },
    locale: localeIn(run),
  });
  await runMirrorTab(run, specIn(run, 'sync', rows));
}

const noted = async ({ context }: SheetRun, key: string): Promise<string[]> =>
  JSON.parse((await context.memory.get(key)) ?? '[]') as string[];

async function note(run: SheetRun, key: string, value: string): Promise<void> {
  const values = await noted(run, key);
  if (!values.includes(value)) await run.context.memory.set({ [key]: JSON.stringify([...values, value]) });
}

/** Makes NOW() move every minute: requested once for a spreadsheet, by this version or an earlier one. */
async function recalculation(run: SheetRun): Promise<RawRequest[]> {
  const tabs = [...(await noted(run, 'as-of')), (await run.context.memory.get('stale-watch')) ?? ''];
  const isHere = tabs.some((id) => id !== '' && run.reading.snapshot.sheetIds.includes(Number(id)));
  return isHere ? [] : [recalculated];
}

/** Shows each tab's age in a column that is created only once, so that users may delete it. */
async function stampAges(run: SheetRun): Promise<void> {
  const { reading, wanted, edited, context, view, standing } = run;
  const { clock } = context;
  const tabs = wanted.flatMap((key) => reading.snapshot.tabs.get(key) ?? []);
  const made = await noted(run, 'as-of');
  const without = tabs.filter(({ sheetId }) => !made.includes(String(sheetId)));
  standing.delete('as-of');
  for (const tab of without) {
    if (!tab.columns.has(AS_OF))
      await attempt(run, 'as-of', said('part_age', { tab: tab.title }), async () =>
        sendBatch(run, [...(await recalculation(run)), ...stampColumn(tab)]),
      );
    await note(run, 'as-of', String(tab.sheetId));
  }
  const ageOf = await agesOf(view, clock.now());
  const edits = tabs.flatMap((tab): TabEdits[] => {
    const age = ageOf(tab.key);
    if (age === undefined || edited.has(tab.key) || without.includes(tab)) return [];
    const writes = stampWrites(tab, age, { zone: reading.snapshot.timeZone, locale: localeIn(run) });
    return writes.length === 0 ? [] : [{ ...noEdits(tab), writes }];
  });
  await attempt(run, 'as-of', said('part_ages', {}), () =>
    sendBatch(
      run,
      edits.flatMap((one) => requestsFor(one)),
      edits,
    ),
  );
}

const tabGone = (run: SheetRun, key: TabKey): Problem =>
  need(said('tab_gone', { place: specIn(run, key, []).title }));

/** A write was accepted, and yet every reading shows the tab as it was. */
const undoneWrites = ({ traces }: SheetRun): Problem[] =>
  traces.undone().map((place) => trouble(said('writes_undone', { place })));

/** Charts are created once per clinic; from then on they are the people's. */
async function addCharts(run: SheetRun): Promise<void> {
  const { reading, specs, view, edited } = run;
  const tab = reading.snapshot.tabs.get('overview');
  const spec = specs.get('overview');
  if (tab === undefined || spec === undefined || edited.has('overview')) return;
  const made = await noted(run, 'charts');
  const labelOf = clinicLabels(view.clinics);
  for (const [place, { clinic, name }] of view.clinics.entries()) {
    const key = `${tab.sheetId} ${clinic}`;
    if (made.includes(key)) continue;
    const requests = chartRequests(tab, spec, {
      ...{ clinic, name: labelOf({ clinic, name }), place },
      locale: localeIn(run),
    });
    if (requests === undefined) continue;
    await attempt(run, 'charts', said('part_charts', {}), () => sendBatch(run, requests));
    await note(run, 'charts', key);
  }
}

/** Resolves to the id of the new tab; undefined when none may be created now. */
async function addTab(run: SheetRun, spec: TabSpec): Promise<number | undefined> {
  const { context, reader, lastWritten, standing, random, reading, view } = run;
  if (!reading.complete || run.isFull) return undefined;
  const { key, title, columns } = spec;
  const absence = reader.absence(key);
  if (absence !== 'never_made') await noteGone(context, key);
  if (absence === 'doubtful') {
    run.doubtful.add(key);
    return undefined;
  }
  const age = (await agesOf(view, context.clock.now()))(key);
  const { sheetId, rows, requests } = createTab(spec, reading.snapshot, {
    budget: run.budget,
    random,
    stamp:
      age === undefined ? null : ageStamp(age, { zone: reading.snapshot.timeZone, locale: localeIn(run) }),
    ...(key === 'bookings' && { blankRows: BLANK_BOOKINGS }),
    ...(key === 'overview' && { blankRows: 2 + CHART_ROWS * view.clinics.length }),
  });
  run.budget -= rows.length * columns.length;
  run.left += spec.rows.length - rows.length;
  if (spec.rows.length > rows.length) run.growth.filling.add(key);
  standing.set(key, inexactFees(title, spec));
  await sendBatch(run, [...(await recalculation(run)), ...requests]);
  run.written[title] = rows.length + 1;
  await reader.remember({ [key]: sheetId });
  await note(run, 'as-of', String(sheetId));
  if (context.settings.on_drift === 'report') await lastWritten.note(key, hashesOf(rows));
  return sheetId;
}
