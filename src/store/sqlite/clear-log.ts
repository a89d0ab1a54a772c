import type { Clock } from '../../platform/clock.ts';

const TRIES = 20;
const PAUSE_MS = 250;

/**
 * Empties the write-ahead log: what was overwritten is still in it until it has been copied into the file, where it is
 * overwritten too. Tried for five seconds; false when another process kept reading from it all the time.
 */
export async function clearLog(
  run: (statement: string) => Promise<Record<string, unknown>[]>,
  clock: Clock,
): Promise<boolean> {
  for (let n = 0; n < TRIES; n += 1) {
    const [cleared] = await run('pragma wal_checkpoint(truncate)');
    if (cleared?.busy === 0) return true;
    await clock.sleep(PAUSE_MS, new AbortController().signal);
  }
  return false;
}
