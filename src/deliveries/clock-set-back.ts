import { type Clock, type Instant, toMs } from '../platform/clock.ts';

/** Below this a clock is being adjusted, not set. */
const TOLERANCE_MS = 1_000;

/**
 * Tells, once each time, that the wall clock was set back: waits that were written down as wall-clock times would then
 * last longer than anybody meant. While running it is seen by the monotonic clock; after a start by what was stored
 * with a time that is still to come.
 */
export function createSetBack(clock: Clock): (stored?: readonly (Instant | null | undefined)[]) => boolean {
  let ahead = clock.now() - clock.monotonic();
  let first = true;
  return (stored = []) => {
    const now = clock.now() - clock.monotonic();
    const future = first && stored.some((at) => at && toMs(at) > clock.now() + TOLERANCE_MS);
    const setBack = now < ahead - TOLERANCE_MS;
    ahead = now;
    first = false;
    return future || setBack;
  };
}
