import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';

/** One connector's own road: nothing on it waits for another connector. */
export interface Worker {
  /** Does what is due now; resolves to the milliseconds until there may be more. Does not throw for the connector's faults. */
  tick(signal: AbortSignal): Promise<number>;
  /** Does all that can be done now, due or not, and says how it went. */
  runOnce(signal: AbortSignal): Promise<WorkerResult>;
}

export interface WorkerResult {
  delivered: number;
  failed: number;
  written: Record<string, number>;
  problems: string[];
  error: string | null;
}

export const nothingDone: WorkerResult = { delivered: 0, failed: 0, written: {}, problems: [], error: null };

export interface WorkerTools {
  store: Store;
  clock: Clock;
  log: Log;
  /** 0 ≤ x < 1, for jitter. */
  random: () => number;
}

/** How long a worker sleeps at most: another process may have paused it, or released a delivery. */
export const IDLE_MS = 15_000;

/** Runs one piece of work at a time, in the order of asking. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function turns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
}
