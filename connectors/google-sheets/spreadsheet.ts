import type { Converged, ErasedPeople, MirrorView } from '../../src/connector.ts';
import { failpoint } from '../../src/platform/failpoint.ts';
import type { RawRequest } from './api/client.ts';
import { isFull } from './api/failures.ts';
import { createClaims } from './bookings/claims.ts';
import { SECOND_LOOK_MS } from './bookings/ownership.ts';
import { forgetPeople } from './forget.ts';
import { createLastWritten } from './last-written.ts';
import { claimOwnership, type SpreadsheetOwner } from './owner.ts';
import type { Reading } from './reader.ts';
import { planRun, type Run, type RunInput, type RunParts } from './run.ts';
import type { TabKey } from './settings.ts';
import { createHistory, type History } from './tabs/history.ts';
import { desiredTabs } from './tabs/mirror-tabs.ts';
import { rowKey } from './tabs/tab-spec.ts';
import type { WriteVerification } from './write-verification.ts';

export interface SpreadsheetParts extends Omit<RunParts, 'lastWritten' | 'mirrorProblems'> {
  verification: WriteVerification;
}

export type Spreadsheet = ReturnType<typeof createSpreadsheet>;

interface State extends RunParts {
  readonly verification: WriteVerification;
  readonly history: History;
  readonly ownership: SpreadsheetOwner;
  /** Digest of each tab as it was last compared and written completely. Undefined: everything has to be compared. */
  settled: ReadonlyMap<TabKey, string> | undefined;
  /** When all tabs were compared. Monotonic milliseconds, as `fullUntil`. */
  comparedAt: number;
  fullUntil: number;
}

/** Everything is compared this often; in between, what people fill in and the tabs whose content has changed. */
const COMPARE_EVERY_MS = 5 * 60_000 - 2_000;
const FULL_FOR_MS = 60 * 60_000;

export function createSpreadsheet(parts: SpreadsheetParts) {
  const { name, settings, instance, memory } = parts.context;
  const state: State = {
    ...parts,
    history: createHistory(memory),
    lastWritten: createLastWritten(memory),
    ownership: { me: `${instance}/${name}`, adopt: settings.adopt },
    mirrorProblems: new Map(),
    settled: undefined,
    comparedAt: Number.NEGATIVE_INFINITY,
    fullUntil: Number.NEGATIVE_INFINITY,
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
    /** Takes erased people out of all tabs with our marks and out of what is kept about them here. Throws `Failure`. */
    async forget(erased: ErasedPeople, view: MirrorView, signal: AbortSignal): Promise<void> {
      const { history, lastWritten } = state;
      const byClinic = Map.groupBy(erased.appointments, ({ clinic }) => clinic);
      for (const facts of view.clinics) {
        const ids = (byClinic.get(facts.clinic) ?? []).map(({ appointment_id }) => String(appointment_id));
        await history.refresh(view, facts, ids);
        await lastWritten.forget('appointments', new Set(ids.map((id) => rowKey(facts.clinic, id))));
      }
      const clinics = view.clinics.map(({ clinic }) => clinic);
      await forgetPeople({ ...state, clinics, claims: createClaims(memory) }, erased, signal);
    },
    /** Everything is compared the next time. */
    invalidate,
  };
}

const isFullNow = ({ context, fullUntil }: State): boolean => context.clock.monotonic() < fullUntil;

async function converge(state: State, view: MirrorView, signal: AbortSignal): Promise<Converged> {
  const { context, history, verification } = state;
  const { settings, includePatient, clock } = context;
  const { specs, digests } = await desiredTabs(view, { settings, history, includePatient });
  const { settled } = state;
  const isWhole = settled === undefined || clock.monotonic() - state.comparedAt >= COMPARE_EVERY_MS;
  const changed = settings.tabs.filter((key) => isWhole || digests.get(key) !== settled.get(key));
  const wanted = settings.tabs.filter(
    (key) => changed.includes(key) || key === 'bookings' || key === 'sync' || verification.isUnverified(key),
  );
  if (wanted.length === 0) return { written: {}, problems: [] };

  const { reading, signing } = await readOwned(state, wanted, signal);
  const run = await planAndSend(state, { view, reading, wanted, specs }, signing, signal);
  if (changed.length > 0 && run.left === 0) {
    await history.written();
    state.settled = digests;
    if (isWhole) state.comparedAt = clock.monotonic();
  }
  const soon = run.left > 0 ? 1_000 : run.waiting ? SECOND_LOOK_MS + 1_000 : undefined;
  return { written: run.written, problems: run.problems, ...(soon !== undefined && { nextInMs: soon }) };
}

/** Reads the spreadsheet and repairs it. `signing`: the requests that mark it as ours. Throws `Failure` when it is not. */
async function readOwned(
  { client, reader, ownership, verification }: State,
  wanted: RunInput['wanted'],
  signal: AbortSignal,
): Promise<{ reading: Reading; signing: RawRequest[] }> {
  let reading = await reader.read(wanted, signal);
  let signing = claimOwnership(reading.snapshot, ownership);
  if (signing.length > 0 && reading.snapshot.owners.length > 0) {
    // Adopted in a call of its own: no booking is taken from a spreadsheet that is not ours yet.
    await client.write(signing, signal);
    signing = [];
  }
  if (await verification.repair(reading.snapshot, signal)) reading = await reader.read(wanted, signal);
  return { reading, signing };
}

/** When the spreadsheet turns out to be full, plans again without new rows. */
async function planAndSend(
  state: State,
  input: Omit<RunInput, 'isFull'>,
  signing: readonly RawRequest[],
  signal: AbortSignal,
): Promise<Run> {
  const run = await planRun(state, { ...input, isFull: isFullNow(state) }, signal);
  try {
    await send(state, run, signing, signal);
    return run;
  } catch (error) {
    if (!isFull(error) || isFullNow(state)) throw error;
  }
  state.fullUntil = state.context.clock.monotonic() + FULL_FOR_MS;
  const smaller = await planRun(state, { ...input, isFull: true }, signal);
  await send(state, smaller, signing, signal);
  return smaller;
}

async function send(
  { client, verification }: State,
  run: Run,
  signing: readonly RawRequest[],
  signal: AbortSignal,
): Promise<void> {
  const requests = [...signing, ...run.requests];
  if (requests.length > 0) {
    verification.expect(run.edits);
    failpoint('google-sheets.planned');
    try {
      await client.write(requests, signal);
    } catch (error) {
      // It may have been applied.
      if (!isFull(error) && !signal.aborted) await verification.verify(run.edits, signal).catch(() => {});
      throw error;
    }
    failpoint('google-sheets.written');
  }
  for (const step of run.after) await step();
  await verification.verify(run.edits, signal);
}
