import type { Clock } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { startLoop } from '../platform/loop.ts';
import type { Store } from '../store/store.ts';

const LOOK_EVERY_MS = 30_000;

interface WatchOptions {
  store: Pick<Store, 'health' | 'checkIntegrity'>;
  clock: Clock;
  log: Log;
}

/**
 * Checks every page of a database file once after the start, and every 30 s whether it can be written. Logs the result
 * and makes it part of every later health answer.
 */
export function watchDatabase({ store, clock, log }: WatchOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let problem: string | null = null;
  const check = async () => {
    const from = clock.monotonic();
    try {
      if (store.checkIntegrity === undefined) return;
      const damage = await store.checkIntegrity(signal);
      const ms = Math.round(clock.monotonic() - from);
      if (damage === undefined) log.info('every page of the database is sound', { ms });
      else log.error('the database is damaged', { problem: damage.message, hint: damage.hint ?? '' });
    } catch (error) {
      if (signal.aborted) return;
      log.warn('the database could not be checked', { problem: asFailure(error, 'The check').message });
    }
  };
  const checking = check();
  const looking = startLoop({
    clock,
    log,
    name: 'database watch',
    async tick() {
      const found = (await store.health()).problem;
      if (found !== null && problem === null) log.error('the database does not work', { problem: found });
      if (found === null && problem !== null) log.info('the database works again');
      problem = found;
      return LOOK_EVERY_MS;
    },
  });
  return {
    async stop() {
      stopping.abort(new Error('stopping'));
      await Promise.all([checking, looking.stop()]);
    },
  };
}
