import type { ConnectorContext, Converged, ErasedPeople, MirrorView } from '../../src/connector.ts';
import { failpoint } from '../../src/platform/failpoint.ts';
import type { RawRequest, SheetsClient } from './api/client.ts';
import { isFull } from './api/failures.ts';
import type { BookingsDesk } from './bookings/bookings-tab.ts';
import { createClaims } from './bookings/claims.ts';
import { SECOND_LOOK_MS } from './bookings/decide.ts';
import { choicesOf, dropDowns } from './bookings/drop-downs.ts';
import { forgetRows } from './forget.ts';
import { createLastWritten } from './last-written.ts';
import { claimOwnership } from './owner.ts';
import { createTab } from './plan/create-tab.ts';
import type { TabEdits } from './plan/edits.ts';
import { hashesOf, inexactFees, planTab } from './plan/plan-tab.ts';
import { requestsFor } from './plan/requests.ts';
import type { Reader, Reading } from './reader.ts';
import type { Rules } from './rules.ts';
import type { GoogleSheetsSettings, TabKey } from './settings.ts';
import { desiredTabs, specOf } from './tabs/desired.ts';
import { createFeeHistory } from './tabs/fee-history.ts';
import { syncRows } from './tabs/sync-tab.ts';
import type { TabSpec } from './tabs/tab-spec.ts';
import { createAftermath } from './write-verification.ts';

export interface SpreadsheetParts {
  context: ConnectorContext<GoogleSheetsSettings>;
  client: SheetsClient;
  reader: Reader;
  desk: BookingsDesk;
  rules: Rules;
  /** In [0, 1). */
  random: () => number;
}

export interface Spreadsheet {
  converge(view: MirrorView, signal: AbortSignal): Promise<Converged>;
  /** Takes erased people out of the rows they were typed into, and out of the tabs that show the mirror. */
  forget(erased: ErasedPeople, view: MirrorView, signal: AbortSignal): Promise<void>;
  /** Compare everything the next time. */
  doubt(): void;
}

/** Everything is compared this often, and whenever the mirror has changed; in between only what people fill in. */
const COMPARE_EVERY_MS = 5 * 60_000 - 2_000;
/** About 2 MB, which is what Google recommends for one call; the rest follows in the next runs. */
const CELLS_PER_RUN = 30_000;
const FULL_FOR_MS = 60 * 60_000;
const BLANK_BOOKINGS = 200;

/** What one run is going to do, gathered tab by tab. */
interface Run {
  requests: RawRequest[];
  edits: TabEdits[];
  written: Record<string, number>;
  problems: string[];
  left: number;
  /** To be done when the batch has gone through. */
  after: (() => Promise<void>)[];
}

