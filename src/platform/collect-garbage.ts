import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';
import { MINUTE, SECOND } from './duration.ts';

const EVERY_MS = 10 * MINUTE;
/** By then most clinics have been read once. */
const FIRST_MS = 5 * SECOND;
/** Bytes. Above this size, a thorough collection of several passes would block for 70 ms instead of 25. */
const THOROUGH_BELOW = 40_000_000;

/**
 * Collects all garbage: once soon after a start, which frees 7 MB that V8 would keep while little happens, and then
 * every ten minutes. V8 collects late while there is room, so resident memory would grow for hours although the heap in
 * use does not. A collection blocks for some 25 ms. Ends with the signal.
 */
export async function collectGarbage(clock: Clock, signal: AbortSignal, collect = fully()): Promise<void> {
  for (let ms = FIRST_MS; !signal.aborted; ms = EVERY_MS) {
    await clock.sleep(ms, signal).catch(() => {});
    if (!signal.aborted) collect();
  }
}

/** Node's own `gc`, which the flag exposes only to contexts created after it is set. */
function fully(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  return () => {
    const flavor = process.memoryUsage().heapUsed < THOROUGH_BELOW ? 'last-resort' : 'regular';
    gc({ type: 'major', execution: 'sync', flavor });
  };
}
