import { describe, expect, it } from 'vitest';
import { afterCall, ask, newLearner, type RateLearner, resumed } from './rate-learner.ts';

/** A clinic's limiter: decides whether a call at `at` (ms) is accepted. */
interface Limiter {
  /** Undefined: accepted. Otherwise refused, with the seconds of Retry-After, if it sends one. */
  take(at: number): { retryAfter?: number } | undefined;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function fixedWindow(limit: number, windowMs: number, tells: boolean, countsRefused = false): Limiter {
  let window = -1;
  let used = 0;
  return {
    take(at) {
      if (Math.floor(at / windowMs) !== window) {
        window = Math.floor(at / windowMs);
        used = 0;
      }
      if (used < limit) {
        used += 1;
        return undefined;
      }
      if (countsRefused) used += 1;
      return tells ? { retryAfter: Math.ceil(((window + 1) * windowMs - at) / 1_000) } : {};
    },
  };
}

/** Always says 60, as many do. */
const careless = (limiter: Limiter): Limiter => ({
  take: (at) => (limiter.take(at) === undefined ? undefined : { retryAfter: 60 }),
});

function slidingWindow(limit: number, windowMs: number, tells: boolean, countsRefused: boolean): Limiter {
  const calls: number[] = [];
  let oldest = 0;
  return {
    take(at) {
      while ((calls[oldest] ?? at) <= at - windowMs) oldest += 1;
      const accepted = calls.length - oldest < limit;
      if (accepted || countsRefused) calls.push(at);
      if (accepted) return undefined;
      const opens = (calls[calls.length - limit] ?? at) + windowMs;
      return tells ? { retryAfter: Math.ceil((opens - at) / 1_000) } : {};
    },
  };
}

function tokenBucket(perMinute: number, burst: number, tells: boolean): Limiter {
  let tokens = burst;
  let since = 0;
  return {
    take(at) {
      tokens = Math.min(burst, tokens + ((at - since) * perMinute) / minute);
      since = at;
      if (tokens < 1) return tells ? { retryAfter: Math.ceil(((1 - tokens) * 60) / perMinute) } : {};
      tokens -= 1;
      return undefined;
    },
  };
}

interface Result {
  calls: number;
  refused: number;
  accepted: number;
  insideRetryAfter: number;
  longestBookingWait: number;
  learner: RateLearner;
}

/** A clinic with endless polls to do and a booking now and then. Counts from `learned` on. */
function simulate(limiter: Limiter, until: number, learned: number): Result {
  let learner = newLearner(0);
  let at = 0;
  let blockedUntil = -1;
  let booking = 137_000;
  const result = { calls: 0, refused: 0, accepted: 0, insideRetryAfter: 0, longestBookingWait: 0 };
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };

  while (at < until) {
    const priority = at >= booking ? 'booking' : 'list';
    const turn = ask(learner, at, priority);
    learner = turn.learner;
    if (turn.waitMs > 0) {
      const next =
        priority === 'list' && booking > at ? Math.min(at + turn.waitMs, booking) : at + turn.waitMs;
      if (priority === 'booking' && learner.cooldown === null)
        result.longestBookingWait = Math.max(result.longestBookingWait, turn.waitMs);
      at = next;
      continue;
    }
    if (priority === 'booking') booking = at + 4 * minute + random() * 4 * minute;
    const refusal = limiter.take(at);
    if (at >= learned) {
      result.calls += 1;
      result[refusal === undefined ? 'accepted' : 'refused'] += 1;
    }
    if (at < blockedUntil) result.insideRetryAfter += 1;
    const askedUntil = refusal?.retryAfter;
    if (askedUntil !== undefined) blockedUntil = at + Math.min(askedUntil, 3_600) * 1_000;
    learner = afterCall(learner, {
      verdict: refusal === undefined ? 'accepted' : 'refused',
      at: at + 1,
      sentAt: at,
      isProbe: turn.isProbe,
      retryAfterMs: askedUntil === undefined ? undefined : Math.min(askedUntil, 3_600) * 1_000,
      jitter: random(),
    });
    at += 1;
  }
  return { ...result, learner };
}

