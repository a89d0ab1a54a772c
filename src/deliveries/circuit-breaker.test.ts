import { expect, it } from 'vitest';
import { HOUR } from '../platform/duration.ts';
import { isOutage, mustPause, restMs } from './circuit-breaker.ts';

const now = Date.parse('2026-03-03T12:00:00Z');
const ago = (hours: number) => new Date(now - hours * HOUR).toISOString();

it('treats five consecutive failures as an outage, not four', () => {
  expect([4, 5].map(isOutage)).toEqual([false, true]);
});

it('rests longer after each failed probe, up to five minutes', () => {
  expect([5, 6, 7, 99].map(restMs)).toEqual([5_000, 10_000, 20_000, 300_000]);
});

it.each([
  ['nothing succeeded for a day while something waited', 5, ago(25), ago(24), true],
  ['nothing ever succeeded and something waited for a day', 5, null, ago(24), true],
  ['too few tries', 4, ago(48), ago(48), false],
  ['a success within the day', 9, ago(23), ago(48), false],
  ['nothing waited for as long as a day', 9, ago(48), ago(2), false],
])('%s', (_title, failures, success, oldest, pauses) => {
  expect(mustPause(failures, success, oldest, now)).toBe(pauses);
});
