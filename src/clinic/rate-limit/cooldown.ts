import { backoffMs } from '../../platform/backoff.ts';
import { MINUTE, SECOND } from '../../platform/duration.ts';
import { type CallWindow, callsIn, windowsMs } from './call-window.ts';

/** The time between a 429 and the first call that is accepted again. Times are monotonic milliseconds. */
export interface Cooldown {
  readonly since: number;
  /** No call before this. */
  readonly until: number;
  /** The latest time a Retry-After named. */
  readonly askedUntil: number;
  readonly tries: number;
  readonly lastRefusedAt: number;
  /** Accepted calls per window of `windowsMs`, ending at the last refusal. */
  readonly counts: readonly number[];
  /** The one call that looks whether the cooldown has ended is under way. */
  readonly isProbing: boolean;
}

export const newCooldown = (
  accepted: CallWindow,
  at: number,
  until: number,
  askedUntil: number,
): Cooldown => ({
  since: at,
  until,
  askedUntil,
  tries: 0,
  lastRefusedAt: at,
  counts: acceptedBefore(accepted, at, askedUntil),
  isProbing: false,
});

/** The probe was refused as well, or told nothing. */
export function probeAgain(cooldown: Cooldown, at: number, jitter: number): Cooldown {
  const tries = cooldown.tries + 1;
  const until = Math.max(cooldown.askedUntil, at + probeDelay(tries, at - cooldown.since, jitter));
  return { ...cooldown, tries, until, isProbing: false };
}

/**
 * 1, 2, 4, … 60 s; after eight minutes an eighth of the cooldown so far, up to 15 minutes: where refused calls count as
 * well, a probe each minute would keep an hourly window shut for ever.
 */
export function probeDelay(tries: number, blockedMs: number, jitter: number): number {
  const quick = backoffMs(tries + 1, { floor: SECOND, cap: MINUTE });
  return Math.max(quick, Math.min(blockedMs / 8, 15 * MINUTE)) * (1 + 0.2 * jitter);
}

/**
 * Accepted calls per window. The window that ends when we were told the cooldown ends is the exact one of a fixed window;
 * but many servers always say 60, and then it would miss most of what they accepted.
 */
export const acceptedBefore = (accepted: CallWindow, at: number, askedUntil: number) =>
  windowsMs.map((windowMs) => {
    const untilNow = callsIn(accepted, windowMs, at);
    const untilTold = callsIn(accepted, windowMs, askedUntil);
    return askedUntil - at < 0.9 * windowMs && untilTold >= 0.6 * untilNow ? untilTold : untilNow;
  });
