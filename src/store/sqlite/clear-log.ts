import type { Clock } from '../../platform/clock.ts';

const TRIES = 20;
const PAUSE_MS = 250;

/**
 * Empties the write-ahead log, which keeps overwritten data until it is copied into the file. Retries for five seconds;
 * false if a reader blocked it all that time.
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
