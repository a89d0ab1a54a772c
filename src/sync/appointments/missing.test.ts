import { expect, it } from 'vitest';
import { instant } from '../../platform/clock.ts';
import { HOUR, MINUTE } from '../../platform/duration.ts';
import { afterMiss } from './missing.ts';

const start = Date.parse('2026-03-02T09:00:00Z');

/** Answers at these minutes, each without the visit; whether it is missing after each. */
function missingAfter(...minutes: number[]): boolean[] {
  let known: Parameters<typeof afterMiss>[0] = { misses: 0, missed_at: null };
  return minutes.map((minute) => {
    const { misses, missed_at, missing = false } = afterMiss(known, start + minute * MINUTE);
    known = { misses, missed_at };
    return missing;
  });
}

it('takes three answers over ten minutes', () => {
  expect(missingAfter(0, 1, 2, 9, 10)).toEqual([false, false, false, false, true]);
  expect(missingAfter(0, 60, 120)).toEqual([false, false, true]);
});

it('counts anew after a clock was set back behind the first', () => {
  const ahead = { misses: 2, missed_at: instant(start + HOUR) };

  expect(afterMiss(ahead, start)).toEqual({ misses: 1, missed_at: instant(start), missing: false });
});
