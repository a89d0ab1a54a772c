import type { Clock } from '../../../src/platform/clock.ts';
import { MINUTE } from '../../../src/platform/duration.ts';

/** Rewriting takes at most this share of the time. */
const WRITING_SHARE = 1 / 200;
const LONGEST_WRITING_PAUSE_MS = 2 * MINUTE;
/** Full comparisons, which repair what the change log does not name, take at most this share. */
const COMPARING_SHARE = 1 / 300;
const SHORTEST_COMPARING_PAUSE_MS = MINUTE;

/** Limits how often a file is written and compared, depending on how long each takes. */
export interface Pauses {
  /** Runs and times a rewrite. */
  writing<T>(work: () => Promise<T>): Promise<T>;
  /** Runs and times a full comparison. */
  comparing<T>(work: () => Promise<T>): Promise<T>;
  /** Milliseconds until the next rewrite is allowed; 0 or less for now. */
  waitMs(): number;
  comparisonDue(): boolean;
  /** Wall-clock time and duration (ms) of the last full comparison. */
  readonly compared: Compared | undefined;
  /** Counts a comparison made by an earlier process. */
  resume(compared: Compared): void;
}

export interface Compared {
  at: number;
  tookMs: number;
}

export function createPauses(clock: Clock): Pauses {
  let writeAt = Number.NEGATIVE_INFINITY;
  let compareAt = Number.NEGATIVE_INFINITY;
  let compared: Compared | undefined;
  const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const start = clock.monotonic();
    const result = await work();
    return [result, clock.monotonic() - start];
  };
  const resume = (former: Compared) => {
    compared = former;
    const pauseMs = Math.max(former.tookMs / COMPARING_SHARE, SHORTEST_COMPARING_PAUSE_MS);
    // The wall clock may have been set back since.
    const agoMs = Math.max(0, clock.now() - former.at);
    compareAt = clock.monotonic() + pauseMs - agoMs;
  };
  return {
    async writing(work) {
      const [result, ms] = await timed(work);
      writeAt = clock.monotonic() + Math.min(ms / WRITING_SHARE, LONGEST_WRITING_PAUSE_MS);
      return result;
    },
    async comparing(work) {
      const [result, ms] = await timed(work);
      resume({ at: clock.now(), tookMs: ms });
      return result;
    },
    resume,
    get compared() {
      return compared;
    },
    waitMs: () => writeAt - clock.monotonic(),
    comparisonDue: () => clock.monotonic() >= compareAt,
  };
}
