import { DAY, HOUR, MINUTE } from '../../platform/duration.ts';

/**
 * When to read an appointment again. An unseen change costs its age; at λ changes a minute and τ minutes since the last
 * read, the expected cost is λτ²/2. A budget of reads is best spent when every read saves the same cost, so an
 * appointment is due when its staleness cost reaches a threshold common to all. Pure.
 */

/** Expected changes per minute of one appointment at an instant (milliseconds since the epoch). */
export type Rate = (at: number) => number;

/** A lower staleness cost (minutes²·changes/minute) is not worth a call, however many calls are left. */
const LEAST_COST = 0.003;
/** Upper bound between two reads, unless the budget cannot cover all appointments in that time. */
const LONGEST_GAP = 6 * HOUR;
const SHORTEST_GAP = MINUTE;
const FIRST_STEP = MINUTE;
const LONGEST_STEP = 15 * MINUTE;

/** Staleness cost at which a read is due. `sumOfRoots`: of the change rates sharing `perMinute` calls. */
export const threshold = (sumOfRoots: number, perMinute: number): number =>
  Math.max(LEAST_COST, (sumOfRoots / perMinute) ** 2 / 2);

/** Milliseconds within which each of `pending` appointments is read, so that none is neglected for ever. */
export const longestGap = (pending: number, perMinute: number): number =>
  Math.max(LONGEST_GAP, ((2 * pending) / perMinute) * MINUTE);

/** Expected cost of changes unseen since the last read at `from`; the higher, the more urgent. */
export function stalenessCost(rate: Rate, from: number, now: number): number {
  let expected = 0;
  let cost = 0;
  const step = Math.max((now - from) / 16, SHORTEST_GAP / 4);
  for (let at = from; at < now; at += step) {
    const minutes = Math.min(step, now - at) / MINUTE;
    const lambda = rate(at + (minutes * MINUTE) / 2);
    cost += expected * minutes + (lambda * minutes ** 2) / 2;
    expected += lambda * minutes;
  }
  return cost;
}

/** The instant at which the staleness cost reaches `wanted`, at most `longest` after `from`. */
export function nextDue(rate: Rate, from: number, wanted: number, longest: number): number {
  let expected = 0;
  let cost = 0;
  let at = from;
  while (at < from + longest) {
    const step = Math.min(Math.max(FIRST_STEP, (at - from) / 8), LONGEST_STEP, from + longest - at);
    const minutes = step / MINUTE;
    const lambda = rate(at + step / 2);
    const after = cost + expected * minutes + (lambda * minutes ** 2) / 2;
    if (after >= wanted) return Math.max(from + SHORTEST_GAP, at + within(lambda, expected, wanted - cost));
    cost = after;
    expected += lambda * minutes;
    at += step;
  }
  return from + longest;
}

/** Milliseconds x such that expected·x + λx²/2 = missing (x in minutes). */
function within(lambda: number, expected: number, missing: number): number {
  const minutes =
    lambda > 0
      ? (Math.sqrt(expected ** 2 + 2 * lambda * missing) - expected) / lambda
      : missing / Math.max(expected, Number.MIN_VALUE);
  return minutes * MINUTE;
}

/** Status reads use at most this share of a known limit; bookings and lists need the rest. */
const SHARE_OF_CEILING = 0.5;
const MOST_PER_MINUTE = 60;
const USUAL_PER_MINUTE = 10;
/** Without a known limit: one read per appointment in this many minutes, on average. */
const USUAL_GAP_MINUTES = 6;

/** Status reads per minute. `ceiling`: learned limit in calls per minute; null while no call was refused. */
export function callsPerMinute(ceiling: number | null, pending: number): number {
  const wanted = Math.min(MOST_PER_MINUTE, Math.max(USUAL_PER_MINUTE, pending / USUAL_GAP_MINUTES));
  return ceiling === null ? wanted : Math.min(wanted, ceiling * SHARE_OF_CEILING);
}

const LONGEST_UNKNOWN_GAP = DAY;
const SHORTEST_UNKNOWN_GAP = 2 * MINUTE;

/** When to retry an id the clinic does not know (yet): after as long as it has been unknown, so the gaps double. */
export const retryUnknown = (unknownSince: number, now: number): number =>
  now + Math.min(LONGEST_UNKNOWN_GAP, Math.max(SHORTEST_UNKNOWN_GAP, now - unknownSince));

/** True when the clock was set back since an id was found unknown, leaving its next read too far ahead. */
export const isTooFarOff = (unknownSince: number, next: number, now: number): boolean => {
  const wait = Math.min(LONGEST_UNKNOWN_GAP, Math.max(SHORTEST_UNKNOWN_GAP, (next - unknownSince) / 2));
  return now < next - wait;
};
