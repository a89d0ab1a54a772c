import { setImmediate as nextTurn } from 'node:timers/promises';

/** Resolves in a turn of the event loop that no other piece of this line uses. */
export type NextTurn = () => Promise<void>;

/**
 * A line of pieces of work of some milliseconds each: one goes on in each turn of the event loop, so that requests,
 * timers and signals wait for one piece instead of for all of them.
 */
export function createTurns(): NextTurn {
  let line: (() => void)[] = [];
  let served = 0;

  const serve = () => {
    line[served]?.();
    served += 1;
    if (served < line.length) setImmediate(serve);
    else {
      line = [];
      served = 0;
    }
  };

  return () =>
    new Promise((resolve) => {
      line.push(resolve);
      if (line.length === 1) setImmediate(serve);
    });
}

/** Works on all in order; after each `some` of them waiting requests get a turn. */
export async function inTurns<T, R>(all: readonly T[], some: number, work: (one: T) => R): Promise<R[]> {
  const done: R[] = [];
  for (const one of all) {
    if (done.length > 0 && done.length % some === 0) await nextTurn();
    done.push(work(one));
  }
  return done;
}
