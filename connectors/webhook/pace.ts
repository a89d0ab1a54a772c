import type { Clock } from '../../src/platform/clock.ts';

/** Waits for this call's turn: at most `perSecond` turns a second, evenly spaced, in the order of asking. */
export type Pace = (signal: AbortSignal) => Promise<void>;

export function pace(clock: Clock, perSecond: number | undefined): Pace {
  if (perSecond === undefined) return async () => {};
  const spacing = 1000 / perSecond;
  let next = 0;
  return async (signal) => {
    const now = clock.monotonic();
    const turn = Math.max(now, next);
    next = turn + spacing;
    await clock.sleep(turn - now, signal);
  };
}
