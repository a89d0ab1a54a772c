import type { Clock } from './clock.ts';
import { asFailure } from './failure.ts';
import type { Log } from './log.ts';

/** A tick that runs again and again until it is stopped. Ticks never overlap. */
export interface Loop {
  /** Runs the next tick now (or right after the one in progress). */
  wake(): void;
  /** Lets an in-progress tick finish (its signal is aborted), starts no other, then resolves. Idempotent. */
  stop(): Promise<void>;
}

interface LoopOptions {
  clock: Clock;
  log: Log;
  /** For log lines. */
  name: string;
  /** Does the work and returns the milliseconds until it should run again. */
  tick: (signal: AbortSignal) => Promise<number>;
  /** Pause after a tick that threw. */
  afterErrorMs?: number;
}

/** Made once: a default reason would be a new error, with its stack, for every wake. */
const woken = new Error('woken');

export function startLoop({ clock, log, name, tick, afterErrorMs = 5_000 }: LoopOptions): Loop {
  const stopping = new AbortController();
  /** Of the pause under way. Not `AbortSignal.any` with the other: thousands of loops sleep at once, for years. */
  let waking: AbortController | undefined;
  let wanted = false;

  const pause = async (ms: number) => {
    if (wanted || stopping.signal.aborted) return;
    waking = new AbortController();
    await clock.sleep(ms, waking.signal).catch(() => {});
    waking = undefined;
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      wanted = false;
      let next = afterErrorMs;
      try {
        next = await tick(stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        const failure = asFailure(error, name);
        log.error('loop tick failed', { kind: name, problem: failure.message });
      }
      await pause(next);
    }
  };
  const finished = run();

  return {
    wake() {
      wanted = true;
      waking?.abort(woken);
    },
    async stop() {
      stopping.abort(new Error(`${name} is stopping`));
      waking?.abort(woken);
      await finished;
    },
  };
}
