import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../platform/duration.ts';
import { learn, rateAt, type Seen, type StatusAge } from './change-rate.ts';
import { longestGap, nextDue, stalenessCost, threshold } from './poll-priority.ts';

/** A clinic whose habits differ from the template: it checks people in early and closes the day's cases at the end. */
function truth(start: number, at: number): number {
  const hour = ((at % DAY) + DAY) % DAY;
  const minutes = (at - start) / MINUTE;
  if (minutes >= -15 && minutes < 15) return 0.03;
  if (minutes >= 15 && minutes < 75) return 0.008;
  if (minutes >= 75 && minutes < 300) return 0.0015;
  if (hour < 7 * HOUR || hour >= 21 * HOUR) return 0.000005;
  return minutes < -2880 ? 0.00003 : 0.0002;
}

/** mulberry32: the same days on every machine. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Followed extends StatusAge {
  seenAt: number;
  due: number;
  moved: boolean;
}

interface Policy {
  /** When to read again, for the appointments of one round. */
  round(all: readonly Followed[], now: number): (one: Followed) => number;
  /** Greater goes first. */
  urgency(one: Followed, now: number): number;
}

const PENDING = 60;
const PER_MINUTE = 10;
const SPREAD_DAYS = 4;

/** The expected lag of all changes in `days` days, over the least that knowing the true rates allows. */
function simulate(policy: Policy, days: number, seed: number, watch?: (one: Followed, now: number) => void) {
  const random = seeded(seed);
  const visit = (day: number): Followed => {
    const start = day * DAY + (8 + Math.floor(random() * 20) / 2) * HOUR;
    return { status: 'Scheduled', start, seenAt: 0, due: 0, moved: false };
  };
  const all = Array.from({ length: PENDING }, (_, i) => visit(i % SPREAD_DAYS));
  let lag = 0;
  let calls = 0;
  let least = 0;
  let busiest = 0;

  for (let now = 0; now < days * DAY; now += MINUTE) {
    const today = Math.floor(now / DAY);
    let roots = 0;
    for (const [i, one] of all.entries()) {
      if (one.start < now - DAY) all[i] = { ...visit(today + SPREAD_DAYS - 1), seenAt: now, due: now };
      const rate = truth(one.start, now);
      roots += Math.sqrt(rate);
      one.moved ||= random() < rate;
    }
    least += roots ** 2 / (2 * PER_MINUTE);

    const due = all.filter((one) => one.due <= now + MINUTE / 2);
    due.sort((a, b) => policy.urgency(b, now) - policy.urgency(a, now));
    const round = due.slice(0, PER_MINUTE);
    busiest = Math.max(busiest, round.length);
    const next = policy.round(all, now);
    for (const one of round) {
      lag += stalenessCost((at) => truth(one.start, at), one.seenAt, now);
      calls += 1;
      watch?.(one, now);
      one.moved = false;
      one.seenAt = now;
      one.due = next(one);
    }
  }
  return { ratio: lag / least, calls, busiest };
}

const adaptive = (seen: Seen): Policy => ({
  round(all, now) {
    const roots = all.reduce((sum, one) => sum + Math.sqrt(rateAt(seen, one, now, 0)), 0);
    const wanted = threshold(roots, PER_MINUTE);
    const longest = longestGap(all.length, PER_MINUTE);
    return (one) => nextDue((at) => rateAt(seen, one, at, 0), now, wanted, longest);
  },
  urgency: (one, now) => stalenessCost((at) => rateAt(seen, one, at, 0), one.seenAt, now),
});

const everyFiveMinutes: Policy = {
  round: (_all, now) => () => now + 5 * MINUTE,
  urgency: (one) => -one.due,
};

/** What a careful person would write into a configuration file. */
const tiers: Policy = {
  round: (_all, now) => (one) => {
    const away = Math.abs(now - one.start);
    if (away < HOUR) return now + 1 * MINUTE;
    if (away < 4 * HOUR) return now + 5 * MINUTE;
    if (away < DAY) return now + 15 * MINUTE;
    return now + HOUR;
  },
  urgency: (one) => -one.due,
};

describe('the due policy, over simulated days of 60 appointments and 10 calls a minute', () => {
  const template = simulate(adaptive({}), 2, 7);

  it('sees changes sooner than fixed tiers and a fixed interval do, near the best that is possible', () => {
    expect(template.ratio).toBeLessThan(simulate(tiers, 2, 7).ratio / 2);
    expect(template.ratio).toBeLessThan(simulate(everyFiveMinutes, 2, 7).ratio / 1.5);
    expect(template.ratio).toBeLessThan(1.4);
  });

  it('learns this clinic’s habits from its own reads, and gets even nearer', () => {
    const seen: Seen = {};
    simulate(adaptive({}), 1, 11, ({ status, start, seenAt, moved }, now) => {
      if (seenAt > 0) learn(seen, { status, start, from: seenAt, to: now, changed: moved }, 0);
    });

    const learned = simulate(adaptive(seen), 2, 7);

    expect(learned.ratio).toBeLessThan(template.ratio);
    expect(learned.ratio).toBeLessThan(1.25);
  });

  it('never makes more calls than allowed', () => {
    expect(template.busiest).toBeLessThanOrEqual(PER_MINUTE);
    expect(template.calls).toBeLessThanOrEqual(2 * 24 * 60 * PER_MINUTE);
  });
});
