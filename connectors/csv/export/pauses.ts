import type { Clock } from '../../../src/platform/clock.ts';
import { MINUTE } from '../../../src/platform/duration.ts';

/** Rewriting takes at most this share of the time. */
const WRITING_SHARE = 1 / 200;
const LONGEST_WRITING_PAUSE_MS = 2 * MINUTE;
/** Full comparisons, which repair what the change log does not name, take at most this share. */
const COMPARING_SHARE = 1 / 300;
const SHORTEST_COMPARING_PAUSE_MS = MINUTE;

/** Wall-clock time and duration (ms) of a full comparison. */
export interface Compared {
  at: number;
  tookMs: number;
}

/** Limits how often a file is written and compared, depending on how long each takes. */
export type Pauses = ReturnType<typeof createPauses>;

export function createPauses(clock: Clock) {
  let writeAt = Number.NEGATIVE_INFINITY;
  let compareAt = Number.NEGATIVE_INFINITY;
  let compared: Compared | undefined;
  const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const start = clock.monotonic();
    const result = await work();
    return [result, clock.monotonic() - start];
  };
  /** Counts a comparison made by an earlier process. */
  const resume = (former: Compared) => {
    compared = former;
    const pauseMs = Math.max(former.tookMs / COMPARING_SHARE, SHORTEST_COMPARING_PAUSE_MS);
    // The wall clock may have been set back since.
    const agoMs = Math.max(0, clock.now() - former.at);
    compareAt = clock.monotonic() + pauseMs - agoMs;
  };
  return {
    /** Runs and times a rewrite. */
    async writing<T>(work: () => Promise<T>): Promise<T> {
      const [result, ms] = await timed(work);
      writeAt = clock.monotonic() + Math.min(ms / WRITING_SHARE, LONGEST_WRITING_PAUSE_MS);
      return result;
    },
    /** Runs and times a full comparison. */
    async comparing<T>(work: () => Promise<T>): Promise<T> {
      const [result, ms] = await timed(work);
      resume({ at: clock.now(), tookMs: ms });
      return result;
    },
    resume,
    /** The last full comparison. */
    get compared() {
      return compared;
    },
    /** Milliseconds until the next rewrite is allowed; 0 or less for now. */
    waitMs: () => writeAt - clock.monotonic(),
    comparisonDue: () => clock.monotonic() >= compareAt,
  };
}
