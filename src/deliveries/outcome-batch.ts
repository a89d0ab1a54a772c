import type { Clock } from '../platform/clock.ts';
import type { Attempt } from './pool.ts';

const MOST_TOGETHER = 128;
const OLDEST_MS = 50;

/** Outcomes that wait a moment to be written down together, because an fsync costs more than their rows. */
export interface Gathered {
  readonly size: number;
  /** Enough of them, waiting long enough, or a failure among them, which decides about what may be sent next. */
  readonly ripe: boolean;
  /**
   * Resolves when those that wait have waited long enough; undefined while there are none. A promise that never settles
   * would keep every race it ever took part in.
   */
  readonly aged: Promise<void> | undefined;
  add(attempts: readonly Attempt[]): void;
  take(): Attempt[];
}

export function gather(clock: Clock): Gathered {
  let waiting: Attempt[] = [];
  let ageing = new AbortController();
  let old = false;
  let aged: Promise<void> | undefined;

  return {
    get size() {
      return waiting.length;
    },
    get ripe() {
      return old || waiting.length >= MOST_TOGETHER || waiting.some(({ failure }) => failure !== undefined);
    },
    get aged() {
      return aged;
    },
    add(attempts) {
      if (waiting.length === 0 && attempts.length > 0) {
        ageing = new AbortController();
        aged = clock.sleep(OLDEST_MS, ageing.signal).then(
          () => {
            old = true;
          },
          () => {},
        );
      }
      waiting.push(...attempts);
    },
    take() {
      ageing.abort();
      const taken = waiting;
      waiting = [];
      old = false;
      aged = undefined;
      return taken;
    },
  };
}
