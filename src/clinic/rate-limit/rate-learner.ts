import { MINUTE } from '../../platform/duration.ts';
import type { Lane } from '../clinic.ts';
import { addToTrail, countInTrail, emptyTrail, slotMs, type Trail, windowsMs } from './call-window.ts';
import { acceptedBefore, type Block, lookAgain, lookDelay, newBlock } from './cooldown.ts';

/**
 * Learns a rate limit nobody publishes (specification section 8). Pure: state and time in, state out. Times are
 * monotonic milliseconds.
 *
 * It grows until the first 429, then stops everything and looks again, one call at a time, until a call is accepted.
 * What had been accepted in the window before the last refusal is the ceiling. It holds a little below that, and after
 * a while climbs in small steps to see whether there is more. Growing and climbing need demand: a pace that was never
 * used is not known to be allowed.
 */
export interface Pace {
  readonly phase: 'growing' | 'holding' | 'climbing';
  readonly perMinute: number;
  /** Accepted calls a minute that are known to be allowed; null while nothing was ever refused. */
  readonly ceiling: number | null;
  /** What the last block showed; a second block that shows the same confirms it. */
  readonly measured: number | null;
  readonly confirmed: boolean;
  /** What the limiter seems to count in. */
  readonly windowMs: number;
  readonly holdMs: number;
  /** Beginning of the present step of growing, holding or climbing, and the calls sent in it. */
  readonly stepSince: number;
  readonly stepSent: number;
  /** Paced token bucket. Below zero after bookings, which do not wait; polls pay the debt. */
  readonly tokens: number;
  readonly tokensAt: number;
  readonly burst: number;
  readonly block: Block | null;
  /** Sent and not refused. */
  readonly accepted: Trail;
  readonly refused: Trail;
}

/** `lost`: no complete answer, so nothing is known. `unused`: the turn was given back. */
export type Verdict = 'accepted' | 'refused' | 'lost' | 'unused';

export interface Answered {
  verdict: Verdict;
  at: number;
  sentAt: number;
  /** This call was the look at the end of a block. */
  look: boolean;
  retryAfterMs?: number | undefined;
  /** 0 to 1; spreads the looks of several installations. */
  jitter: number;
}

const START_PER_MINUTE = 120;
/** Politeness towards a server without any limit. */
const MOST_PER_MINUTE = 1_200;
/** Calls at once while no limit is known: a first synchronisation of everything. */
const FIRST_BURST = 20;
const BURST = 10;
const GROW = 1.4;
const STEP_MS = 30_000;
const HOLD_SHARE = 0.98;
const FIRST_CLIMB = 1.05;
const CLIMB = 1.12;
const SHORTEST_HOLD_MS = 5 * MINUTE;
const LONGEST_HOLD_MS = 40 * MINUTE;
/** Share of the pace that must have been used before it is raised. */
const DEMAND = 0.7;

export interface RememberedLimit {
  ceilingPerMinute: number;
  windowMs: number;
}

export function startPace(at: number, remembered?: RememberedLimit): Pace {
  const ceiling = remembered?.ceilingPerMinute ?? null;
  return {
    phase: ceiling === null ? 'growing' : 'holding',
    perMinute: ceiling === null ? START_PER_MINUTE : ceiling * HOLD_SHARE,
    ceiling,
    measured: ceiling,
    confirmed: ceiling !== null,
    windowMs: remembered?.windowMs ?? windowsMs[0],
    holdMs: SHORTEST_HOLD_MS,
    stepSince: at,
    stepSent: 0,
    tokens: burstFor(ceiling),
    tokensAt: at,
    burst: burstFor(ceiling),
    block: null,
    accepted: emptyTrail(at),
    refused: emptyTrail(at),
  };
}

/** A block that was still in force when the process ended. */
export const resumeBlock = (pace: Pace, at: number, until: number): Pace => ({
  ...pace,
  block: newBlock(pace.accepted, at, until, until),
});

