import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, FIFTH_LATER, jittered, UPPER_HALF } from './backoff.ts';

describe('backoff', () => {
  it('doubles from its floor to its cap', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((failures) => backoffMs(failures, { floor: 5_000, cap: 60_000 }));

    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('waits the same for zero failures as for one', () => {
    expect(backoffMs(0, { floor: 5_000, cap: 60_000 })).toBe(5_000);
  });

  it('stays within its bounds, whatever the number of failures', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, random) => {
          const ms = backoffMs(failures, { floor: 5_000, cap: 600_000, jitter: UPPER_HALF }, random);

          expect(ms).toBeGreaterThanOrEqual(2_500);
          expect(ms).toBeLessThanOrEqual(600_000);
        },
      ),
    );
  });

  it.each([
    [FIFTH_LATER, 0, 1_000],
    [FIFTH_LATER, 0.5, 1_100],
    [UPPER_HALF, 0, 500],
    [UPPER_HALF, 0.5, 750],
  ])('spreads a second by %j: %f is %i ms', (jitter, random, ms) => {
    expect(jittered(1_000, jitter, random)).toBe(ms);
  });
});
