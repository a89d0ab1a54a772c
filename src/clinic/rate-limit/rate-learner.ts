import { backoffMs } from '../../platform/backoff.ts';
import { HOUR, MINUTE, SECOND } from '../../platform/duration.ts';
import type { Priority } from '../clinic.ts';
import { addCalls, type CallWindow, callsIn, emptyWindow, slotMs, windowsMs } from './call-window.ts';

/**
 * Learns an unpublished rate limit (specification section 8). Pure: state and time in, state out. Times are monotonic
 * milliseconds.
 *
 * It grows until the first 429, then stops all calls and probes, one call at a time, until one is accepted. The number
 * of calls accepted in the window before the last refusal is the ceiling. It holds slightly below, and after a while
 * climbs in small steps to see whether more is allowed. Growing and climbing need demand: a pace that was never used
 * was never tested.
 */
export interface RateLearner {
  /** `resuming`: half the pace for one window, which may include calls of another process. */
  readonly phase: 'growing' | 'resuming' | 'holding' | 'climbing';
  readonly perMinute: number;
  /** Accepted calls per minute known to be allowed; null before the first refusal. */
  readonly ceiling: number | null;
  /** Ceiling shown by the last cooldown; a second cooldown with the same result confirms it. */
  readonly measured: number | null;
  readonly confirmed: boolean;
  /** The window that the limiter seems to use. */
  readonly windowMs: number;
  readonly holdMs: number;
  /** Start of the present step of growing, holding or climbing, and the calls sent in it. */
  readonly stepSince: number;
  readonly stepSent: number;
  /** Token bucket that paces polls. Below zero after bookings, which do not wait; polls repay the debt. */
  readonly tokens: number;
  readonly tokensAt: number;
  readonly burst: number;
  /** When the last call was sent. */
  readonly lastAt: number;
  /** When the last booking, or a call that it needs, was accepted. */
  readonly bookedAt: number;
  /** Quiet time that the clinic requires before each call of a booking; see `learnGap`. */
  readonly gapMs: number;
  readonly gapUntil: number;
  readonly cooldown: Cooldown | null;
  /** Sent and not refused. */
  readonly accepted: CallWindow;
  readonly refused: CallWindow;
}

/** The time between a 429 and the next accepted call. Times are monotonic milliseconds. */
interface Cooldown {
  readonly since: number;
  /** As `since`, of whichever process saw it begin. */
  readonly begun: number;
  /** No call before this. */
  readonly until: number;
  /** The latest time requested by a Retry-After. */
  readonly askedUntil: number;
  readonly tries: number;
  readonly lastRefusedAt: number;
  /** Accepted calls per window of `windowsMs`, up to the last refusal. */
  readonly counts: readonly number[];
  /** The call that tests whether the cooldown is over is in progress. */
  readonly isProbing: boolean;
  /** Set when it began with the second of two calls of one booking: when the first was sent. */
  readonly pairAt: number | null;
}

/** `lost`: no complete answer, so nothing is known. `unused`: the turn was returned. */
export type CallVerdict = 'accepted' | 'refused' | 'lost' | 'unused';

export interface Answered {
  verdict: CallVerdict;
  at: number;
  sentAt: number;
  /** This call was the probe that ends a cooldown. */
  isProbe: boolean;
  /** It has the priority of bookings. */
  isBooking?: boolean;
  retryAfterMs?: number | undefined;
  /** 0 to 1; spreads the probes of several installations. */
  jitter: number;
}

const START_PER_MINUTE = 120;
/** Upper bound, out of politeness to a server without a limit. */
const MOST_PER_MINUTE = 1_200;
/** Calls at once while no limit is known, for a first full synchronisation. */
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
/** Calls of one booking follow each other within this time. */
const PAIR_MS = 5 * SECOND;
const LONGEST_GAP_MS = 20 * SECOND;
const GAP_KEPT_MS = HOUR;

interface RememberedLimit {
  ceilingPerMinute: number;
  windowMs: number;
}

export function newLearner(at: number, remembered?: RememberedLimit): RateLearner {
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
    lastAt: Number.NEGATIVE_INFINITY,
    bookedAt: Number.NEGATIVE_INFINITY,
    gapMs: 0,
    gapUntil: at,
    cooldown: null,
    accepted: emptyWindow(at),
    refused: emptyWindow(at),
  };
}