interface Case {
  name: string;
  /** New for each run; `tells`: with Retry-After. */
  limiter: (tells: boolean) => Limiter;
  perMinute: number;
  learned: number;
  until: number;
}

const byMinute = { perMinute: 60, learned: 30 * minute, until: 8 * hour };
const cases: Case[] = [
  { name: '60 a minute, fixed window', limiter: (tells) => fixedWindow(60, minute, tells), ...byMinute },
  {
    name: '60 a minute, fixed window, refused calls count',
    limiter: (tells) => fixedWindow(60, minute, tells, true),
    ...byMinute,
  },
  {
    name: '60 a minute, sliding window',
    limiter: (tells) => slidingWindow(60, minute, tells, false),
    ...byMinute,
  },
  {
    name: '60 a minute, sliding window, refused calls count',
    limiter: (tells) => slidingWindow(60, minute, tells, true),
    ...byMinute,
  },
  { name: '60 a minute, bucket of 10', limiter: (tells) => tokenBucket(60, 10, tells), ...byMinute },
  { name: '60 a minute, bucket of 60', limiter: (tells) => tokenBucket(60, 60, tells), ...byMinute },
  {
    name: '600 a minute, fixed window',
    limiter: (tells) => fixedWindow(600, minute, tells),
    perMinute: 600,
    learned: hour,
    until: 2 * hour,
  },
  {
    name: '20 a minute, fixed window',
    limiter: (tells) => fixedWindow(20, minute, tells),
    perMinute: 20,
    learned: 30 * minute,
    until: 12 * hour,
  },
  {
    name: '300 a quarter of an hour, fixed window',
    limiter: (tells) => fixedWindow(300, 15 * minute, tells),
    perMinute: 20,
    learned: 2 * hour,
    until: 2 * day,
  },
  {
    name: '1000 an hour, fixed window',
    limiter: (tells) => fixedWindow(1_000, hour, tells),
    perMinute: 1_000 / 60,
    learned: 6 * hour,
    until: 3 * day,
  },
  {
    name: '1000 an hour, sliding window, refused calls count',
    limiter: (tells) => slidingWindow(1_000, hour, tells, true),
    perMinute: 1_000 / 60,
    learned: 8 * hour,
    until: 3 * day,
  },
];

function keepsTheGoals({ limiter, perMinute, learned, until }: Case, tells: boolean) {
  const seen = simulate(limiter(tells), until, learned);

  expect(seen.refused / seen.calls).toBeLessThanOrEqual(0.01);
  expect(seen.accepted / ((perMinute * (until - learned)) / minute)).toBeGreaterThanOrEqual(0.9);
  expect(seen.insideRetryAfter).toBe(0);
  expect(seen.longestBookingWait).toBe(0);
}

describe('the rate learner, with endless work: at most 1 % refused, at least 90 % used, Retry-After respected', () => {
  it.each(cases)('$name, with Retry-After', (limits) => keepsTheGoals(limits, true));
  it.each(cases)('$name, without Retry-After', (limits) => keepsTheGoals(limits, false));
  it('60 a minute, fixed window, Retry-After always 60', () => {
    keepsTheGoals({ name: '', limiter: () => careless(fixedWindow(60, minute, true)), ...byMinute }, true);
  });
});

