import type { Clock } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';

/** Time a connector has to finish after it was asked to stop. */
const GRACE_MS = 2_000;

/** Shared by all calls: aborting without a reason would create an error with a stack each time. */
const returned = new Error('the call returned');

interface CallOptions {
  clock: Clock;
  deadlineMs: number;
  signal: AbortSignal;
  doing: string;
}

export interface Call<T> {
  /**
   * The result. Rejects with a transient Failure at the deadline, and with the signal's reason soon after it aborts,
   * whether or not the connector reacts.
   */
  outcome: Promise<T>;
  /** Resolves when the connector has really returned; never, if it hangs. Nobody else may do its work until then. */
  ended: Promise<void>;
}

/** Calls a connector's code, which may throw at once, ignore its signal or never return. */
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
