import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../platform/duration.ts';
import { nextFinalRead } from './after-final.ts';

const zone = 'Asia/Dhaka';
/** 10:00 in Dhaka on the day of the visit; its evening is ten hours later. */
const since = Date.parse('2026-03-02T04:00:00Z');
const visit = { since, date: '2026-03-02' };

it('reads a final status again after ten minutes, an hour and on the evening of the visit, then no more', () => {
  const reads = [0, 10 * MINUTE, HOUR, 10 * HOUR].map((ms) => nextFinalRead(visit, since + ms, zone));

  expect(reads).toEqual([since + 10 * MINUTE, since + HOUR, since + 10 * HOUR, undefined]);
});

it('reads one that came after the evening or without a readable date twice', () => {
  const late = since + DAY;

  for (const date of ['2026-03-02', null, '2026-02-31'])
    expect([0, 10 * MINUTE, HOUR].map((ms) => nextFinalRead({ since: late, date }, late + ms, zone))).toEqual(
      [late + 10 * MINUTE, late + HOUR, undefined],
    );
});

it('reads one soon that became final in the future, before the clock was set back', () => {
  const ahead = { since: since + 30 * DAY, date: null };

  expect(nextFinalRead(ahead, since, zone)).toBe(since + 10 * MINUTE);
});
