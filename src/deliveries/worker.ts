import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import type { ObserveCall } from './call.ts';

/** Work of one connector; never waits for another one. */
export interface Worker {
  /** Does what is due; resolves to the milliseconds until the next tick. Does not throw for the connector's faults. */
  tick(signal: AbortSignal): Promise<number>;
  /** Does everything that waits, due or not. */
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
  observe?: ObserveCall | undefined;
  store: Store;
  clock: Clock;
  log: Log;
  /** 0 ≤ x < 1, for jitter. */
  random: () => number;
}

/** Longest sleep: another process may have paused the connector or released a delivery. */
export const IDLE_MS = 15_000;
