/** One connection shared by reads and one transaction at a time, first come, first served. */
interface AccessQueue<Asker extends object> {
  /**
   * Runs the work of `asker`: at once if no one else has a transaction open, else in turn. Resolves or rejects with its
   * result.
   */
  run<T>(asker: Asker, work: () => T): Promise<T>;
  /** Resolves when the connection belongs to this asker alone, until it calls `leave`. */
  enter(asker: Asker): Promise<void>;
  /** No effect for an asker that has not entered. */
  leave(asker: Asker): void;
}

/** Milliseconds of database work per turn of the event loop, before requests and timers are served. */
const BUDGET_MS = 10;

/**
 * All database work is synchronous, and its callers continue in a microtask. A thousand of them would keep requests,
 * signals and timers waiting, so work beyond the budget of a turn is postponed to the next one.
 */
export function createAccessQueue<Asker extends object>(): AccessQueue<Asker> {
  let owner: Asker | undefined;
  /** The owner's own work, which overtakes all other. */
  let own: (() => void)[] = [];
  let line: (() => void)[] = [];
  let served = 0;
  let spentMs = 0;
  let isTurnCounted = false;

  const isFree = () => owner === undefined && served === line.length && !isSpent();
  const isSpent = () => spentMs >= BUDGET_MS;
  const nextTurn = () => {
    isTurnCounted = false;
    spentMs = 0;
    serve();
  };

  const timed = <T>(work: () => T): T => {
    const began = performance.now();
    try {
      return work();
    } finally {
      spentMs += performance.now() - began;
      if (!isTurnCounted) {
        isTurnCounted = true;
        setImmediate(nextTurn);
      }
    }
  };

  /** Works until the budget is used up or someone enters. */
  function serve(): void {
    const first = own;
    own = [];
    for (const work of first) work();
    while (owner === undefined && served < line.length && !isSpent()) {
      served += 1;
      line[served - 1]?.();
    }
    if (served < line.length / 2) return;
    line = line.slice(served);
    served = 0;
  }

  return {
    run(asker, work) {
      return new Promise((resolve, reject) => {
        const attempt = () => {
          try {
            resolve(timed(work));
          } catch (error) {
            reject(error);
          }
        };
        const isOwn = owner === asker;
        if (isOwn ? !isSpent() : isFree()) attempt();
        else (isOwn ? own : line).push(attempt);
      });
    },
    enter(asker) {
      return new Promise((resolve) => {
        const take = () => {
          owner = asker;
          resolve();
        };
        if (isFree()) take();
        else line.push(take);
      });
    },
    leave(asker) {
      if (owner !== asker) return;
      owner = undefined;
      serve();
    },
  };
}
