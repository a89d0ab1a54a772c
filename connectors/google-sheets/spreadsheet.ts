import type { Converged, ErasedPeople, MirrorView } from '../../src/connector.ts';
import { HOUR, MINUTE, SECOND } from '../../src/platform/duration.ts';
import { localeOf } from '../../src/platform/text/locale.ts';
import { createClaims } from './bookings/claims.ts';
import { SECOND_LOOK_MS } from './bookings/ownership.ts';
import { unbookedTicks } from './bookings/read-row.ts';
import { forgetPeople } from './forget.ts';
import { createGrowth } from './growth.ts';
import { createLastWritten } from './last-written.ts';
import { claimOwnership, type SpreadsheetOwner } from './owner.ts';
import type { SheetReading } from './reader.ts';
import { type RunInput, type RunParts, runTabs, type SheetRun } from './run.ts';
import type { TabKey } from './settings.ts';
import { rowKey } from './sheet/tab-spec.ts';
import { createHistory, type History } from './tabs/history.ts';
import { desiredTabs } from './tabs/mirror-tabs.ts';
import { createOverview, type Overview } from './tabs/overview.ts';

export type SpreadsheetParts = Omit<
  RunParts,
  'lastWritten' | 'growth' | 'standing' | 'refusals' | 'refusedCells'
>;

export type Spreadsheet = ReturnType<typeof createSpreadsheet>;

interface State extends RunParts {
  readonly history: History;
  readonly overview: Overview;
  readonly ownership: SpreadsheetOwner;
  /** Digest of each tab as last compared and completely written. Undefined: everything has to be compared. */
  settled: ReadonlyMap<TabKey, string> | undefined;
  /** When all tabs were compared. Monotonic milliseconds, like `fullUntil`. */
  comparedAt: number;
  fullUntil: number;
  /** As of the last full comparison. */
  isInBin: boolean;
  /** When copies of Bookings were last looked for. Monotonic. */
  lookedAt: number;
  /** Rows that people ticked in copies of Bookings then, by the copy's title. */
  tickedInCopies: ReadonlyMap<string, number>;
}

/** Everything is compared this often; in between, only changed tabs and what people fill in. */
const COMPARE_EVERY_MS = 5 * MINUTE - 2_000;
/** Someone who ticks a row in a copy waits for a booking that never comes; every outlet says so within a minute. */
const LOOK_FOR_COPIES_MS = 30 * SECOND;
const FULL_FOR_MS = HOUR;
/** Leads are taken even from a spreadsheet in the bin; everything else waits until it is restored. */
const inBin: ReadonlySet<TabKey> = new Set(['bookings', 'sync']);
/** Tabs read in every run because people write there, and Sync, which shows the result. */
const peopleFillIn: ReadonlySet<TabKey> = new Set(['bookings', 'price_list', 'sync']);

export function createSpreadsheet(parts: SpreadsheetParts) {
  const { name, settings, instance, memory, clock } = parts.context;
  const history = createHistory(memory);
  const state: State = {
    ...parts,
    history,
    overview: createOverview({ clock, history, locale: localeOf(settings.language) }),
    lastWritten: createLastWritten(memory),
    growth: createGrowth({ memory, clock }),
    ownership: { me: `${instance}/${name}`, adopt: settings.adopt },
    standing: new Map(),
    refusals: new Map(),
    refusedCells: new Map(),
    settled: undefined,
    comparedAt: Number.NEGATIVE_INFINITY,
    fullUntil: Number.NEGATIVE_INFINITY,
    isInBin: false,
    lookedAt: Number.NEGATIVE_INFINITY,
    tickedInCopies: new Map(),
  };
  const invalidate = () => {
    state.settled = undefined;
  };
  return {
    async converge(view: MirrorView, signal: AbortSignal): Promise<Converged> {
      try {
        return await converge(state, view, signal);
      } catch (error) {
        invalidate();
        throw error;
      }
    },
    /** Removes erased people from all tabs with our marks and from what is stored about them here. Throws `Failure`. */
    async forget(erased: ErasedPeople, view: MirrorView, signal: AbortSignal): Promise<void> {
      const { history, lastWritten } = state;
      const byClinic = Map.groupBy(erased.appointments, ({ clinic }) => clinic);
      for (const facts of view.clinics) {
        const ids = (byClinic.get(facts.clinic) ?? []).map(({ appointment_id }) => String(appointment_id));
        for (const [tab, gone] of [
          ['appointments', ids],
          ['leads', erased.refs],
        ] as const) {
          await history.refresh(tab, { view, facts, ids: gone });
          await lastWritten.forget(tab, new Set(gone.map((id) => rowKey(facts.clinic, id))));
        }
      }
      const clinics = view.clinics.map(({ clinic }) => clinic);
      await forgetPeople({ ...state, clinics, claims: createClaims(memory) }, erased, signal);
    },
    /** Makes the next run compare everything. */
    invalidate,
  };
}

