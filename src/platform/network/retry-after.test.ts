import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_RETRY_AFTER_MS, retryAfterMs } from './retry-after.ts';

const now = Date.parse('2026-03-02T09:00:00Z');
const read = (header: string | undefined, date?: string) => retryAfterMs(header, { date, now });

describe('Retry-After', () => {
  it.each([
    ['7', 7_000],
    ['0', 0],
    [' 12 ', 12_000],
    ['86400', LONGEST_RETRY_AFTER_MS],
    ['99999999999999', LONGEST_RETRY_AFTER_MS],
    // Epoch times, in seconds and milliseconds, ahead and past.
    [String(now / 1_000 + 30), 30_000],
    [String(now + 30_000), 30_000],
    [String(now / 1_000 - 30), 0],
    [String(now / 1_000 + 86_400), LONGEST_RETRY_AFTER_MS],
    ['Mon, 02 Mar 2026 09:00:30 GMT', 30_000],
    ['Monday, 02-Mar-26 09:00:30 GMT', 30_000],
    ['Mon Mar  2 09:00:30 2026', 30_000],
    ['Mon, 02 Mar 2026 08:00:00 GMT', 0],
    ['Tue, 01 Jan 2999 00:00:00 GMT', LONGEST_RETRY_AFTER_MS],
  ])('%j is %i ms', (header, ms) => {
    expect(read(header)).toBe(ms);
  });

  it.each(['', 'soon', 'soon 5', '-5', '1e3', '0x10', '5 minutes', '2026-03-02T09:00:30Z', 'Infinity', '٣'])(
    '%j says nothing',
    (header) => {
      expect(read(header)).toBeUndefined();
    },
  );

  it('measures a date against the server’s clock', () => {
    const ms = read('Mon, 02 Mar 2020 10:00:30 GMT', 'Mon, 02 Mar 2020 10:00:00 GMT');

    expect(ms).toBe(30_000);
  });

  it('accepts any input', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (header, date) => {
        const ms = read(header, date);
        return ms === undefined || (ms >= 0 && ms <= LONGEST_RETRY_AFTER_MS);
      }),
    );
  });
});
