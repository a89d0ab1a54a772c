import { backoffMs } from '../../../src/platform/backoff.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { MINUTE } from '../../../src/platform/duration.ts';

type CallKind = 'read' | 'write';

/** Google allows a service account 60 reads and 60 writes a minute; the rest is left to its other users. */
const PER_MINUTE = 45;
const LONGEST_PAUSE_MS = 64_000;
const JITTER_MS = 5_000;

export type SheetsLimiter = ReturnType<typeof createSheetsLimiter>;

export function createSheetsLimiter({ clock, random }: { clock: Clock; random: () => number }) {
  const made: Record<CallKind, number[]> = { read: [], write: [] };
  let pausedUntil = 0;
  let refusals = 0;
  let firstPause = 0;

  const waitFor = (kind: CallKind): number => {
    const now = clock.monotonic();
    const calls = made[kind].filter((at) => now - at < MINUTE);
    made[kind] = calls;
    const free = calls.length < PER_MINUTE ? 0 : (calls[calls.length - PER_MINUTE] ?? now) + MINUTE - now;
    return Math.max(free, pausedUntil - now);
  };

  return {
    /** Resolves when a call may be made. Rejects when the signal aborts. */
    async turn(kind: CallKind, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      for (let wait = waitFor(kind); wait > 0; wait = waitFor(kind)) await clock.sleep(wait, signal);
      made[kind].push(clock.monotonic());
    },
    /** Call after a 429. Returns the milliseconds without calls from now: until the next full minute, then doubling. */
    refused(): number {
      const toNextMinute = MINUTE - (clock.now() % MINUTE) + Math.round(random() * JITTER_MS);
      refusals += 1;
      if (refusals === 1) firstPause = toNextMinute;
      const pause = backoffMs(refusals, { floor: firstPause, cap: LONGEST_PAUSE_MS });
      pausedUntil = clock.monotonic() + pause;
      return pause;
    },
    accepted() {
      refusals = 0;
    },
  };
}

/**
 * Google limits accounts, and several connectors may share one. All they have in common is the process's clock, so
 * limiters are kept by clock and end with the daemon (or test) that owns it.
 */
const shared = new WeakMap<Clock, Map<string, SheetsLimiter>>();

export function limiterOf(account: string, parts: { clock: Clock; random: () => number }): SheetsLimiter {
  const ofClock = shared.get(parts.clock) ?? new Map<string, SheetsLimiter>();
  shared.set(parts.clock, ofClock);
  const limiter = ofClock.get(account) ?? createSheetsLimiter(parts);
  ofClock.set(account, limiter);
  return limiter;
}
