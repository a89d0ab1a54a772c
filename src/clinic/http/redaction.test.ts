import { describe, expect, it } from 'vitest';
import { safeWords } from './redaction.ts';

const patient = {
  name: 'Dr. Farhana O’Neil (Ms.)',
  phone: '+880 1712-345678',
  texts: ['12 Lake Road', 'the slot after lunch', undefined],
};

describe("the clinic's words", () => {
  it.each([
    ['The slot is taken.', 'The slot is taken.'],
    ['Dr. Farhana O’Neil (Ms.) is already booked', '[patient] is already booked'],
    ['farhana is already booked', '[patient] is already booked'],
    ['call 01712345678 or 1712 345 678', 'call [patient] or [patient]'],
    ['number +8801712345678 is invalid', 'number [patient] is invalid'],
    ['come to 12 lake road, the slot after lunch', 'come to [patient], [patient]'],
    ['key app-planted-1 is wrong', 'key [secret] is wrong'],
    ['two\nlines\u0000 and\u2028more', 'two lines and more'],
  ])('%j become %j', (said, shown) => {
    expect(safeWords(said, { patient, secrets: ['app-planted-1'] })).toBe(shown);
  });

  it('are cut to a length that can be shown', () => {
    expect(safeWords('x'.repeat(1_000_000), {})).toHaveLength(300);
  });
});
