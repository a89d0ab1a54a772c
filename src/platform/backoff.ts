/** Range of the random share of a wait, so that clients that failed together do not all return together. */
type Jitter = readonly [least: number, most: number];

export interface Backoff {
  /** Wait after the first failure; milliseconds. */
  floor: number;
  /** Longest wait; milliseconds. */
  cap: number;
  /** Omitted: no jitter. */
  jitter?: Jitter;
}

/** Never sooner than the wait, up to a fifth later. */
export const FIFTH_LATER: Jitter = [1, 1.2];
/** The upper half of the wait is random. */
export const UPPER_HALF: Jitter = [0.5, 1];

/**
 * Milliseconds to wait after `failures` in a row (1, 2, …): doubles from `floor` to `cap`. `random` is in [0, 1). Pure.
 *
 *     const policy = { floor: 5_000, cap: 60_000 };
 *     [1, 2, 3, 4, 5].map((n) => backoffMs(n, policy)); // 5 s, 10 s, 20 s, 40 s, 60 s
 *     backoffMs(2, { ...policy, jitter: UPPER_HALF }, Math.random()); // 5 s to 10 s
 */
export function backoffMs(failures: number, { floor, cap, jitter }: Backoff, random = 0): number {
  // 2 ** 1,024 is Infinity; with a floor of 0 that would be NaN.
  const doublings = Math.min(30, Math.max(0, failures - 1));
  const wait = Math.min(cap, floor * 2 ** doublings);
  return jitter === undefined ? wait : jittered(wait, jitter, random);
}

/** `jittered(1_000, FIFTH_LATER, 0.5)` is 1,100: spreads a given wait, such as a `Retry-After`, like a backoff. */
export const jittered = (ms: number, [least, most]: Jitter, random: number): number =>
  Math.round(ms * (least + (most - least) * random));
