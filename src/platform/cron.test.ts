import { describe, expect, it } from 'vitest';
import { parseCron, validateCron } from './cron.ts';
import { MINUTE } from './duration.ts';

const next = (expression: string, from: string) =>
  new Date(parseCron(expression).next(Date.parse(from))).toISOString().replace('.000Z', 'Z');

describe('cron', () => {
  it.each([
    ['* * * * *', '2026-03-02T09:00:00Z', '2026-03-02T09:01:00Z'],
    ['*/15 * * * *', '2026-03-02T09:14:59Z', '2026-03-02T09:15:00Z'],
    ['*/20 * * * * *', '2026-03-02T09:00:20.500Z', '2026-03-02T09:00:40Z'],
    ['0 9,17 * * *', '2026-03-02T17:00:00Z', '2026-03-03T09:00:00Z'],
    ['30 6 * * 1-5', '2026-03-06T06:30:00Z', '2026-03-09T06:30:00Z'],
    ['0 0 L * *', '2026-02-10T00:00:00Z', '2026-02-28T00:00:00Z'],
    ['0 0 29 2 *', '2026-03-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['@daily', '2026-03-29T00:30:00Z', '2026-03-30T00:00:00Z'],
  ])('%s after %s comes at %s', (expression, from, expected) => {
    expect(next(expression, from)).toBe(expected);
  });

  it('returns matches strictly after the given instant, and walks through every match', () => {
    const cron = parseCron('*/15 8-9 * * *');
    const found: string[] = [];
    for (let at = Date.parse('2026-03-02T00:00:00Z'); found.length < 9; ) {
      at = cron.next(at);
      found.push(new Date(at).toISOString().slice(11, 16));
    }

    expect(found).toEqual(['08:00', '08:15', '08:30', '08:45', '09:00', '09:15', '09:30', '09:45', '08:00']);
  });

  it.each([
    ['*/15 * * * *', 15 * MINUTE],
    ['*/15 9-17 * * 1-5', 15 * MINUTE],
    ['*/10 * * * * *', 10_000],
    ['0 3 * * *', 24 * 60 * MINUTE],
  ])('the usual interval of %s is %i ms', (expression, expected) => {
    expect(parseCron(expression).intervalMs).toBe(expected);
  });

  it.each(['', 'hourly', '* * * *', '* * * * * * *', '61 * * * *', '0 0 31 2 *'])(
    'refuses %j with a reason',
    (expression) => {
      expect(validateCron(expression)).toEqual(expect.any(String));
      expect(() => parseCron(expression)).toThrow(RangeError);
    },
  );

  it('accepts what it can compute', () => {
    expect(validateCron('*/15 * * * *')).toBeUndefined();
  });
});
