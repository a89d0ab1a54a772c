/** One connection shared by reads and one transaction at a time: first come, first served. */
export interface AccessQueue<Asker extends object> {
  /**
   * Runs the work of `asker`: at once when no one else's transaction is open, else in its turn. Resolves to what it
   * returns and rejects with what it throws.
   */
  run<T>(asker: Asker, work: () => T): Promise<T>;
  /** Resolves when the connection is this asker's alone; to be given back with `leave`. */
  enter(asker: Asker): Promise<void>;
  /** Nothing for an asker that has not entered. */
  leave(asker: Asker): void;
}

/** Work on the database in one turn of the event loop, milliseconds, before requests and timers get theirs. */
const BUDGET_MS = 10;

/**
 * Everything in the database happens synchronously, and whoever waits for it goes on in a microtask. A thousand of them
 * would keep requests, signals and timers waiting, so work beyond the budget of a turn is done in the next one.
 */
export function createAccessQueue<Asker extends object>(): AccessQueue<Asker> {
  let owner: Asker | undefined;
  /** The owner's own work, which overtakes the rest. */
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

  /** As far as the budget goes, and until someone enters. */
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
