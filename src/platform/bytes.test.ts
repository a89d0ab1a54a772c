import { expect, it } from 'vitest';
import { formatBytes, parseBytes } from './bytes.ts';

it.each([
  ['200MB', 200_000_000],
  ['1.5 GB', 1_500_000_000],
  ['512 kB', 512_000],
  ['0B', 0],
  ['200', undefined],
  ['-1MB', undefined],
  ['MB', undefined],
  ['1e9 B', undefined],
])('reads %s as %s', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_234, '1.2 kB'],
  [200_000_000, '200 MB'],
  [1_940_000_000, '1.9 GB'],
])('writes %s as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
