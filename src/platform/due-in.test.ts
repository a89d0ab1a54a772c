import { expect, it } from 'vitest';
import { dueIn } from './due-in.ts';

const wait = { since: '2026-03-02T09:00:00.000Z', until: '2026-03-02T09:10:00.000Z' };

it.each([
  ['lasts until its end', '2026-03-02T09:04:00Z', 360_000],
  ['is over at its end', '2026-03-02T09:10:00Z', 0],
  ['is over long after its end', '2026-03-03T00:00:00Z', 0],
  ['is over when the clock was set back behind its beginning', '2026-03-02T08:59:59Z', 0],
])('a stored wait %s', (_title, now, ms) => {
  expect(dueIn(wait, Date.parse(now))).toBe(ms);
});
