import type { Clock } from '../platform/clock.ts';
import { asFailure, Failure, type FailureKind } from '../platform/failure.ts';

/** Time a connector has to finish once asked to stop. */
const GRACE_MS = 2_000;

/** Shared by all calls: aborting without a reason creates an error with a stack each time. */
const returned = new Error('the call returned');

/** Hears how each call ended that was not aborted, and after how many milliseconds. */
export type ObserveCall = (outcome: 'done' | FailureKind, ms: number) => void;

interface CallOptions {
  clock: Clock;
  observe?: ObserveCall | undefined;
  deadlineMs: number;
  signal: AbortSignal;
  doing: string;
}

interface DeliveryCall<T> {
  /**
   * The result. Rejects with a transient Failure at the deadline, and with the signal's reason soon after it aborts,
   * whether or not the connector reacts.
   */
  outcome: Promise<T>;
  /** Resolves when the connector has really returned; never, if it hangs. Until then nothing else may do its work. */
  ended: Promise<void>;
}

/** Calls a connector's code, which may throw at once, ignore its signal or never return. */
export function call<T>(options: CallOptions, work: (signal: AbortSignal) => Promise<T>): DeliveryCall<T> {
  const { clock, deadlineMs, signal, doing, observe } = options;
  const startedAt = clock.monotonic();
  // Not AbortSignal.any: with thousands of calls it costs more than the rest of their work.
  const bounded = new AbortController();
  const over = new AbortController();
  const working = Promise.resolve().then(() => work(bounded.signal));
  const { promise, resolve, reject } = Promise.withResolvers<T>();

  const stop = () => {
    bounded.abort(signal.reason);
    clock.sleep(GRACE_MS, over.signal).then(
      () => reject(signal.reason),
      () => {},
    );
  };
  const giveUp = () => {
    if (signal.aborted) return;
    const failure = new Failure({
      kind: 'transient',
      message: `${doing} did not end within ${Math.round(deadlineMs / 1000)} s.`,
      hint: 'The call was aborted and will be retried; if this persists, check what it connects to.',
    });
    bounded.abort(failure);
    reject(failure);
  };
  working.then(resolve, reject);
  clock.sleep(deadlineMs, over.signal).then(giveUp, () => {});
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });

  const outcome = promise.finally(() => {
    signal.removeEventListener('abort', stop);
    over.abort(returned);
  });
  if (observe !== undefined) {
    const ended = (end: 'done' | FailureKind) => observe(end, clock.monotonic() - startedAt);
    outcome.then(
      () => ended('done'),
      (error: unknown) => {
        if (!signal.aborted) ended(asFailure(error, doing).kind);
      },
    );
  }
  const ended = working.then(
    () => {},
    () => {},
  );
  return { outcome, ended };
}
