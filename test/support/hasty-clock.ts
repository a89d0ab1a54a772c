import { type Clock, systemClock } from '../../src/platform/clock.ts';

/**
 * Real time that passes so many times as fast, from now on: for what waits by design before it does something, in a process
 * whose sockets and files are real. What waits for the other end of a socket has so much less time, too.
 */
export function hastyClock(times: number): Clock {
  const hasty = (read: () => number) => {
    const from = read();
    return () => from + (read() - from) * times;
  };
  return {
    now: hasty(systemClock.now),
    monotonic: hasty(systemClock.monotonic),
    uptime: hasty(systemClock.uptime),
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  };
}
