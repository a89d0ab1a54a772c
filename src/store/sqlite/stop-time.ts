import type { Clock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';

/** Supervisors kill ten seconds after they asked for the stop. */
const LONGEST_STOP_MS = 9_500;
/** A signal that is heard so soon after a sync may have been sent at its beginning. */
const SOON_MS = 1_000;

/** The time that a stop leaves for the disk. Without a stop, all there is. */
export interface StopTime {
  /** Whether so many syncs still fit in, if they take as long as the last one. */
  fits(syncs: number): boolean;
  /** Runs what syncs the disk once. */
  timed<T>(work: () => T): T;
}

export const unhurried: StopTime = { fits: () => true, timed: (work) => work() };

/** Counts from the moment the signal aborts, or from the beginning of the sync that kept it from being heard. */
export function stopTime(clock: Pick<Clock, 'monotonic'>, signal: AbortSignal): StopTime {
  let last: { began: number; ended: number } | undefined;
  let asked: number | undefined;
  const ask = () => {
    const now = clock.monotonic();
    asked = last !== undefined && now - last.ended < SOON_MS ? last.began : now;
  };
  const syncMs = () => (last === undefined ? 0 : last.ended - last.began);
  if (signal.aborted) ask();
  else signal.addEventListener('abort', ask, { once: true });

  return {
    fits: (syncs) => asked === undefined || clock.monotonic() + syncs * syncMs() < asked + LONGEST_STOP_MS,
    timed(work) {
      const began = clock.monotonic();
      try {
        return work();
      } finally {
        last = { began, ended: clock.monotonic() };
      }
    },
  };
}

/** What is refused here would be lost by a kill as well, and nobody was told that it is stored. */
export const noTimeLeft = () =>
  new Failure({ kind: 'transient', message: 'clinic-sync is stopping, and the disk is too slow for more.' });
