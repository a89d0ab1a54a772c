import type { Clock } from './clock.ts';
import { asFailure } from './failure.ts';
import type { Log } from './log.ts';

/** A tick that repeats until stopped. Ticks never overlap. */
export interface Loop {
  /** Runs the next tick now (or right after the one in progress). */
  wake(): void;
  /** Aborts the signal of a tick in progress, lets it finish and starts no other; then resolves. Idempotent. */
  stop(): Promise<void>;
}

interface LoopOptions {
  clock: Clock;
  log: Log;
  /** For log lines. */
  name: string;
  /** Does the work; resolves to the milliseconds until the next tick. */
  tick: (signal: AbortSignal) => Promise<number>;
  /** Pause before the first tick. */
  firstAfterMs?: number;
  /** Pause after a tick that threw. */
  afterErrorMs?: number;
}

/** Shared: a default reason would be a new error with a stack for every wake. */
const woken = new Error('woken');

export function startLoop({
  clock,
  log,
  name,
  tick,
  firstAfterMs = 0,
  afterErrorMs = 5_000,
}: LoopOptions): Loop {
  const stopping = new AbortController();
  /** Ends the current pause. Not `AbortSignal.any` with the other: thousands of loops pause at once, for years. */
  let waking: AbortController | undefined;
  let wanted = false;

  const pause = async (ms: number) => {
    if (wanted || stopping.signal.aborted) return;
    waking = new AbortController();
    await clock.sleep(ms, waking.signal).catch(() => {});
    waking = undefined;
  };

  const run = async () => {
    if (firstAfterMs > 0) await pause(firstAfterMs);
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
