import { hash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => hash('sha256', text, 'buffer');
/** Cached: most calls compare with the same secret. */
let last = { secret: '', digest: digest('') };

/** Compares in constant time, even when the lengths differ. */
export function sameSecret(given: string, expected: string): boolean {
  if (last.secret !== expected) last = { secret: expected, digest: digest(expected) };
  return timingSafeEqual(digest(given), last.digest);
}
