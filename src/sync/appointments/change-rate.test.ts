import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../platform/duration.ts';
import { fade, learn, rateAt, type Seen } from './change-rate.ts';

/** Noon, in a zone without an offset. */
const start = 20_000 * DAY + 12 * HOUR;
const visit = { status: 'scheduled', start };

describe('change rate', () => {
  it('is greatest around the visit, small weeks ahead, smaller at night', () => {
    const at = (ms: number) => rateAt({}, visit, start + ms, 0);

    expect(at(0)).toBeGreaterThan(at(-3 * HOUR));
    expect(at(-3 * HOUR)).toBeGreaterThan(at(-20 * DAY));
    expect(at(-20 * DAY)).toBeGreaterThan(at(-20 * DAY - 10 * HOUR));
  });

  it('reads the part of the day on the clinic’s clock', () => {
    const far = start - 20 * DAY;

    expect(rateAt({}, visit, far, 12 * HOUR)).toBeLessThan(rateAt({}, visit, far, 0));
  });

  it('falls with every interval without a change, and rises with changes', () => {
    const from = start - 20 * DAY;
    const quiet: Seen = {};
    const busy: Seen = {};
    for (let i = 0; i < 500; i += 1) {
      learn(quiet, { ...visit, from, to: from + HOUR, changed: false }, 0);
      learn(busy, { ...visit, from, to: from + HOUR, changed: i % 2 === 0 }, 0);
    }

    expect(rateAt(quiet, visit, from, 0)).toBeLessThan(rateAt({}, visit, from, 0));
    expect(rateAt(busy, visit, from, 0) * 60).toBeGreaterThan(0.1);
  });

  it('finds the true rate from interval-censored reads', () => {
    const seen: Seen = {};
    const perMinute = 0.01;
    // Reads every 20 minutes of a process with a known rate: the share that finds a change is 1 − e^(−λ·20).
    const share = 1 - Math.exp(-perMinute * 20);
    const looks = 4_000;
    for (let i = 0; i < looks; i += 1) {
      const changed = Math.floor((i + 1) * share) > Math.floor(i * share);
      learn(seen, { ...visit, from: start + 30 * MINUTE, to: start + 50 * MINUTE, changed }, 0);
    }

    expect(rateAt(seen, visit, start + 40 * MINUTE, 0)).toBeCloseTo(perMinute, 3);
  });

  it('keeps observations of each phase separate, and loses no minute', () => {
    const seen: Seen = {};

    learn(seen, { ...visit, from: start - 10 * DAY, to: start + 10 * DAY, changed: false }, 0);

    const minutes = Object.values(seen).reduce((sum, bucket) => sum + bucket.minutes, 0);
    expect(minutes).toBeCloseTo(20 * 24 * 60, 6);
    expect(Object.keys(seen)).toContain('scheduled/start/morning');
  });

  it('learns nothing from a change somewhere in a long gap', () => {
    const seen: Seen = {};

    learn(seen, { ...visit, from: start - 10 * DAY, to: start, changed: true }, 0);

    expect(seen).toEqual({});
  });

  it('halves the weight of what it learned in 90 days', () => {
    const seen: Seen = { x: { changes: 8, minutes: 100 } };

    fade(seen, 90 * DAY);

    expect(seen).toEqual({ x: { changes: 4, minutes: 50 } });
  });
});
