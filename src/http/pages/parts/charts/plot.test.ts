import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../../platform/duration.ts';
import { toText } from '../../../../platform/text/html.ts';
import { localeOf } from '../../../../platform/text/locale.ts';
import { description, niceLevels, plot } from './plot.ts';

const now = Date.parse('2026-03-02T09:00:00Z');

const dhaka = localeOf('en', 'Asia/Dhaka');

const draw = (values: readonly number[]) =>
  toText(
    plot(
      {
        title: 'Patients',
        points: values.map((value, index) => ({ at: now - (values.length - index) * DAY, value })),
        now,
        id: 'p',
      },
      dhaka,
    ),
  );

describe('levels of the axis', () => {
  it.each([
    [4_120, 4_300, [4_100, 4_200, 4_300]],
    [11, 12, [11, 12]],
    [12, 12, [11, 12, 13]],
    [0, 0, [0, 1]],
    [0, 7, [0, 5, 10]],
  ])('from %d to %d', (low, high, levels) => {
    expect(niceLevels(low, high)).toEqual(levels);
  });

  test.prop([fc.nat(), fc.nat()], { numRuns: 200 })('are few, whole and enclose the values', (a, b) => {
    const levels = niceLevels(Math.min(a, b), Math.max(a, b));

    expect(levels.length).toBeGreaterThanOrEqual(2);
    expect(levels.length).toBeLessThanOrEqual(6);
    expect(levels.every(Number.isInteger)).toBe(true);
    expect(levels[0]).toBeLessThanOrEqual(Math.min(a, b));
    expect(levels.at(-1)).toBeGreaterThanOrEqual(Math.max(a, b));
  });
});

it('draws steps, because a value holds until the next', () => {
  expect(draw([1, 2])).toMatch(/class="line" d="M42 \d+(\.\d+)?H147V10H252"/);
});

it('stays small with as long a series as a report has', () => {
  const text = draw(Array.from({ length: 400 }, (_, index) => index));

  expect(text.length).toBeLessThan(14_000);
  expect(text).toMatch(/20\d\d: 0; \d+ \w+ 20\d\d: 399\./);
});

it('names for the pointer each value and its day, and of many only those it can tell apart', () => {
  const said = (values: number[]) =>
    [...draw(values).matchAll(/<title>([^<]+)<\/title><\/path>/g)].map(([, text]) => text);

  expect(said([1, 4_120, 4_300])).toEqual([
    ...['27 February 2026: 1', '28 February 2026: 4,120', '1 March 2026: 4,300'],
  ]);
  const many = said(Array.from({ length: 400 }, (_, index) => index));
  expect(many.length).toBeLessThanOrEqual(40);
  expect(many.at(-1)).toBe('1 March 2026: 399');
});

it('interrupts the line while there is no value, also at its end', () => {
  const points = [5, null, 7, null].map((value, index) => ({ at: now - (4 - index) * DAY, value }));
  const text = toText(plot({ title: 'Fee', points, now, id: 'p' }, dhaka));

  expect(text.match(/class="line"/g)).toHaveLength(2);
  expect(text).not.toContain('class="dot"');
});

it('never draws what is not a number', () => {
  for (const values of [[7], [0], [3, 3], [5, 1, 5]]) expect(draw(values)).not.toContain('NaN');
});

it('says in words what it shows, on the clinic’s calendar', () => {
  const points = [
    { at: Date.parse('2026-01-31T20:00:00Z'), value: 4_120 },
    { at: now, value: 4_300 },
  ];

  expect(description('Patients', points, dhaka)).toBe(
    'Patients. 1 February 2026: 4,120; 2 March 2026: 4,300.',
  );
  expect(description('Patients', points.slice(0, 1), dhaka)).toBe('Patients. 1 February 2026: 4,120.');
  expect(description('Patients', points, localeOf('en', 'Not/AZone'))).toContain('31 January');
});
