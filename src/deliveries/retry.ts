/** When to try again, and when to stop trying. Pure. */

/** Added on top, so that a receiver that comes back is not met by everything at the same moment. */
const JITTER = 0.2;
/** A `Retry-After` beyond this is a mistake on the other side. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

interface Attempted {
  /** Waits before attempt 2, 3, … */
  schedule: readonly number[];
  /** Attempts made, the one that just failed included. */
  attempts: number;
  retryAfterMs?: number | undefined;
  /** 0 ≤ x < 1. */
  random: number;
}

/** Milliseconds until the next attempt; undefined when the schedule is used up and a person has to decide. */
export function nextAttemptMs({
  schedule,
  attempts,
  retryAfterMs = 0,
  random,
}: Attempted): number | undefined {
  const wait = schedule[attempts - 1];
  if (wait === undefined) return undefined;
  const named = Math.min(retryAfterMs, LONGEST_WAIT_MS);
  return Math.round(Math.max(wait, named) * (1 + JITTER * random));
}

const SHORTEST_CONVERGE_WAIT_MS = 5_000;
const LONGEST_CONVERGE_WAIT_MS = 15 * 60_000;

/** After so many refusals in a row a person has been told, and asking on would change nothing. */
const REFUSALS_BEFORE_REST = 3;

/**
 * Pause of a file or sheet after its nth failure in a row. What is refused needs a person, so it is soon asked rarely;
 * not at once, because nobody is told of a single failure, and a quarter of an hour in silence is a standstill.
 */
export function convergePauseMs(
  failures: number,
  {
    refused,
    retryAfterMs = 0,
    random,
  }: { refused: boolean; retryAfterMs?: number | undefined; random: number },
): number {
  const doubled = SHORTEST_CONVERGE_WAIT_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 20);
  const rests = refused && failures >= REFUSALS_BEFORE_REST;
  const wait = rests ? LONGEST_CONVERGE_WAIT_MS : Math.min(doubled, LONGEST_CONVERGE_WAIT_MS);
  return Math.round(Math.max(wait, Math.min(retryAfterMs, LONGEST_WAIT_MS)) * (1 + JITTER * random));
}
