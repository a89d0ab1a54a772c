import type { Clock } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import type { FleetVerbs } from '../store/ports/fleet.ts';
import type { Holding, holdings } from './holding.ts';

/** Units starting at the same time. */
const STARTS = 8;
/** For how long a unit that failed to start is left to other members. */
const RETRY_MS = 10_000;

interface LineOptions {
  /** The member's. */
  id: string;
  verbs: Pick<FleetVerbs, 'noteStart'>;
  held: ReturnType<typeof holdings>;
  /** Until when a unit is left to others, on the monotonic clock. */
  resting: Map<string, number>;
  clock: Clock;
  log: Log;
}

/**
 * Starts units, a few at a time. Not awaited: a thousand clinics take a while, and meanwhile new members may claim
 * their share.
 */
export function startLine({ id, verbs, held, resting, clock, log }: LineOptions) {
  const line = new Set<Holding>();
  const working = new Set<Promise<void>>();

  /** What the members tell of it is late then, and nothing else. */
  const note = (unit: string, problem?: string) =>
    verbs.noteStart(id, unit, problem).catch((error) => {
      log.warn('how a unit started could not be stored', {
        path: unit,
        problem: asFailure(error, 'Storing').message,
      });
    });

  const begin = async (one: Holding): Promise<void> => {
    try {
      await one.start();
    } catch (error) {
      if (one.hasEnded) return;
      const { unit, kind } = one.unit;
      const problem = asFailure(error, 'Starting').message;
      log.warn('a unit could not start', { kind, path: unit, problem });
      resting.set(unit, clock.monotonic() + RETRY_MS);
      // Each attempt is a new tenure, in which nothing seems wrong yet.
      await note(unit, problem);
      // If it cannot be given back, it is free once its owner's time is over.
      await held.giveBack([one]).catch(() => {});
      return;
    }
    // It runs, whether or not this can be stored.
    if (one.isFailing && !one.hasEnded) await note(one.unit.unit);
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
    /** Resolves once no unit waits to start. */
    async idle(): Promise<void> {
      while (working.size > 0) await Promise.all(working);
    },
  };
}
