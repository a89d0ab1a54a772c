import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createSandboxLimiter, type LimiterOptions } from './limiter.ts';

const kinds = ['fixed_window', 'sliding_window', 'token_bucket'] as const;

function setUp(options: LimiterOptions) {
  const clock = fakeClock('2026-03-02T09:00:00Z');
  const limiter = createSandboxLimiter({ clock, options });
  /** How many of these calls get through now. */
  const accepted = (calls: number) =>
    Array.from({ length: calls }, () => limiter.refuse()).filter((refusal) => refusal === undefined).length;
  return { clock, limiter, accepted };
}

describe.each(kinds)('a %s of 10 a minute', (kind) => {
  it('lets 10 calls through at once and refuses the next', () => {
    const { accepted } = setUp({ kind, limit: 10 });

    expect(accepted(15)).toBe(10);
  });

  it('lets 10 more through a whole window later', async () => {
    const { clock, accepted } = setUp({ kind, limit: 10 });
    accepted(15);

    await clock.advance(60_000);

    expect(accepted(15)).toBe(10);
  });

  it('admits a client that waits as long as Retry-After says', async () => {
    const { clock, limiter, accepted } = setUp({ kind, limit: 10 });
    await clock.advance(12_345);
    accepted(10);
    const seconds = Number(limiter.refuse()?.['retry-after']);

    await clock.advance(seconds * 1000);

    expect(limiter.refuse()).toBeUndefined();
    expect(limiter.counts()).toEqual({ accepted: 11, refused: 1, early: 0 });
  });

  it('counts every call that comes earlier than Retry-After allows', async () => {
    const { clock, limiter, accepted } = setUp({ kind, limit: 10 });
    accepted(10);
    const seconds = Number(limiter.refuse()?.['retry-after']);

    await clock.advance(seconds * 1000 - 1);
    limiter.refuse();

    expect(limiter.counts().early).toBe(1);
  });

  it('gives no Retry-After, seconds or a date', () => {
    const header = (retryAfter: 'none' | 'seconds' | 'date') => {
      const { limiter, accepted } = setUp({ kind, limit: 1, retryAfter });
      accepted(1);
      return limiter.refuse();
    };

    expect(header('none')).toEqual({});
    expect(header('seconds')).toEqual({ 'retry-after': '60' });
    expect(header('date')).toEqual({ 'retry-after': 'Mon, 02 Mar 2026 09:01:00 GMT' });
  });
});

describe('the kinds of limiter', () => {
  it('a fixed window starts again at its boundary', async () => {
    const { clock, accepted } = setUp({ kind: 'fixed_window', limit: 10 });
    await clock.advance(59_000);
    accepted(10);

    await clock.advance(1_000);

    expect(accepted(15)).toBe(10);
  });

  it('a sliding window frees a call only when it is a window old', async () => {
    const { clock, accepted } = setUp({ kind: 'sliding_window', limit: 10 });
    accepted(4);
    await clock.advance(30_000);
    accepted(6);

    await clock.advance(30_000);

    expect(accepted(15)).toBe(4);
  });

  it('a token bucket refills evenly', async () => {
    const { clock, accepted } = setUp({ kind: 'token_bucket', limit: 10 });
    accepted(10);

    await clock.advance(18_000);

    expect(accepted(15)).toBe(3);
  });

  it('refused calls keep a sliding window shut when they count', async () => {
    const { clock, limiter, accepted } = setUp({ kind: 'sliding_window', limit: 2, countsRefused: true });
    accepted(2);
    for (let second = 0; second < 90; second += 1) {
      await clock.advance(1_000);
      expect(limiter.refuse()).toBeDefined();
    }

    await clock.advance(60_000);

    expect(accepted(3)).toBe(2);
  });
});
