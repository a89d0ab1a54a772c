import { describe, expect, it } from 'vitest';
import { type GuardVerdict, mayPass } from './guard.ts';

describe('a held answer', () => {
  const verdict: GuardVerdict = {
    kind: 'removed',
    count: 9,
    of: 10,
    fingerprint: 'nine gone',
    sentence: 'Nine of ten are gone.',
    things: [],
    approval_only: false,
  };
  const held = {
    state: 'open',
    fingerprint: 'nine gone',
    seen: 3,
    first_at: '2026-03-02T09:00:00.000Z',
    last_at: '2026-03-02T10:00:00.000Z',
  } as const;

  it.each([
    ['after three equal answers within an hour', {}, true],
    ['not after two, however far apart', { seen: 2, last_at: '2026-03-03T09:00:00.000Z' }, false],
    ['not after many within less than an hour', { seen: 50, last_at: '2026-03-02T09:59:59.000Z' }, false],
    ['not when another answer was seen before', { fingerprint: 'eight gone' }, false],
  ])('goes through unasked %s', (_, seen, passes) => {
    expect(mayPass({ ...held, ...seen }, verdict)).toBe(passes);
  });

  it('is never applied without a user when only a user may decide', () => {
    expect(mayPass(held, { ...verdict, approval_only: true })).toBe(false);
    expect(mayPass({ ...held, state: 'approved' }, { ...verdict, approval_only: true })).toBe(true);
  });
});
