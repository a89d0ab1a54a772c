import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';
import { MINUTE } from './duration.ts';

const EVERY_MS = 10 * MINUTE;

/**
 * Has V8 give back memory that it would keep for as long as there is some: resident memory then stays where it was in the
 * first minutes, instead of growing for hours to half as much again of the heap in use. With 40 MB in use a collection
 * keeps the program for some 50 ms. Ends with the signal.
 */
export async function collectGarbage(clock: Clock, signal: AbortSignal, collect = fully()): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(EVERY_MS, signal).catch(() => {});
    if (!signal.aborted) collect();
  }
}

/** Node's own `gc`, which a flag shows to contexts that begin after it is set. */
function fully(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  return () => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
