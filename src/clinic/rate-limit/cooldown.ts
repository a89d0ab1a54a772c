import { backoffMs } from '../../platform/backoff.ts';
import { MINUTE, SECOND } from '../../platform/duration.ts';
import { countInTrail, type Trail, windowsMs } from './call-window.ts';

/** The time between a 429 and the first call that is accepted again. Times are monotonic milliseconds. */
export interface Block {
  readonly since: number;
  /** No call before this. */
  readonly until: number;
  /** The latest time a Retry-After named. */
  readonly told: number;
  readonly tries: number;
  readonly lastRefusedAt: number;
  /** Accepted calls per window of `windowsMs`, ending at the last refusal. */
  readonly counts: readonly number[];
  /** The one call that looks whether the block has ended is under way. */
  readonly looking: boolean;
}

export const newBlock = (accepted: Trail, at: number, until: number, told: number): Block => ({
  since: at,
  until,
  told,
  tries: 0,
  lastRefusedAt: at,
  counts: acceptedBefore(accepted, at, told),
  looking: false,
});

/** The look was refused as well, or told nothing. */
export function lookAgain(block: Block, at: number, jitter: number): Block {
  const tries = block.tries + 1;
  const until = Math.max(block.told, at + lookDelay(tries, at - block.since, jitter));
  return { ...block, tries, until, looking: false };
}

/**
 * 1, 2, 4, … 60 s; after eight minutes an eighth of the block so far, up to 15 minutes: where refused calls count as
 * well, a look each minute would keep an hourly window shut for ever.
 */
export function lookDelay(tries: number, blockedMs: number, jitter: number): number {
  const quick = backoffMs(tries + 1, { floor: SECOND, cap: MINUTE });
  return Math.max(quick, Math.min(blockedMs / 8, 15 * MINUTE)) * (1 + 0.2 * jitter);
}

/**
 * Accepted calls per window. The window that ends when we were told the block ends is the exact one of a fixed window;
 * but many servers always say 60, and then it would miss most of what they accepted.
 */
export const acceptedBefore = (accepted: Trail, at: number, told: number) =>
  windowsMs.map((windowMs) => {
    const untilNow = countInTrail(accepted, windowMs, at);
    const untilTold = countInTrail(accepted, windowMs, told);
    return told - at < 0.9 * windowMs && untilTold >= 0.6 * untilNow ? untilTold : untilNow;
  });