/**
 * May a call of this lane go now? `waitMs` 0: yes, and it is already counted. Infinity: only after the look that is
 * under way was answered. A booking never waits unless everything is blocked.
 */
export function ask(before: Pace, at: number, lane: Lane): { pace: Pace; waitMs: number; look: boolean } {
  const pace = refill(step(before, at), at);
  const { block } = pace;
  if (block !== null) {
    if (block.looking) return { pace, waitMs: Number.POSITIVE_INFINITY, look: false };
    if (at < block.until) return { pace, waitMs: block.until - at, look: false };
    return { pace: { ...spend(pace, at), block: { ...block, looking: true } }, waitMs: 0, look: true };
  }
  const waitMs = lane === 'booking' ? 0 : Math.max(bucketWait(pace), windowWait(pace, at));
  return waitMs > 0 ? { pace, waitMs, look: false } : { pace: spend(pace, at), waitMs: 0, look: false };
}

/** What came of a call that `ask` let through. Exactly once per call. */
export function answered(pace: Pace, call: Answered): Pace {
  switch (call.verdict) {
    case 'accepted':
      return call.look && pace.block !== null ? learn(pace, pace.block, call.at) : pace;
    case 'refused':
      return refuse(pace, call);
    case 'lost':
      return call.look && pace.block !== null
        ? { ...pace, block: lookAgain(pace.block, call.at, call.jitter) }
        : pace;
    case 'unused': {
      const accepted = addToTrail(pace.accepted, call.sentAt, -1);
      const block = pace.block !== null && call.look ? { ...pace.block, looking: false } : pace.block;
      return { ...pace, accepted, block, tokens: pace.tokens + 1, stepSent: Math.max(0, pace.stepSent - 1) };
    }
  }
}

function refill(pace: Pace, at: number): Pace {
  const earned = ((at - pace.tokensAt) * pace.perMinute) / MINUTE;
  return { ...pace, tokens: Math.min(pace.burst, pace.tokens + earned), tokensAt: at };
}

const spend = (pace: Pace, at: number): Pace => ({
  ...pace,
  // Debt is bounded to a minute's worth: a flood of bookings must not silence the polls for an hour.
  tokens: Math.max(pace.tokens - 1, -pace.perMinute),
  stepSent: pace.stepSent + 1,
  accepted: addToTrail(pace.accepted, at),
});

/** Floating point must not ask for another millionth of a millisecond, over and over. */
const bucketWait = ({ tokens, perMinute }: Pace) =>
  tokens >= 1 - 1e-9 ? 0 : Math.ceil(((1 - tokens) * MINUTE) / perMinute);

/** A burst after a quiet time must not push the whole window over what is allowed in it. */
function windowWait(pace: Pace, at: number): number {
  if (pace.ceiling === null) return 0;
  const allowed = Math.ceil((pace.perMinute * pace.windowMs) / MINUTE);
  return countInTrail(pace.accepted, pace.windowMs, at) < Math.max(1, allowed) ? 0 : slotMs(pace.windowMs);
}

/** Raises the pace when its step is over and was used. */
function step(pace: Pace, at: number): Pace {
  const elapsed = at - pace.stepSince;
  if (pace.block !== null || elapsed < stepLength(pace)) return pace;
  const used = pace.stepSent >= (DEMAND * pace.perMinute * elapsed) / MINUTE;
  const next = { ...pace, stepSince: at, stepSent: 0 };
  if (!used) return next;
  if (pace.phase === 'growing') return { ...next, perMinute: atMost(pace.perMinute * GROW) };
  if (pace.phase === 'holding')
    return { ...next, phase: 'climbing', perMinute: atMost((pace.ceiling ?? pace.perMinute) * FIRST_CLIMB) };
  return { ...next, ceiling: pace.perMinute, perMinute: atMost(pace.perMinute * CLIMB) };
}

