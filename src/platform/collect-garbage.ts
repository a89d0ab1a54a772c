import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';
import { MINUTE, SECOND } from './duration.ts';

const EVERY_MS = 10 * MINUTE;
/** By then most clinics have been read once. */
const FIRST_MS = 5 * SECOND;
/** While busy, V8 collects by itself. */
const LONGEST_BUSY_MS = 10 * MINUTE;
/** Share of the time since the last look in which the event loop had work. */
const BUSY = 0.5;
/** Bytes in use after the last collection. Above, one of several passes would block for 70 ms instead of 25. */
const THOROUGH_BELOW = 40_000_000;

/**
 * Collects all garbage: once soon after a start, which frees 7 MB that V8 would keep while little happens, and then
 * every ten minutes. V8 collects late while there is room, so resident memory would grow for hours although the heap in
 * use does not. A collection blocks for 25 to 80 ms, so it waits until a first export or a flood of leads is over, ten
 * minutes at most. Ends with the signal.
 */
export async function collectGarbage(
  clock: Clock,
  signal: AbortSignal,
  collect = fully(),
  isBusy = loopIsBusy(),
): Promise<void> {
  let busyMs = 0;
  for (let ms = FIRST_MS; !signal.aborted; ms = busyMs > 0 ? FIRST_MS : EVERY_MS) {
    await clock.sleep(ms, signal).catch(() => {});
    if (signal.aborted) return;
    busyMs = isBusy() && busyMs < LONGEST_BUSY_MS ? busyMs + FIRST_MS : 0;
    if (busyMs === 0) collect();
  }
}

/** Since it was last asked. */
function loopIsBusy(): () => boolean {
  const { eventLoopUtilization } = performance;
  let before = eventLoopUtilization();
  return () => {
    const { utilization } = eventLoopUtilization(before);
    before = eventLoopUtilization();
    return utilization > BUSY;
  };
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
