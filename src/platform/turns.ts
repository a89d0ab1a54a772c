import { setImmediate as nextTurn } from 'node:timers/promises';

/** Resolves in a turn of the event loop reserved for the caller. */
export type NextTurn = () => Promise<void>;

/**
 * A queue of tasks of a few milliseconds each: one proceeds per turn of the event loop, so that requests, timers and
 * signals wait for one of them instead of all.
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

/** Maps `all` in order, giving other work a turn after every `some` of them. */
export async function inTurns<T, R>(all: readonly T[], some: number, work: (one: T) => R): Promise<R[]> {
  const done: R[] = [];
  for (const one of all) {
    if (done.length > 0 && done.length % some === 0) await nextTurn();
    done.push(work(one));
  }
  return done;
}
