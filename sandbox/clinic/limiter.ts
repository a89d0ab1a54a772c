import { z } from 'zod';
import { wholeNumber } from '../../src/domain/clinics/setting.ts';
import type { Clock } from '../../src/platform/clock.ts';

/** Section 8 specifies only the 429; these are common ways in which servers limit calls. */
export const LimiterOptions = z.strictObject({
  kind: z.enum(['fixed_window', 'sliding_window', 'token_bucket']),
  /** Calls per window; for a token bucket, also its size. */
  limit: wholeNumber(1),
  windowSeconds: z.number().positive().default(60),
  /** Whether calls answered 429 count as well. */
  countsRefused: z.boolean().default(false),
  retryAfter: z.enum(['none', 'seconds', 'date']).default('seconds'),
});
export type LimiterOptions = z.input<typeof LimiterOptions>;

interface LimiterCounts {
  accepted: number;
  refused: number;
  /** Calls that came earlier than the last Retry-After allowed. */
  early: number;
}

export interface SandboxLimiter {
  /** Undefined: allowed. Otherwise the headers of the 429. */
  refuse(): Record<string, string> | undefined;
  counts(): LimiterCounts;
}

interface Window {
  /** True, and counted, if the call is within the limit. */
  take(now: number): boolean;
  /** Counts a refused call. */
  punish(now: number): void;
  /** Milliseconds until a call would be allowed, if no other comes in between. */
  wait(now: number): number;
}

function fixedWindow(limit: number, span: number): Window {
  let start = Number.NEGATIVE_INFINITY;
  let used = 0;
  const roll = (now: number) => {
    const current = Math.floor(now / span) * span;
    if (current === start) return;
    start = current;
    used = 0;
  };
  return {
    take(now) {
      roll(now);
      if (used >= limit) return false;
      used += 1;
      return true;
    },
    punish() {
      used += 1;
    },
    wait: (now) => start + span - now,
  };
}

function slidingWindow(limit: number, span: number): Window {
  let calls: number[] = [];
  const roll = (now: number) => {
    calls = calls.filter((at) => at > now - span);
  };
  return {
    take(now) {
      roll(now);
      if (calls.length >= limit) return false;
      calls.push(now);
      return true;
    },
    punish(now) {
      calls.push(now);
    },
    wait: (now) => (calls[calls.length - limit] ?? now) + span - now,
  };
}

function tokenBucket(limit: number, span: number): Window {
  let level = limit;
  let at = Number.NEGATIVE_INFINITY;
  const refill = (now: number) => {
    level = at === Number.NEGATIVE_INFINITY ? limit : Math.min(limit, level + ((now - at) * limit) / span);
    at = now;
  };
  return {
    take(now) {
      refill(now);
      // Tolerates rounding: a client that waits exactly for Retry-After must get through.
      if (level < 1 - 1e-6) return false;
      level -= 1;
      return true;
    },
    punish() {
      // Bounded below, so that hammering locks a client out for one window at most.
      level = Math.max(level - 1, -limit);
    },
    wait: () => ((1 - level) * span) / limit,
  };
}

export function createSandboxLimiter({
  clock,
  options,
}: {
  clock: Clock;
  options: LimiterOptions;
}): SandboxLimiter {
  const { kind, limit, windowSeconds, countsRefused, retryAfter } = LimiterOptions.parse(options);
  const make = { fixed_window: fixedWindow, sliding_window: slidingWindow, token_bucket: tokenBucket }[kind];
  const window = make(limit, windowSeconds * 1000);
  const counts: LimiterCounts = { accepted: 0, refused: 0, early: 0 };
  let told = Number.NEGATIVE_INFINITY;

  return {
    refuse() {
      const now = clock.monotonic();
      if (now < told) counts.early += 1;
      if (window.take(now)) {
        counts.accepted += 1;
        return undefined;
      }
      counts.refused += 1;
      if (countsRefused) window.punish(now);
      if (retryAfter === 'none') return {};
      // Rounded up, so that an obedient client never comes too early.
      const seconds = Math.max(1, Math.ceil(window.wait(now) / 1000));
      if (retryAfter === 'seconds') {
        told = now + seconds * 1000;
        return { 'retry-after': String(seconds) };
      }
      const date = Math.ceil(clock.now() / 1000 + seconds) * 1000;
      told = now + (date - clock.now());
      return { 'retry-after': new Date(date).toUTCString() };
    },
    counts: () => ({ ...counts }),
  };
}