/**
 * For a limit learned by another process that called until a moment ago: together both must stay below the ceiling
 * during its window, and a 429 in it says nothing about the ceiling.
 */
export const resumed = (learner: RateLearner): RateLearner =>
  learner.ceiling === null
    ? learner
    : { ...learner, phase: 'resuming', perMinute: learner.perMinute / 2, tokens: 0 };

const held = (learner: RateLearner, ceiling: number): RateLearner => ({
  ...learner,
  phase: 'holding',
  perMinute: ceiling * HOLD_SHARE,
});

/** A cooldown that was still in force when the process ended. */
export const resumeCooldown = (
  learner: RateLearner,
  { at, until, begun }: { at: number; until: number; begun: number },
): RateLearner => ({ ...learner, cooldown: { ...newCooldown(learner.accepted, at, until, until), begun } });

/**
 * Whether a call of this priority may go now. `waitMs` 0: yes, and it is already counted. Infinity: only after the
 * running probe is answered. A booking waits only while everything is blocked, and for the gap; what it waits for, also
 * while the window is used up, but not for the pace of polls.
 */
export function ask(
  before: RateLearner,
  at: number,
  priority: Priority,
): { learner: RateLearner; waitMs: number; isProbe: boolean } {
  const learner = refill(step(before, at), at);
  const { cooldown } = learner;
  if (cooldown !== null) {
    if (cooldown.isProbing) return { learner, waitMs: Number.POSITIVE_INFINITY, isProbe: false };
    if (at < cooldown.until) return { learner, waitMs: cooldown.until - at, isProbe: false };
    return {
      learner: { ...spend(learner, at), cooldown: { ...cooldown, isProbing: true } },
      waitMs: 0,
      isProbe: true,
    };
  }
  const pace = priority === 'awaited' ? 0 : bucketWait(learner);
  const waitMs = priority === 'booking' ? gapWait(learner, at) : Math.max(pace, windowWait(learner, at));
  return waitMs > 0
    ? { learner, waitMs, isProbe: false }
    : { learner: spend(learner, at), waitMs: 0, isProbe: false };
}

/** Reports the result of a call admitted by `ask`. Exactly once per call. */
export function afterCall(learner: RateLearner, call: Answered): RateLearner {
  switch (call.verdict) {
    case 'accepted': {
      const next = call.isBooking === true ? { ...learner, bookedAt: call.sentAt } : learner;
      return call.isProbe && next.cooldown !== null ? learn(next, next.cooldown, call) : next;
    }
    case 'refused':
      return refuse(learner, call);
    case 'lost':
      return call.isProbe && learner.cooldown !== null
        ? { ...learner, cooldown: probeAgain(learner.cooldown, call.at, call.jitter) }
        : learner;
    case 'unused': {
      const accepted = addCalls(learner.accepted, call.sentAt, -1);
      const cooldown =
        learner.cooldown !== null && call.isProbe
          ? { ...learner.cooldown, isProbing: false }
          : learner.cooldown;
      return {
        ...learner,
        accepted,
        cooldown,
        tokens: learner.tokens + 1,
        stepSent: Math.max(0, learner.stepSent - 1),
      };
    }
  }
}

function refill(learner: RateLearner, at: number): RateLearner {
  const earned = ((at - learner.tokensAt) * learner.perMinute) / MINUTE;
  return { ...learner, tokens: Math.min(learner.burst, learner.tokens + earned), tokensAt: at };
}

const spend = (learner: RateLearner, at: number): RateLearner => ({
  ...learner,
  // Debt is limited to one minute's worth: a flood of bookings must not silence the polls for an hour.
  tokens: Math.max(learner.tokens - 1, -learner.perMinute),
  stepSent: learner.stepSent + 1,
  lastAt: at,
  accepted: addCalls(learner.accepted, at),
});

/** The gap after any call that bookings keep now. */
export const gapAt = ({ gapMs, gapUntil }: RateLearner, at: number): number => (at < gapUntil ? gapMs : 0);

const gapWait = (learner: RateLearner, at: number): number =>
  Math.max(0, Math.ceil(learner.lastAt + gapAt(learner, at) - at));

/**
 * A server that wants a pause after each call always refuses the second call of a booking, however few calls there
 * are: no booking would ever be sent. The time from the first to the next accepted call is pause enough.
 */