/** A long window deserves long steps, but only once it is confirmed: one odd answer must not slow us down for days. */
function stepLength(pace: Pace): number {
  if (pace.phase === 'growing') return STEP_MS;
  const windowMs = pace.confirmed ? pace.windowMs : windowsMs[0];
  return pace.phase === 'holding' ? Math.max(pace.holdMs, 2 * windowMs) : windowMs;
}

function refuse(before: Pace, call: Answered): Pace {
  const pace = {
    ...before,
    accepted: addToTrail(before.accepted, call.sentAt, -1),
    refused: addToTrail(before.refused, call.at),
  };
  const told = call.at + (call.retryAfterMs ?? 0);
  if (pace.block === null) {
    const until = Math.max(told, call.at + lookDelay(0, 0, call.jitter));
    return { ...pace, block: newBlock(pace.accepted, call.at, until, told) };
  }
  const block = { ...pace.block, told: Math.max(pace.block.told, told) };
  // Calls that were already under way when the block began are not further looks, but what they were told counts.
  if (!call.look) return { ...pace, block: { ...block, until: Math.max(block.until, told) } };
  const counts = acceptedBefore(pace.accepted, call.at, told);
  return { ...pace, block: lookAgain({ ...block, lastRefusedAt: call.at, counts }, call.at, call.jitter) };
}

/** The look was accepted: the block is over, and what was accepted before its last refusal is the ceiling. */
function learn(pace: Pace, block: Block, at: number): Pace {
  const lasted = Math.max(block.lastRefusedAt, block.told) - block.since;
  const fits = windowsMs.findIndex((windowMs) => pace.windowMs <= windowMs && lasted <= windowMs * 1.25);
  const index = fits === -1 ? windowsMs.length - 1 : fits;
  const windowMs = windowsMs[index] ?? MINUTE;
  const count = block.counts[index] ?? 0;
  const seen = Math.max(1, count) / (windowMs / MINUTE);

  const confirmed =
    pace.measured !== null && windowMs === pace.windowMs && Math.abs(seen / pace.measured - 1) <= 0.05;
  // Refused far below a known ceiling, and soon accepted again: the limiter minds bursts, not the rate.
  const bursty = pace.burst > 1 && lasted <= 10_000 && seen < 0.8 * (pace.ceiling ?? 0);
  const ceiling = bursty ? (pace.ceiling ?? seen) : newCeiling(pace, { windowMs, seen, confirmed });
  return {
    ...pace,
    phase: 'holding',
    perMinute: ceiling * HOLD_SHARE,
    ceiling,
    measured: bursty ? pace.measured : seen,
    confirmed,
    windowMs,
    holdMs: confirmed ? Math.min(pace.holdMs * 2, LONGEST_HOLD_MS) : SHORTEST_HOLD_MS,
    stepSince: at,
    stepSent: 0,
    tokens: 0,
    tokensAt: at,
    burst: bursty ? Math.max(1, pace.burst / 2) : Math.min(pace.burst, burstFor(ceiling)),
    block: null,
  };
}

/**
 * A first sight of a window, or two blocks that agree, are believed as they are. Otherwise one refusal moves the ceiling
 * by a bounded step, so that a single odd 429 in a quiet hour cannot ruin it.
 */
function newCeiling(pace: Pace, block: { windowMs: number; seen: number; confirmed: boolean }): number {
  const { windowMs, seen, confirmed } = block;
  if (windowMs !== pace.windowMs) return seen;
  if (pace.ceiling === null) return clamp(seen, pace.perMinute / 2, pace.perMinute);
  const most = pace.phase === 'holding' ? pace.ceiling * 0.97 : pace.perMinute * 0.98;
  return clamp(seen, confirmed ? 0 : pace.ceiling * 0.7, most);
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
const atMost = (perMinute: number) => Math.min(perMinute, MOST_PER_MINUTE);
/** Ten seconds' worth, one to ten calls. */
const burstFor = (ceiling: number | null) => (ceiling === null ? FIRST_BURST : clamp(ceiling / 6, 1, BURST));