describe('the rate learner', () => {
  const accepted = { verdict: 'accepted', isProbe: false, jitter: 0 } as const;
  const refused = { verdict: 'refused', isProbe: false, jitter: 0 } as const;
  const learned = () => newLearner(0, { ceilingPerMinute: 60, windowMs: minute });

  it('does not grow without demand', () => {
    let learner = newLearner(0);

    for (let at = 0; at < 2 * hour; at += 10_000) {
      const turn = ask(learner, at, 'list');
      learner = afterCall(turn.learner, { ...accepted, at, sentAt: at });
    }

    expect(learner.perMinute).toBe(newLearner(0).perMinute);
  });

  it('is not ruined by one odd 429 in a quiet hour', () => {
    const sent = ask(learned(), hour, 'list').learner;

    const blocked = afterCall(sent, { ...refused, at: hour, sentAt: hour, retryAfterMs: 20_000 });
    const probing = ask(blocked, hour + 20_001, 'list');
    const after = afterCall(probing.learner, {
      ...accepted,
      isProbe: probing.isProbe,
      at: hour + 20_100,
      sentAt: hour + 20_001,
    });

    expect(after.cooldown).toBeNull();
    expect(after.ceiling).toBeGreaterThanOrEqual(60 * 0.7);
  });

  it('lets exactly one call probe whether a cooldown has ended', () => {
    const blocked = afterCall(ask(learned(), 0, 'list').learner, {
      ...refused,
      at: 0,
      sentAt: 0,
      retryAfterMs: 5_000,
    });

    const early = ask(blocked, 4_999, 'booking');
    const first = ask(early.learner, 6_000, 'list');
    const second = ask(first.learner, 6_000, 'booking');

    expect(early.waitMs).toBe(1);
    expect(first).toMatchObject({ waitMs: 0, isProbe: true });
    expect(second.waitMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('probes again when the probe was lost, and respects the Retry-After', () => {
    const blocked = afterCall(ask(learned(), 0, 'list').learner, {
      ...refused,
      at: 0,
      sentAt: 0,
      retryAfterMs: 5_000,
    });
    const probing = ask(blocked, 5_000, 'list').learner;

    const lost = afterCall(probing, { verdict: 'lost', isProbe: true, at: 6_000, sentAt: 5_000, jitter: 0 });

    expect(lost.cooldown).toMatchObject({ isProbing: false, until: 8_000 });
  });

  it('never makes a booking wait, and lets polls pay for it', () => {
    let learner = learned();

    for (let i = 0; i < 20; i += 1) {
      const turn = ask(learner, 0, 'booking');
      expect(turn.waitMs).toBe(0);
      learner = turn.learner;
    }

    expect(ask(learner, 0, 'list').waitMs).toBeGreaterThan(10_000);
  });
});

describe('a learned limit that another process takes over', () => {
  const remembered = (at: number) => newLearner(at, { ceilingPerMinute: 60, windowMs: minute });

  /** Polls without end, from one moment to another. */
  const poll = (from: RateLearner, since: number, until: number, limiter: Limiter) => {
    let learner = from;
    let [sent, refused] = [0, 0];
    for (let at = since; at < until; ) {
      const turn = ask(learner, at, 'list');
      learner = turn.learner;
      if (turn.waitMs === 0) {
        const refusal = limiter.take(at);
        sent += 1;
        refused += refusal === undefined ? 0 : 1;
        const verdict = refusal === undefined ? 'accepted' : 'refused';
        const retryAfterMs = (refusal?.retryAfter ?? 0) * 1_000;
        learner = afterCall(learner, {
          ...{ verdict, sentAt: at, at: at + 1, isProbe: turn.isProbe, retryAfterMs, jitter: 0 },
        });
      }
      at += Math.max(1, turn.waitMs);
    }
    return { learner, sent, refused };
  };

  it.each([0, 5_000, 15_000, 40_000])(
    'is not exceeded by two owners in one window, %i ms apart, and is used in full afterwards',
    (gapMs) => {
      const limiter = slidingWindow(60, minute, true, false);
      const takeover = 4 * minute;
      const before = poll(remembered(0), 0, takeover, limiter);
      const from = takeover + gapMs;
      const first = poll(resumed(remembered(from)), from, from + minute, limiter);
      const then = poll(first.learner, from + minute, from + 4 * minute, limiter);

      expect([before.refused, first.refused, then.refused]).toEqual([0, 0, 0]);
      expect(first.sent).toBeGreaterThan(25);
      expect(then.sent / 3).toBeGreaterThan(55);
      expect(then.learner.ceiling).toBe(60);
    },
  );

  it('is not taken to be lower because the former owner had used it up', () => {
    const limiter = slidingWindow(60, minute, true, false);
    for (let call = 0; call < 60; call += 1) limiter.take(call);

    const first = poll(resumed(remembered(1_000)), 1_000, 2 * minute, limiter);

    expect(first.refused).toBeGreaterThan(0);
    expect(first.learner).toMatchObject({ phase: 'holding', ceiling: 60, cooldown: null });
  });

  it('is learned again after a second refusal', () => {
    const limiter = slidingWindow(20, minute, true, false);

    const { learner } = poll(resumed(remembered(0)), 0, 60 * minute, limiter);

    expect(learner.ceiling).toBeLessThan(25);
  });
});

describe('a clinic that wants a pause after each call', () => {
  /** Bookings of two calls each, the second as soon as it may; the times between accepted calls, and refusals. */
  const pairs = (limiter: Limiter, bookings: number) => {
    let learner = newLearner(0);
    let at = minute;
    let refusals = 0;
    const second = { waitMs: [] as number[], accepted: [] as boolean[] };
    const call = () => {
      let waited = 0;
      for (let turn = ask(learner, at, 'booking'); ; turn = ask(learner, at, 'booking')) {
        learner = turn.learner;
        if (turn.waitMs > 0) {
          waited += turn.waitMs;
          at += turn.waitMs;
          continue;
        }
        const refusal = limiter.take(at);
        const verdict = refusal === undefined ? 'accepted' : 'refused';
        const retryAfterMs = (refusal?.retryAfter ?? 0) * 1_000;
        const { isProbe } = turn;
        const seen = {
          verdict,
          sentAt: at,
          at: at + 1,
          isProbe,
          isBooking: true,
          retryAfterMs,
          jitter: 0,
        } as const;
        learner = afterCall(learner, seen);
        at += 1;
        if (refusal !== undefined) refusals += 1;
        return { waited, accepted: refusal === undefined };
      }
    };
    for (let n = 0; n < bookings; n += 1) {
      while (!call().accepted);
      const { waited, accepted } = call();
      second.waitMs.push(waited);
      second.accepted.push(accepted);
      at += 2 * minute;
    }
    return { ...second, refusals, learner };
  };

  it.each([
    ['5 s', tokenBucket(12, 1, false)],
    ['5 s, and says so', tokenBucket(12, 1, true)],
    ['5 s, and always says 60', careless(tokenBucket(12, 1, true))],
    ['12 s', tokenBucket(5, 1, false)],
  ])('of %s gets it between the two calls of a booking, after one refusal', (_what, limiter) => {
    const seen = pairs(limiter, 10);

    expect(seen.accepted).toEqual([false, ...Array(9).fill(true)]);
    expect(Math.max(...seen.waitMs)).toBeLessThanOrEqual(20_000);
  });

  it('is not assumed where a booking comes upon a limit that others have used up', () => {
    const limiter = fixedWindow(30, minute, true);
    let learner = newLearner(0);
    for (let n = 0; n < 30; n += 1) limiter.take(1);
    const refused = ask(learner, 20_000, 'booking').learner;
    learner = afterCall(refused, {
      ...{ verdict: 'refused', sentAt: 20_000, at: 20_001, isProbe: false, isBooking: true, jitter: 0 },
    });
    const probe = ask(learner, minute, 'booking');
    learner = afterCall(probe.learner, {
      ...{ verdict: 'accepted', sentAt: minute, at: minute, isProbe: true, isBooking: true, jitter: 0 },
    });

    expect(ask(learner, minute + 1, 'booking').waitMs).toBe(0);
  });

  it('is forgotten after an hour without such a refusal', () => {
    const { learner } = pairs(tokenBucket(12, 1, false), 2);
    const later = ask(learner, 3 * hour, 'booking').learner;

    expect(ask(later, 3 * hour, 'booking').waitMs).toBe(0);
  });
});

describe('a flood of bookings', () => {
  it('is sent at once, and delays polls for no more than about a minute', () => {
    let learner = newLearner(0, { ceilingPerMinute: 60, windowMs: minute });
    for (let i = 0; i < 2_000; i += 1) {
      const asked = ask(learner, i, 'booking');
      expect(asked.waitMs).toBe(0);
      learner = asked.learner;
    }

    let at = 2_000;
    for (let asked = ask(learner, at, 'list'); asked.waitMs > 0; asked = ask(asked.learner, at, 'list'))
      at += asked.waitMs;

    expect(at).toBeGreaterThan(minute);
    expect(at).toBeLessThan(2.2 * minute);
  });
});
