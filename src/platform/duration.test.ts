import { expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

it.each([
  [-5_000, 'less than a second'],
  [499, 'less than a second'],
  [500, '1 s'],
  [75_000, '75 s'],
  [119_400, '119 s'],
  [119_500, '2 min'],
  [100 * 60_000, '100 min'],
  [119.6 * 60_000, '2 h'],
  [47.4 * 3_600_000, '47 h'],
  [47.5 * 3_600_000, '2 days'],
])('says how long %d ms are: %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

it.each([
  ['45s', 45_000],
  ['30m', 1_800_000],
  ['90d', 90 * 86_400_000],
  ['6mo', 180 * 86_400_000],
  ['3y', 1095 * 86_400_000],
  ['3 y', 1095 * 86_400_000],
  ['3', undefined],
  ['3 years', undefined],
  ['-1d', undefined],
])('reads %s as a duration', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});