export function createSpreadsheet({
  context,
  client,
  reader,
  desk,
  rules,
  random,
}: SpreadsheetParts): Spreadsheet {
  const { name, settings, instance, includePatient, memory, clock, log } = context;
  const feeHistory = createFeeHistory();
  const lastWritten = createLastWritten(memory);
  const ownership = { me: `${instance}/${name}`, adopt: settings.adopt };
  /** Problems of the tabs that show the mirror, as of their last comparison. */
  const standing = new Map<TabKey, string[]>();
  const aftermath = createAftermath({ client, reader, rules, log, connector: name });
  let settled: string | undefined;
  let comparedAt = Number.NEGATIVE_INFINITY;
  let fullUntil = Number.NEGATIVE_INFINITY;

  const isFullNow = () => clock.monotonic() < fullUntil;

  async function plan(
    view: MirrorView,
    reading: Reading,
    wanted: readonly TabKey[],
    specs: ReadonlyMap<TabKey, TabSpec>,
    signal: AbortSignal,
  ) {
    const { snapshot, complete } = reading;
    const run: Run = { requests: [], edits: [], written: {}, problems: [], left: 0, after: [] };
    let budget = CELLS_PER_RUN;
    let waiting = false;
    let rowless: string[] = [];
    if (snapshot.copies.length > 0)
      run.problems.push(
        `${snapshot.copies.join(', ')}: a copy of a tab that clinic-sync keeps; the copy is not kept up to date.`,
      );
    if (isFullNow())
      run.problems.push(
        'The spreadsheet is full (Google allows ten million cells): nothing new is added. Delete blank rows, columns or old tabs.',
      );

    async function make(spec: TabSpec, more?: (sheetId: number) => Promise<RawRequest[]>): Promise<void> {
      if (!complete || isFullNow()) return;
      const options = {
        budget,
        random,
        ...(spec.key === 'bookings' && { blankRows: BLANK_BOOKINGS }),
      };
      const titles = [...snapshot.titles];
      const made = createTab(spec, { ...snapshot, titles }, options);
      budget -= made.rows * spec.columns.length;
      run.left += spec.rows.length - made.rows;
      run.requests.push(...made.requests, ...((await more?.(made.sheetId)) ?? []));
      run.written[spec.title] = made.rows + 1;
      run.after.push(() => reader.remember({ [spec.key]: made.sheetId }));
      standing.set(spec.key, inexactFees(spec.title, spec));
      const rows = spec.rows.filter(({ gone }) => gone !== true).slice(0, made.rows);
      if (settings.on_drift === 'report') run.after.push(() => lastWritten.note(spec.key, hashesOf(rows)));
    }

    function keep(spec: TabSpec, edits: TabEdits, rows: number): void {
      const requests = requestsFor(edits);
      if (requests.length === 0) return;
      run.requests.push(...requests);
      run.edits.push(edits);
      if (rows > 0) run.written[spec.title] = rows;
    }

    async function mirrorTab(spec: TabSpec): Promise<void> {
      const tab = snapshot.tabs.get(spec.key);
      if (!tab) return make(spec);
      const onDrift = spec.key === 'sync' ? 'heal' : settings.on_drift;
      const planned = planTab(tab, spec, {
        onDrift,
        lastWritten: onDrift === 'report' ? await lastWritten.of(spec.key) : new Map(),
        budget,
        mayGrow: !isFullNow(),
        wholeRows: !rules.cellsOnly,
      });
      budget -= planned.edits.writes.length;
      for (const cells of planned.edits.insertion?.rows ?? []) budget -= cells.size;
      run.left += planned.left;
      standing.set(spec.key, planned.problems);
      if (onDrift === 'report') run.after.push(() => lastWritten.note(spec.key, planned.writing));
      keep(spec, planned.edits, planned.rows);
    }

    if (wanted.includes('bookings')) {
      const spec = specOf('bookings', [], { view, includePatient });
      const tab = snapshot.tabs.get('bookings');
      const choices = await choicesOf(view);
      const offer = async (place: Parameters<typeof dropDowns>[0]): Promise<RawRequest[]> => {
        const { requests, done } = await dropDowns(place, { client, memory, choices }, signal);
        if (requests.length > 0) run.after.push(done);
        return requests;
      };
      if (tab) {
        const looked = await desk.look(tab, view);
        ({ waiting, rowless } = looked);
        run.problems.push(...looked.problems);
        const extras = tab.closed.length === 0 ? await offer(tab) : [];
        keep(spec, { ...looked.edits, extras }, looked.rows);
      } else {
        const columns = new Map(spec.columns.map(({ key }, index) => [key, index]));
        await make(spec, (sheetId) => offer({ sheetId, rowCount: 1 + BLANK_BOOKINGS, columns }));
      }
    }
    for (const key of wanted) {
      const spec = specs.get(key);
      if (spec) await mirrorTab(spec);
    }
    // What is not looked at in this run is as it was.
    run.problems.push(...settings.tabs.flatMap((key) => standing.get(key) ?? []));
    if (wanted.includes('sync')) {
      const tab = snapshot.tabs.get('sync');
      const { clinics } = view;
      const problems = [...run.problems, ...rowless];
      const rows = await syncRows(view, { tab, clinics, zone: snapshot.timeZone, problems });
      await mirrorTab(specOf('sync', rows, { view, includePatient }));
    }
    return { run, waiting };
  }

  async function send(run: Run, signing: readonly RawRequest[], signal: AbortSignal): Promise<void> {
    const requests = [...signing, ...run.requests];
    if (requests.length > 0) {
      aftermath.expect(run.edits);
      failpoint('google-sheets.planned');
      try {
        await client.write(requests, signal);
      } catch (error) {
        // It may have been applied all the same.
        if (!isFull(error) && !signal.aborted) await aftermath.look(run.edits, signal).catch(() => {});
        throw error;
      }
      failpoint('google-sheets.written');
    }
    for (const step of run.after) await step();
    await aftermath.look(run.edits, signal);
  }

  async function converge(view: MirrorView, signal: AbortSignal): Promise<Converged> {
    const { specs, digest } = await desiredTabs(view, { settings, feeHistory, includePatient });
    const due = digest !== settled || clock.monotonic() - comparedAt >= COMPARE_EVERY_MS;
    const wanted = settings.tabs.filter(
      (key) => due || key === 'bookings' || key === 'sync' || aftermath.unseen(key),
    );
    if (wanted.length === 0) return { written: {}, problems: [] };

    let reading = await reader.read(wanted, signal);
    let signing = claimOwnership(reading.snapshot, ownership);
    if (signing.length > 0 && reading.snapshot.owners.length > 0) {
      // Adopted first, and by itself: no booking is taken from a spreadsheet that is not ours yet.
      await client.write(signing, signal);
      signing = [];
    }
    if (await aftermath.mended(reading, signal)) reading = await reader.read(wanted, signal);

    let { run, waiting } = await plan(view, reading, wanted, specs, signal);
    try {
      await send(run, signing, signal);
    } catch (error) {
      if (!isFull(error) || isFullNow()) throw error;
      fullUntil = clock.monotonic() + FULL_FOR_MS;
      ({ run, waiting } = await plan(view, reading, wanted, specs, signal));
      await send(run, signing, signal);
    }
    if (due && run.left === 0) {
      settled = digest;
      comparedAt = clock.monotonic();
    }
    const soon = run.left > 0 ? 1_000 : waiting ? SECOND_LOOK_MS + 1_000 : undefined;
    return { written: run.written, problems: run.problems, ...(soon !== undefined && { nextInMs: soon }) };
  }

  return {
    async converge(view, signal) {
      try {
        return await converge(view, signal);
      } catch (error) {
        settled = undefined;
        throw error;
      }
    },
    async forget({ refs, appointments }, view, signal) {
      const clinics = view.clinics.map(({ clinic }) => clinic);
      await forgetRows(
        { client, reader, aftermath, ownership, clinics, claims: createClaims(memory) },
        refs,
        signal,
      );
      if (appointments.length === 0 || !settings.tabs.includes('appointments')) return;
      settled = undefined;
      await converge(view, signal);
    },
    doubt() {
      settled = undefined;
    },
  };
}
