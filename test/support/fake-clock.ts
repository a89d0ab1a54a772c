import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/platform/clock.ts';

interface Sleeper {
  due: number;
  wake: () => void;
}

/** Time that moves only when the test says so. */
export interface FakeClock extends Clock {
  /** Moves both clocks forward, waking sleepers in order and letting what they start run in between. */
  advance(ms: number): Promise<void>;
  /** Moves the wall clock alone, as an administrator or a daylight-saving bug would. */
  jump(ms: number): void;
  /** The machine is suspended for so long: no timer runs meanwhile. */
  suspend(ms: number): void;
  /** How many are asleep. */
  readonly sleeping: number;
}

/** Lets promise chains and finished I/O run. */
export async function settle(turns = 10): Promise<void> {
  for (let i = 0; i < turns; i += 1) await turn();
}

export function fakeClock(start = '2026-03-02T09:00:00Z'): FakeClock {
  let wall = Date.parse(start);
  let monotonic = 0;
  let suspended = 0;
  const sleepers = new Set<Sleeper>();

  const pass = (ms: number) => {
    wall += ms;
    monotonic += ms;
  };

  return {
    now: () => wall,
    monotonic: () => monotonic,
    uptime: () => monotonic + suspended,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (ms <= 0) return resolve();
        const abort = () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        };
        const sleeper: Sleeper = {
          due: monotonic + ms,
          wake() {
            sleepers.delete(sleeper);
            signal.removeEventListener('abort', abort);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal.addEventListener('abort', abort, { once: true });
      });
    },
    async advance(ms) {
      const target = monotonic + ms;
      await settle();
      for (;;) {
        const next = [...sleepers].sort((a, b) => a.due - b.due)[0];
        if (next === undefined || next.due > target) break;
        pass(Math.max(0, next.due - monotonic));
        next.wake();
        await settle();
      }
      pass(target - monotonic);
      await settle();
    },
    jump(ms) {
      wall += ms;
    },
    suspend(ms) {
      wall += ms;
      suspended += ms;
    },
    get sleeping() {
      return sleepers.size;
    },
  };
}
