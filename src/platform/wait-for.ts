import type { Clock } from './clock.ts';

/** The promise, or a rejection with the signal's reason once it aborts. Does not cancel the underlying work. */
export function waitFor<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      promise.catch(() => {});
      return reject(signal.reason);
    }
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** The work's result, or that of `late` once `ms` have passed. Does not stop the work. */
export async function within<T>(
  { clock, ms, late }: { clock: Pick<Clock, 'sleep'>; ms: number; late: () => T },
  work: Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const tooLate = clock.sleep(ms, done.signal).then(late);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    tooLate.catch(() => {});
    done.abort();
  }
}
