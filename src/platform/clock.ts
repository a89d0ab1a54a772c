import { uptime } from 'node:os';

/** The only source of time, so that tests can replace it; nothing else may read the system's clocks. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. May jump; never measure a duration with it. */
  now(): number;
  /** Monotonic milliseconds since an arbitrary start. For durations and watchdogs. */
  monotonic(): number;
  /** Milliseconds since boot. Where the system supports it, includes time suspended; cannot be set. */
  uptime(): number;
  /**
   * Resolves after `ms` milliseconds (at once for 0 or less). Rejects with the signal's reason as soon as it aborts, or
   * if it already has.
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** `2026-03-02 09:30 UTC`, for people. */
export const minuteOf = (at: Instant): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

/** setTimeout fires at once above 2^31-1 ms, so longer waits are split. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1_000,
  async sleep(ms, signal) {
    signal.throwIfAborted();
    for (let left = ms; left > 0; left -= LONGEST_TIMER_MS) {
      await timer(Math.min(left, LONGEST_TIMER_MS), signal);
      signal.throwIfAborted();
    }
  },
};

/** Not node:timers/promises, which creates an error per abort; most waits end with an abort. */
const timer = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(running);
      reject(signal.reason);
    };
    const running = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });

/** An instant as stored: UTC, ISO 8601, milliseconds, `Z`. */
export type Instant = string;

export function instant(ms: number): Instant {
  const known = recent.get(ms);
  if (known !== undefined) return known;
  const text = new Date(ms).toISOString();
  if (recent.size >= MOST_RECENT) recent.clear();
  recent.set(ms, text);
  return text;
}

/** Each lead asks a dozen times for a few moments around its arrival, which others of its turn share. */
const recent = new Map<number, Instant>();
const MOST_RECENT = 256;
export const toMs = (at: Instant): number => Date.parse(at);
