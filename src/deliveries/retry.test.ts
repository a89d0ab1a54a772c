import { describe, expect, it } from 'vitest';
import { convergePauseMs, nextAttemptMs } from './retry.ts';

const schedule = [5_000, 300_000];

describe('the next attempt', () => {
  it.each([
    [1, 5_000],
    [2, 300_000],
    [3, undefined],
  ])('after attempt %i comes in %j ms', (attempts, ms) => {
    expect(nextAttemptMs({ schedule, attempts, random: 0 })).toBe(ms);
  });

  it('is never sooner than the schedule, and at most a fifth later', () => {
    expect(nextAttemptMs({ schedule, attempts: 1, random: 0.999 })).toBe(5_999);
  });

  it('waits as long as the receiver asks, when that is longer, but no more than a day', () => {
    const asking = (retryAfterMs: number) =>
      nextAttemptMs({ schedule, attempts: 1, retryAfterMs, random: 0 });

    expect(asking(1_000)).toBe(5_000);
    expect(asking(60_000)).toBe(60_000);
    expect(asking(10 * 86_400_000)).toBe(86_400_000);
  });
});

describe('the pause after a failed converge', () => {
  it('doubles up to a quarter of an hour', () => {
    const pauses = [1, 2, 3, 9, 1_000].map((n) => convergePauseMs(n, { refused: false, random: 0 }));

    expect(pauses).toEqual([5_000, 10_000, 20_000, 900_000, 900_000]);
  });

  it('is long when only a user can help, once the user was informed', () => {
    const pauses = [1, 2, 3, 4].map((n) => convergePauseMs(n, { refused: true, random: 0 }));

    expect(pauses).toEqual([5_000, 10_000, 900_000, 900_000]);
  });

  it('is short where an attempt costs nothing, whoever can help', () => {
    const pauses = [1, 4, 9].map((n) => convergePauseMs(n, { refused: true, withinMs: 20_000, random: 0 }));

    expect(pauses).toEqual([5_000, 20_000, 20_000]);
  });

  it('is as long as the other side asks for, if that is longer', () => {
    expect(convergePauseMs(1, { refused: false, retryAfterMs: 60_000, random: 0 })).toBe(60_000);
  });
});
