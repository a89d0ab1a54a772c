import type { Clock } from '../../../src/model/clock.ts';

/** A large file is not rewritten more often than costs this share of the time. */
const WRITING_SHARE = 1 / 200;
const LONGEST_WRITING_PAUSE_MS = 2 * 60_000;
/** The same for comparing every row, which heals what the change log does not name. */
const COMPARING_SHARE = 1 / 300;
const SHORTEST_COMPARING_PAUSE_MS = 60_000;

/** How often a file may be written and compared, from how long it took. */
export interface Pauses {
  /** Runs and times a rewrite of what changed. */
  writing<T>(work: () => Promise<T>): Promise<T>;
  /** Runs and times a comparison of everything. */
  comparing<T>(work: () => Promise<T>): Promise<T>;
  /** Milliseconds until the next rewrite may begin; 0 or less: now. */
  waitMs(): number;
  comparisonDue(): boolean;
}

export function createPauses(clock: Clock): Pauses {
  let writeAt = Number.NEGATIVE_INFINITY;
  let compareAt = Number.NEGATIVE_INFINITY;
  const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const start = clock.monotonic();
    const result = await work();
    return [result, clock.monotonic() - start];
  };
  return {
    async writing(work) {
      const [result, ms] = await timed(work);
      writeAt = clock.monotonic() + Math.min(ms / WRITING_SHARE, LONGEST_WRITING_PAUSE_MS);
      return result;
    },
    async comparing(work) {
      const [result, ms] = await timed(work);
      compareAt = clock.monotonic() + Math.max(ms / COMPARING_SHARE, SHORTEST_COMPARING_PAUSE_MS);
      return result;
    },
    waitMs: () => writeAt - clock.monotonic(),
    comparisonDue: () => clock.monotonic() >= compareAt,
  };
}
