import { backoffMs, FIFTH_LATER, jittered } from '../platform/backoff.ts';
import { DAY, MINUTE, SECOND } from '../platform/duration.ts';

/** When to try again, and when to stop trying. Pure. */

/** Longest `Retry-After`; a longer one is taken to be a mistake. */
const LONGEST_WAIT_MS = DAY;

interface Attempted {
  /** Waits before attempt 2, 3, … */
  schedule: readonly number[];
  /** Attempts made, including the one that just failed. */
  attempts: number;
  retryAfterMs?: number | undefined;
  /** 0 ≤ x < 1. */
  random: number;
}

/** Milliseconds until the next attempt; undefined when the schedule is used up and a user has to decide. */
export function nextAttemptMs({
  schedule,
  attempts,
  retryAfterMs = 0,
  random,
}: Attempted): number | undefined {
  const wait = schedule[attempts - 1];
  if (wait === undefined) return undefined;
  const named = Math.min(retryAfterMs, LONGEST_WAIT_MS);
  return jittered(Math.max(wait, named), FIFTH_LATER, random);
}

const convergeWaits = { floor: 5 * SECOND, cap: 15 * MINUTE };

/** After this many refusals a user has been informed, and frequent retries change nothing. */
const REFUSALS_BEFORE_REST = 3;

/**
 * Pause of a file or sheet after its nth consecutive failure. A refusal needs a user, so retries soon become rare; not
 * at once, because a single failure is not reported and a silent quarter of an hour would look like a standstill.
 */
export function convergePauseMs(
  failures: number,
  {
    refused,
    retryAfterMs = 0,
    withinMs = convergeWaits.cap,
    random,
  }: {
    refused: boolean;
    retryAfterMs?: number | undefined;
    withinMs?: number | undefined;
    random: number;
  },
): number {
  const rests = refused && failures >= REFUSALS_BEFORE_REST;
  const wait = Math.min(withinMs, rests ? convergeWaits.cap : backoffMs(failures, convergeWaits));
  return jittered(Math.max(wait, Math.min(retryAfterMs, LONGEST_WAIT_MS)), FIFTH_LATER, random);
}
