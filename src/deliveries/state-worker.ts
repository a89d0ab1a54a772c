import type { Converged, MirrorView, StateDelivery } from '../connector.ts';
import { instant } from '../platform/clock.ts';
import { failpoint } from '../platform/failpoint.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import { failureSentence } from '../platform/sentences.ts';
import { call } from './call.ts';
import { convergePauseMs } from './retry.ts';
import { IDLE_MS, type Lane, type LaneResult, type LaneTools, nothingDone } from './worker.ts';

const DEADLINE_MS = 10 * 60_000;
/** A burst of changes becomes a few converges, not one each. */
const SHORTEST_GAP_MS = 1_000;

interface StateLaneOptions extends LaneTools {
  connector: string;
  /** The connector delivers events too: its report is about those, a trouble with the state is one of its problems. */
  beside: boolean;
  clinics: readonly string[];
  state: StateDelivery;
  view: () => Promise<MirrorView>;
}

export interface StateLane extends Lane {
  /** The connector noticed something itself: converge although nothing of ours changed. */
  want(): void;
  /** A person says that it can work again: no waiting out of earlier failures. */
  hurry(): void;
}

export function stateLane(options: StateLaneOptions): StateLane {
  const { connector, beside, clinics, state, view, store, clock, log, random } = options;
  const cursorName = beside ? `${connector}:state` : connector;
  let failures = 0;
  let wanted = true;
  let nextAt = 0;
  let notBefore = 0;
  let stuck = false;

  /** Where each clinic's change log ends now, if that is past what was converged. */
  async function news(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const positions = await store.deliveries.positions(cursorName);
    for (const clinic of clinics) {
      const known = positions.get(clinic);
      if (known === undefined) found.set(clinic, await store.changes.latest(clinic));
      else if (known.latest !== known.cursor) found.set(clinic, known.latest);
    }
    return found;
  }

  async function converge(signal: AbortSignal): Promise<LaneResult> {
    // The old call may still write. Two at once would undo each other, so it is waited for.
    if (stuck)
      return failed(
        new Failure({
          kind: 'transient',
          message: 'The last run has not stopped although it was asked to.',
          hint: 'If this stays, restart clinic-sync.',
        }),
      );
    // Before anything is read: what changes meanwhile must count as new afterwards.
    const reached = await news();
    wanted = false;
    failpoint('deliveries.before-converge');
    try {
      const mirror = await view();
      const deadlineMs = state.deadlineMs ?? DEADLINE_MS;
      const { outcome, ended } = call({ clock, deadlineMs, signal, doing: 'Writing' }, (bounded) =>
        state.converge(mirror, bounded),
      );
      stuck = true;
      void ended.then(() => {
        stuck = false;
      });
      return await succeeded(await outcome, reached);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return failed(asFailure(error, 'Writing'));
    }
  }

  async function succeeded(converged: Converged, reached: Map<string, number>): Promise<LaneResult> {
    const { written, problems, nextInMs = Number.POSITIVE_INFINITY, unfinished = false } = converged;
    const at = instant(clock.now());
    failpoint('deliveries.converged');
    for (const [clinic, sequence] of unfinished ? [] : reached)
      await store.deliveries.enqueue(cursorName, clinic, sequence, [], at);
    failpoint('deliveries.cursor-moved');
    failures = 0;
    nextAt = clock.monotonic() + Math.min(state.everyMs, nextInMs);
    notBefore = clock.monotonic() + (unfinished ? Math.max(SHORTEST_GAP_MS, nextInMs) : SHORTEST_GAP_MS);
    const healthy = { last_success_at: at, failures: 0, last_error: null };
    await store.deliveries.report(connector, { ...(!beside && healthy), problems: [...problems] });
    const count = Object.values(written).reduce((sum, rows) => sum + rows, 0);
    if (count > 0) log.info('connector brought in step', { connector, count });
    return { ...nothingDone, written, problems };
  }

  async function failed(failure: Failure): Promise<LaneResult> {
    failures += 1;
    wanted = true;
    const { kind, message, retryAfterMs } = failure;
    notBefore =
      clock.monotonic() +
      convergePauseMs(failures, { refused: kind === 'refused', retryAfterMs, random: random() });
    const error = failureSentence(failure);
    log.warn('connector could not be brought in step', { connector, count: failures, problem: message });
    const report = { last_failure_at: instant(clock.now()), last_error: error, failures };
    await store.deliveries.report(connector, beside ? { problems: [error] } : report);
    return { ...nothingDone, failed: 1, error };
  }

  const paused = async () => (await store.deliveries.connector(connector)).paused;

  return {
    want() {
      wanted = true;
    },
    hurry() {
      wanted = true;
      notBefore = 0;
    },
    async tick(signal) {
      if (await paused()) return IDLE_MS;
      const wait = notBefore - clock.monotonic();
      if (wait > 0) return Math.min(wait, IDLE_MS);
      if (wanted || clock.monotonic() >= nextAt || (await news()).size > 0) await converge(signal);
      // What changed while it was brought in step has woken nobody yet.
      const more = wanted || (await news()).size > 0;
      const next = more ? notBefore : Math.max(notBefore, nextAt);
      return Math.max(0, Math.min(IDLE_MS, next - clock.monotonic()));
    },
    runOnce: async (signal) => ((await paused()) ? nothingDone : converge(signal)),
  };
}
