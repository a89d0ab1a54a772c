/**
 * Milliseconds to wait after the nth failure in a row (1, 2, …): doubling from `first` to `most`, of which the upper
 * half is random, so that what failed together does not come back together. `random` is in [0, 1).
 */
export function backoffMs(
  failures: number,
  random: number,
  { first, most }: { first: number; most: number },
): number {
  const full = Math.min(most, first * 2 ** Math.min(30, Math.max(0, failures - 1)));
  return Math.round(full / 2 + (full / 2) * random);
}
