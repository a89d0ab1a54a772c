import { describe, expect, it } from 'vitest';
import { comparablePhone, countryFor, dialled, isSamePhone, phoneE164 } from './phone.ts';

describe('phone numbers', () => {
  it('takes the country from the setting, else from the clinic’s own number, else from its country', () => {
    expect(countryFor('GB', { phone: '+8801711000000' })).toBe('GB');
    expect(countryFor(undefined, { phone: '+880 1711-000000', country: 'GB' })).toBe('BD');
    expect(countryFor(undefined, { phone: '01711000000', country: 'bd' })).toBe('BD');
    expect(countryFor(undefined, { phone: '01711000000', country: 'Bangladesh' })).toBeUndefined();
    expect(countryFor(undefined, undefined)).toBeUndefined();
  });

  it('has no comparable number for unreadable text', () => {
    expect(phoneE164('01712345678', 'BD')).toBe('+8801712345678');
    expect(phoneE164('01712345678', undefined)).toBeNull();
    expect(phoneE164('call me', 'BD')).toBeNull();
  });

  it.each([
    ['01712345678', undefined, '+8801712345678', undefined],
    ['8801712345678', undefined, '01712345678', undefined],
    ['01712 345678', 'BD', '01712345678', undefined],
  ] as const)(
    'are one where a country is not known of both: %s and %s',
    (one, country, other, otherCountry) => {
      const [a, b] = [comparablePhone(one, country) ?? '', comparablePhone(other, otherCountry) ?? ''];

      expect([isSamePhone(a, b), isSamePhone(b, a)]).toEqual([true, true]);
    },
  );

  it.each([
    ['+8801712345678 / +8801812345679', 'BD', '+8801712345678'],
    ['01712 345 678/01812345679', 'BD', '+8801712345678'],
    ['01712-345678, 01812-345679', 'BD', '+8801712345678'],
    ['০১৭১২৩৪৫৬৭৮ or 01812345679', 'BD', '+8801712345678'],
    ['030/1234567 / 0171 1234567', 'DE', '+49301234567'],
    ['030/1234567', 'DE', '+49301234567'],
    ['1234567 / 7654321', undefined, '1234567'],
    ['017123410310', 'BD', '017123410310'],
  ] as const)('are compared by the first of several: %s', (text, country, compared) => {
    expect(comparablePhone(text, country)).toBe(compared);
  });

  it.each([
    ['+8801712345678', '+491712345678'],
    ['12345', '912345'],
  ])('are two: %s and %s', (one, other) => {
    expect(isSamePhone(one, other)).toBe(false);
  });

  it('are formatted as dialled from abroad and domestically', () => {
    expect(dialled('+8801712345678')).toEqual(['8801712345678', '01712345678']);
    expect(dialled('nobody')).toEqual([]);
  });
});
