import type { Clock } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';

/** What a connector may still finish after it was told to stop. */
const GRACE_MS = 2_000;

/** One for all calls: an abort without a reason creates an error with an unused stack each time. */
const returned = new Error('the call returned');

interface CallOptions {
  clock: Clock;
  deadlineMs: number;
  signal: AbortSignal;
  /** For the message when time is up. */
  doing: string;
}

export interface Call<T> {
  /**
   * What the call came to, within the deadline: at the deadline it rejects with a transient Failure, and soon after
   * `signal` aborts with its reason, whether or not the connector reacts.
   */
  outcome: Promise<T>;
  /** Resolves when the connector has really returned; never, if it hangs. What it was working on stays its own till then. */
  ended: Promise<void>;
}

/** Calls a connector's code: it may throw at once, ignore its signal, or never return. */
export function call<T>(options: CallOptions, work: (signal: AbortSignal) => Promise<T>): Call<T> {
  const { clock, deadlineMs, signal, doing } = options;
  const late = new AbortController();
  const over = new AbortController();
  const either = AbortSignal.any([signal, late.signal]);
  const working = Promise.resolve().then(() => work(either));

  const timeUp = async (): Promise<never> => {
    const abortable = AbortSignal.any([signal, over.signal]);
    await clock.sleep(deadlineMs, abortable).catch(() => {});
    if (!signal.aborted && !over.signal.aborted) {
      const failure = new Failure({
        kind: 'transient',
        message: `${doing} did not end within ${Math.round(deadlineMs / 1000)} s.`,
        hint: 'It is given up and tried again; if this stays, look at what it connects to.',
      });
      late.abort(failure);
      throw failure;
    }
    if (!over.signal.aborted) await clock.sleep(GRACE_MS, over.signal).catch(() => {});
    throw signal.reason;
  };

  const outcome = Promise.race([working, timeUp()]).finally(() => over.abort(returned));
  const ended = working.then(
    () => {},
    () => {},
  );
  return { outcome, ended };
}
