import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';
import { MINUTE, SECOND } from './duration.ts';

const EVERY_MS = 10 * MINUTE;
/** After the first fill of most clinics. */
const FIRST_MS = 5 * SECOND;
/** In bytes. From here on a thorough collection, of several passes, would stop the program for 70 ms instead of 25. */
const THOROUGH_BELOW = 40_000_000;

/**
 * Collects all garbage: once soon after a start, which leaves 7 MB that V8 would keep for as long as little happens, and
 * then every ten minutes. V8 collects late while there is room, so resident memory would grow for hours although the heap
 * in use does not. A collection stops the program for some 25 ms. Ends with the signal.
 */
export async function collectGarbage(clock: Clock, signal: AbortSignal, collect = fully()): Promise<void> {
  for (let ms = FIRST_MS; !signal.aborted; ms = EVERY_MS) {
    await clock.sleep(ms, signal).catch(() => {});
    if (!signal.aborted) collect();
  }
}

/** Node's own `gc`, which a flag shows to contexts that begin after it is set. */
function fully(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  return () => {
    const flavor = process.memoryUsage().heapUsed < THOROUGH_BELOW ? 'last-resort' : 'regular';
    gc({ type: 'major', execution: 'sync', flavor });
  };
}
