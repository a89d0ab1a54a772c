import { MINUTE } from '../../platform/duration.ts';

/** Intervals for which unused calls are saved; the first round starts with this many. */
const SAVED_INTERVALS = 3;

/** How many status reads a round may make. */
export class ReadBudget {
  readonly #interval: number;
  #credit = 0;
  #creditedAt: number | undefined;

  /** `interval`: milliseconds between two rounds. */
  constructor(interval: number) {
    this.#interval = interval;
  }

  /** Reads this round may make, earned by the time since the last one. `now` is monotonic. */
  allowance(perMinute: number, now: number): number {
    const interval = this.#interval;
    const elapsed = this.#creditedAt === undefined ? SAVED_INTERVALS * interval : now - this.#creditedAt;
    this.#creditedAt = now;
    const most = Math.max(1, (perMinute * SAVED_INTERVALS * interval) / MINUTE);
    this.#credit = Math.min(most, this.#credit + (perMinute * elapsed) / MINUTE);
    return Math.floor(this.#credit + 1e-9);
  }

  spend(): void {
    this.#credit = Math.max(0, this.#credit - 1);
  }
}
