import type { Clock } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import type { Holding, holdings } from './holding.ts';

/** So many units begin at once. */
const STARTS = 8;
/** A unit that could not start is left to others for so long. */
const RETRY_MS = 10_000;

interface LineOptions {
  held: ReturnType<typeof holdings>;
  /** Until when, by the monotonic clock, a unit is left to others. */
  resting: Map<string, number>;
  clock: Clock;
  log: Log;
}

/**
 * Begins units, some at a time. Nobody waits for it: a thousand clinics take a while, in which other members may come that
 * want their share.
 */
export function startLine({ held, resting, clock, log }: LineOptions) {
  const line = new Set<Holding>();
  const working = new Set<Promise<void>>();

  const begin = async (one: Holding): Promise<void> => {
    try {
      await one.start();
    } catch (error) {
      if (one.hasEnded) return;
      const { unit, kind } = one.unit;
      const problem = asFailure(error, 'Starting').message;
      log.warn('a part of the work could not begin', { kind, path: unit, problem });
      resting.set(unit, clock.monotonic() + RETRY_MS);
      // What could not be given back is free for its owner.
      await held.giveBack([one]).catch(() => {});
    }
  };
  const work = async (): Promise<void> => {
    for (const one of line) {
      line.delete(one);
      await begin(one);
    }
  };

  return {
    isWaiting: (one: Holding): boolean => line.has(one),
    add(some: readonly Holding[]): void {
      for (const one of some) line.add(one);
      while (working.size < STARTS && line.size > 0) {
        const worker: Promise<void> = work().finally(() => working.delete(worker));
        working.add(worker);
      }
    },
    /** Resolves once nothing waits. */
    async idle(): Promise<void> {
      while (working.size > 0) await Promise.all(working);
    },
  };
}