function learnGap({ gapMs, gapUntil }: RateLearner, { pairAt }: Cooldown, { at, sentAt }: Answered) {
  if (pairAt === null) return { gapMs, gapUntil };
  const longer = at < gapUntil ? 2 * gapMs : 0;
  return { gapMs: Math.min(LONGEST_GAP_MS, Math.max(sentAt - pairAt, longer)), gapUntil: at + GAP_KEPT_MS };
}

/** Tolerates rounding errors, which would otherwise ask for another millionth of a millisecond over and over. */
const bucketWait = ({ tokens, perMinute }: RateLearner) =>
  tokens >= 1 - 1e-9 ? 0 : Math.ceil(((1 - tokens) * MINUTE) / perMinute);

/** Keeps a burst after a quiet period from exceeding the ceiling of the whole window. */
function windowWait(learner: RateLearner, at: number): number {
  if (learner.ceiling === null) return 0;
  const allowed = Math.ceil((learner.perMinute * learner.windowMs) / MINUTE);
  return callsIn(learner.accepted, learner.windowMs, at) < Math.max(1, allowed)
    ? 0
    : slotMs(learner.windowMs);
}

/** Raises the pace when its step is over and was used. */
function step(learner: RateLearner, at: number): RateLearner {
  const elapsed = at - learner.stepSince;
  if (learner.cooldown !== null || elapsed < stepLength(learner)) return learner;
  const used = learner.stepSent >= (DEMAND * learner.perMinute * elapsed) / MINUTE;
  const next = { ...learner, stepSince: at, stepSent: 0 };
  if (learner.phase === 'resuming') return held(next, learner.ceiling ?? learner.perMinute);
  if (!used) return next;
  if (learner.phase === 'growing') return { ...next, perMinute: atMost(learner.perMinute * GROW) };
  if (learner.phase === 'holding')
    return {
      ...next,
      phase: 'climbing',
      perMinute: atMost((learner.ceiling ?? learner.perMinute) * FIRST_CLIMB),
    };
  return { ...next, ceiling: learner.perMinute, perMinute: atMost(learner.perMinute * CLIMB) };
}

/** A long window needs long steps, but only once confirmed: one odd answer must not slow us down for days. */
function stepLength(learner: RateLearner): number {
  if (learner.phase === 'growing') return STEP_MS;
  if (learner.phase === 'resuming') return learner.windowMs;
  const windowMs = learner.confirmed ? learner.windowMs : windowsMs[0];
  return learner.phase === 'holding' ? Math.max(learner.holdMs, 2 * windowMs) : windowMs;
}

function refuse(before: RateLearner, call: Answered): RateLearner {
  const learner = {
    ...before,
    accepted: addCalls(before.accepted, call.sentAt, -1),
    refused: addCalls(before.refused, call.at),
  };
  const askedUntil = call.at + (call.retryAfterMs ?? 0);
  if (learner.cooldown === null) {
    const until = Math.max(askedUntil, call.at + probeDelay(0, 0, call.jitter));
    const cooldown = newCooldown(learner.accepted, call.at, until, askedUntil);
    const isPair =
      call.isBooking === true && call.sentAt - learner.bookedAt < PAIR_MS + gapAt(learner, call.at);
    return { ...learner, cooldown: { ...cooldown, pairAt: isPair ? learner.bookedAt : null } };
  }
  const cooldown = { ...learner.cooldown, askedUntil: Math.max(learner.cooldown.askedUntil, askedUntil) };
  // Calls in flight when the cooldown began are not probes, but their Retry-After counts.
  if (!call.isProbe)
    return { ...learner, cooldown: { ...cooldown, until: Math.max(cooldown.until, askedUntil) } };
  const counts = acceptedBefore(learner.accepted, call.at, askedUntil);
  return {
    ...learner,
    cooldown: probeAgain({ ...cooldown, lastRefusedAt: call.at, counts }, call.at, call.jitter),
  };
}

