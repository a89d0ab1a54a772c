import type { Converged, MirrorView, StateDelivery } from '../connector.ts';
import { noteOfFailure, runReport, saidOf, trouble } from '../domain/texts/problem.ts';
import { instant } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import { failpoint } from '../platform/failpoint.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import { call } from './call.ts';
import { convergePauseMs } from './retry.ts';
import { IDLE_MS, nothingDone, type Worker, type WorkerResult, type WorkerTools } from './worker.ts';

const DEADLINE_MS = 10 * MINUTE;
/** Turns a burst of changes into a few runs. */
const SHORTEST_GAP_MS = 1_000;

interface StateWorkerOptions extends WorkerTools {
  connector: string;
  /** True if the connector also delivers events: its report is about those, and a failed run is one of its problems. */
  beside: boolean;
  clinics: readonly string[];
  state: StateDelivery;
  view: () => Promise<MirrorView>;
}

/** Keeps a connector's files or sheet equal to the mirror. */
export class StateWorker implements Worker {
  readonly #options: StateWorkerOptions;
  readonly #cursorName: string;
  #failures = 0;
  #asked: readonly string[] = [];
  /** Run even if the change log has nothing new. */
  #isWanted = true;
  /** Monotonic times of the next regular run and of the earliest one. */
  #nextAt = 0;
  #notBefore = 0;
  /** A timed-out run has not returned yet. */
  #isStuck = false;

  constructor(options: StateWorkerOptions) {
    this.#options = options;
    this.#cursorName = options.beside ? `${options.connector}:state` : options.connector;
  }

  /** Requests a run, for something the connector noticed. */
  want(): void {
    this.#isWanted = true;
  }

  /** Skips the pause after failures, for a user who says that it works again. */
  hurry(): void {
    this.#isWanted = true;
    this.#notBefore = 0;
  }

  async tick(signal: AbortSignal): Promise<number> {
    const { clock } = this.#options;
    if (await this.#isPaused()) return IDLE_MS;
    const wait = this.#notBefore - clock.monotonic();
    if (wait > 0) return Math.min(wait, IDLE_MS);
    if (this.#isWanted || clock.monotonic() >= this.#nextAt || (await this.#news()).size > 0)
      await this.#converge(signal);
    // Changes during the run did not wake the worker.
    const hasMore = this.#isWanted || (await this.#news()).size > 0;
    const next = hasMore ? this.#notBefore : Math.max(this.#notBefore, this.#nextAt);
    return Math.max(0, Math.min(IDLE_MS, next - clock.monotonic()));
  }

  async runOnce(signal: AbortSignal): Promise<WorkerResult> {
    return (await this.#isPaused()) ? nothingDone : this.#converge(signal);
  }

  async #isPaused(): Promise<boolean> {
    return (await this.#options.store.deliveries.connector(this.#options.connector)).paused;
  }

  /** The end of each clinic's change log, where it is beyond the cursor. */
  async #news(): Promise<Map<string, number>> {
    const { clinics, store } = this.#options;
    const found = new Map<string, number>();
    const positions = await store.deliveries.positions(this.#cursorName);
    for (const clinic of clinics) {
      const known = positions.get(clinic);
      if (known === undefined) found.set(clinic, await store.changes.latest(clinic));
      else if (known.latest !== known.cursor) found.set(clinic, known.latest);
    }
    return found;
  }

  async #converge(signal: AbortSignal): Promise<WorkerResult> {
    const { clock, state, view, observe } = this.#options;
    // The old call may still be writing; two at once would undo each other.
    if (this.#isStuck) return this.#failed(hasNotStopped());
    // Read first: changes during the run must count as new afterwards.
    const reached = await this.#news();
    this.#isWanted = false;
    failpoint('deliveries.before-converge');
    try {
      const mirror = await view();
      const deadlineMs = state.deadlineMs ?? DEADLINE_MS;
      const { outcome, ended } = call({ clock, deadlineMs, signal, doing: 'Writing', observe }, (bounded) =>
        state.converge(mirror, bounded),
      );
      this.#isStuck = true;
      void ended.then(() => {
        this.#isStuck = false;
      });
      return await this.#succeeded(await outcome, reached);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return this.#failed(asFailure(error, 'Writing'));
    }
  }

  async #succeeded(converged: Converged, reached: Map<string, number>): Promise<WorkerResult> {
    const { connector, beside, state, store, clock, log } = this.#options;
    const { written, nextInMs = Infinity, unfinished = false } = converged;
    const at = instant(clock.now());
    const said = runReport(converged.problems, at);
    failpoint('deliveries.converged');
    for (const [clinic, sequence] of unfinished ? [] : reached)
      await store.deliveries.enqueue(this.#cursorName, clinic, sequence, [], at);
    failpoint('deliveries.cursor-moved');
    this.#failures = 0;
    const now = clock.monotonic();
    this.#nextAt = now + Math.min(state.everyMs, nextInMs);
    this.#notBefore = now + (unfinished ? Math.max(SHORTEST_GAP_MS, nextInMs) : SHORTEST_GAP_MS);
    const healthy = { last_success_at: at, failures: 0, last_error: null };
    await (beside
      ? store.deliveries.report(connector, {}, { state: said, 'failed run': runReport([], at) })
      : store.deliveries.report(connector, { ...healthy, ...said }));
    const count = Object.values(written).reduce((sum, rows) => sum + rows, 0);
    if (count > 0) log.info('connector synchronized', { connector, count });
    this.#logNews(said.asks.map(({ sentence }) => sentence));
    return { ...nothingDone, written, problems: said.problems };
  }

  /** Once each, as with a failed run: what needs a person stands in every later report. */
  #logNews(asked: readonly string[]): void {
    const { connector, log } = this.#options;
    for (const problem of asked.filter((one) => !this.#asked.includes(one)))
      log.warn('connector needs a person', { connector, problem });
    this.#asked = asked;
  }

  async #failed(failure: Failure): Promise<WorkerResult> {
    const { connector, beside, state, store, clock, log, random } = this.#options;
    const { kind, message, retryAfterMs } = failure;
    this.#failures += 1;
    this.#isWanted = true;
    const withinMs = state.retryWithinMs;
    const pause = { refused: kind === 'refused', retryAfterMs, withinMs, random: random() };
    this.#notBefore = clock.monotonic() + convergePauseMs(this.#failures, pause);
    const note = noteOfFailure(failure);
    const error = note.sentence;
    const failures = this.#failures;
    // With short pauses, the log would have nothing else for days; the status goes on saying it.
    const isNews = withinMs === undefined || failures <= NEWS;
    log[isNews ? 'warn' : 'debug']('connector could not be synchronized', {
      ...{ connector, count: failures, problem: message },
    });
    const at = instant(clock.now());
    await (beside
      ? store.deliveries.report(
          connector,
          {},
          { 'failed run': runReport([failures > 1 ? trouble(note) : note], at) },
        )
      : store.deliveries.report(connector, {
          ...{ last_failure_at: at, last_error: error, failures },
          said: saidOf([note]),
        }));
    return { ...nothingDone, failed: 1, error };
  }
}

/** Failures in a row that are worth a line. */
const NEWS = 3;

const hasNotStopped = (): Failure =>
  new Failure({
    kind: 'transient',
    message: 'The previous run did not stop when asked.',
    hint: 'If this persists, restart clinic-sync.',
  });