async function converge(state: State, view: MirrorView, signal: AbortSignal): Promise<Converged> {
  const { context, history, overview, standing, refusals } = state;
  const { settings, includePatient, clock } = context;
  const { specs, digests } = await desiredTabs(view, { settings, history, overview, includePatient });
  const { isWhole, changed, wanted } = await tabsOfRun(state, digests, signal);
  if (wanted.length === 0) return { written: {}, problems: [...standing.values()].flat() };

  const isLook =
    isWhole || (wanted.includes('bookings') && clock.monotonic() - state.lookedAt >= LOOK_FOR_COPIES_MS);
  const reading = await readOwned(state, { wanted, isWhole: isLook }, signal);
  const isFull = clock.monotonic() < state.fullUntil;
  if (isWhole) state.refusedCells.clear();
  if (isLook) {
    state.tickedInCopies = await tickedInCopies(state, reading, view, signal);
    state.lookedAt = clock.monotonic();
  }
  const { isInBin, tickedInCopies: ticked } = state;
  const isFirst = !Number.isFinite(state.comparedAt);
  const run = await runTabs(
    state,
    { view, reading, wanted, specs, isFull, isInBin, isFirst, ticked },
    signal,
  );
  if (run.isFull && !isFull) state.fullUntil = clock.monotonic() + FULL_FOR_MS;
  // People may have been editing the tab at that moment: retried soon, then with every full comparison.
  const again = [...run.refused].filter((part) => refusals.get(part) === 1);
  if (changed.length > 0 && run.left === 0) {
    if (run.refused.size + run.doubtful.size === 0) await history.written();
    state.settled = new Map([...digests].filter(([key]) => !again.includes(key) && !run.doubtful.has(key)));
    if (isWhole) state.comparedAt = clock.monotonic();
  }
  const soon = nextLook(run, again.length > 0);
  return { written: run.written, problems: run.problems, ...(soon !== undefined && { nextInMs: soon }) };
}

/** How often a missing tab, or rows that may have been added, are looked for. */
const LOOK_AGAIN_MS = 20_000;

function nextLook({ left, waiting, doubtful }: SheetRun, isAgain: boolean): number | undefined {
  if (left > 0) return 1_000;
  if (waiting || isAgain) return SECOND_LOOK_MS + 1_000;
  return doubtful.size > 0 ? LOOK_AGAIN_MS : undefined;
}

/** A copy is often kept as a record of a month, so only a row ticked in it needs a person. */
async function tickedInCopies(
  { reader }: State,
  { strays }: SheetReading,
  { clinics }: MirrorView,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  if (!strays.some(({ key, isCopy }) => isCopy && key === 'bookings')) return new Map();
  const { copies } = await reader.readMarked(['bookings'], signal);
  const keys = clinics.map(({ clinic }) => clinic);
  return new Map(copies.map((tab) => [tab.title, unbookedTicks(tab, keys)]));
}

/** `changed`: tabs whose content is compared; `wanted`: also those that people fill in. */
async function tabsOfRun(state: State, digests: ReadonlyMap<TabKey, string>, signal: AbortSignal) {
  const { context, verification, traces, settled } = state;
  const isWhole = settled === undefined || context.clock.monotonic() - state.comparedAt >= COMPARE_EVERY_MS;
  if (isWhole) state.isInBin = (await state.client.isInBin(signal)) ?? false;
  const kept = context.settings.tabs.filter((key) => !state.isInBin || inBin.has(key));
  const changed = kept.filter((key) => isWhole || digests.get(key) !== settled.get(key));
  const isUnsure = (key: TabKey) => verification.isUnverified(key) || traces.isDoubtful(key);
  const wanted = kept.filter((key) => changed.includes(key) || peopleFillIn.has(key) || isUnsure(key));
  return { isWhole, changed, wanted };
}

/** Reads the spreadsheet, claims it when it has no owner, and repairs it. Throws `Failure` when it is another's. */
async function readOwned(
  { client, reader, ownership, verification }: State,
  { wanted, isWhole }: { wanted: RunInput['wanted']; isWhole: boolean },
  signal: AbortSignal,
): Promise<SheetReading> {
  let reading = await reader.read(wanted, signal, { isWhole });
  const signing = claimOwnership(reading.snapshot, ownership);
  if (signing.length > 0) {
    // No booking is taken from a spreadsheet before it is ours.
    await client.write(signing, signal);
    reading = await reader.read(wanted, signal, { isWhole: true });
    claimOwnership(reading.snapshot, ownership);
  }
  if (await verification.repair(reading.snapshot, signal)) reading = await reader.read(wanted, signal);
  return reading;
}