/** The probe was accepted: the cooldown is over, and the calls accepted before its last refusal are the ceiling. */
function learn(learner: RateLearner, cooldown: Cooldown, call: Answered): RateLearner {
  const { at } = call;
  const gap = learnGap(learner, cooldown, call);
  const fresh = { stepSince: at, stepSent: 0, tokens: 0, tokensAt: at, cooldown: null, ...gap };
  if (learner.phase === 'resuming')
    return { ...held(learner, learner.ceiling ?? learner.perMinute), ...fresh };
  const lasted = Math.max(cooldown.lastRefusedAt, cooldown.askedUntil) - cooldown.since;
  const fits = windowsMs.findIndex((windowMs) => learner.windowMs <= windowMs && lasted <= windowMs * 1.25);
  const index = fits === -1 ? windowsMs.length - 1 : fits;
  const windowMs = windowsMs[index] ?? MINUTE;
  const count = cooldown.counts[index] ?? 0;
  const seen = Math.max(1, count) / (windowMs / MINUTE);

  const confirmed =
    learner.measured !== null &&
    windowMs === learner.windowMs &&
    Math.abs(seen / learner.measured - 1) <= 0.05;
  // Refused far below a known ceiling and soon accepted again: the server limits bursts, not the rate.
  const bursty = learner.burst > 1 && lasted <= 10_000 && seen < 0.8 * (learner.ceiling ?? 0);
  const ceiling = bursty ? (learner.ceiling ?? seen) : newCeiling(learner, { windowMs, seen, confirmed });
  return {
    ...learner,
    phase: 'holding',
    perMinute: ceiling * HOLD_SHARE,
    ceiling,
    measured: bursty ? learner.measured : seen,
    confirmed,
    windowMs,
    holdMs: confirmed ? Math.min(learner.holdMs * 2, LONGEST_HOLD_MS) : SHORTEST_HOLD_MS,
    ...fresh,
    burst: bursty ? Math.max(1, learner.burst / 2) : Math.min(learner.burst, burstFor(ceiling)),
  };
}

/**
 * A window seen for the first time, or two cooldowns that agree, are taken as they are. Otherwise a refusal moves the
 * ceiling by a bounded step, so that one odd 429 in a quiet hour cannot ruin it.
 */
function newCeiling(
  learner: RateLearner,
  cooldown: { windowMs: number; seen: number; confirmed: boolean },
): number {
  const { windowMs, seen, confirmed } = cooldown;
  if (windowMs !== learner.windowMs) return seen;
  if (learner.ceiling === null) return clamp(seen, learner.perMinute / 2, learner.perMinute);
  const most = learner.phase === 'holding' ? learner.ceiling * 0.97 : learner.perMinute * 0.98;
  return clamp(seen, confirmed ? 0 : learner.ceiling * 0.7, most);
}

const newCooldown = (accepted: CallWindow, at: number, until: number, askedUntil: number): Cooldown => ({
  since: at,
  begun: at,
  until,
  askedUntil,
  tries: 0,
  lastRefusedAt: at,
  counts: acceptedBefore(accepted, at, askedUntil),
  isProbing: false,
  pairAt: null,
});

/** The probe was refused too, or not answered. */
function probeAgain(cooldown: Cooldown, at: number, jitter: number): Cooldown {
  const tries = cooldown.tries + 1;
  const until = Math.max(cooldown.askedUntil, at + probeDelay(tries, at - cooldown.since, jitter));
  return { ...cooldown, tries, until, isProbing: false };
}

/**
 * 1, 2, 4, … 60 s; after eight minutes, an eighth of the cooldown so far, up to 15 minutes: where refused calls count
 * too, a probe each minute would keep an hourly window shut for ever.
 */
function probeDelay(tries: number, blockedMs: number, jitter: number): number {
  const quick = backoffMs(tries + 1, { floor: SECOND, cap: MINUTE });
  return Math.max(quick, Math.min(blockedMs / 8, 15 * MINUTE)) * (1 + 0.2 * jitter);
}

/**
 * Accepted calls per window. For a fixed window, the one ending at Retry-After is exact; but many servers always say
 * 60, and then it would miss most of the accepted calls.
 */
const acceptedBefore = (accepted: CallWindow, at: number, askedUntil: number) =>
  windowsMs.map((windowMs) => {
    const untilNow = callsIn(accepted, windowMs, at);
    const untilTold = callsIn(accepted, windowMs, askedUntil);
    return askedUntil - at < 0.9 * windowMs && untilTold >= 0.6 * untilNow ? untilTold : untilNow;
  });

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
const atMost = (perMinute: number) => Math.min(perMinute, MOST_PER_MINUTE);
/** Ten seconds' worth of calls, between one and ten. */
const burstFor = (ceiling: number | null) => (ceiling === null ? FIRST_BURST : clamp(ceiling / 6, 1, BURST));
