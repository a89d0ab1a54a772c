import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';
import { MINUTE, SECOND } from './duration.ts';

const EVERY_MS = 10 * MINUTE;
/** By then most clinics have been read once. */
const FIRST_MS = 5 * SECOND;
/** Bytes in use after the last collection. Above, one of several passes would block for 70 ms instead of 25. */
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
  return collector(runInNewContext('gc') as NodeJS.GCFunction, () => process.memoryUsage().heapUsed);
}

/** One collection per call: thorough where the last one left little in use, so that it does not block for long. */
export function collector(
  gc: (options: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => unknown,
  bytesInUse: () => number,
): () => void {
  let kept: number | undefined;
  return () => {
    // What was kept last time, not what is in use now: that includes garbage, whose pages one pass does not give back.
    const thorough = (kept ?? bytesInUse()) < THOROUGH_BELOW;
    gc({ type: 'major', execution: 'sync', flavor: thorough ? 'last-resort' : 'regular' });
    kept = bytesInUse();
  };
}
