import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addAmounts, amountForPeople, amountText, currencyDigits, negated } from './money.ts';

it.each([
  ['1500.00', 'JPY', '1500'],
  ['1.5', 'BHD', '1.500'],
  ['700.00', 'BDT', '700.00'],
  ['700', 'EUR', '700.00'],
  ['-3', 'USD', '-3.00'],
  ['0.125', 'EUR', '0.125'],
  ['12.50', 'JPY', '12.5'],
  ['12.50', 'TAKA', '12.50'],
  ['12.50', null, '12.50'],
  ['12345678901234567890.10', 'USD', '12345678901234567890.10'],
])('writes %s in %s as %s', (amount, currency, text) => {
  expect(amountText(amount, currency)).toBe(text);
});

it('knows the decimal places of a currency, and rejects unknown codes', () => {
  expect(['JPY', 'BHD', 'USD', 'TAKA', null].map(currencyDigits)).toEqual([0, 3, 2, undefined, undefined]);
});

it('groups thousands for display', () => {
  expect(amountForPeople('1234567.5', 'USD')).toBe('1,234,567.50');
  expect(amountForPeople('-1234', 'JPY')).toBe('-1,234');
  expect(amountForPeople('999', 'JPY')).toBe('999');
});

it('adds exactly where floating-point numbers would not', () => {
  expect(addAmounts(['0.10', '0.20'])).toBe('0.30');
  expect(addAmounts(['0.1', negated('0.30')])).toBe('-0.20');
  expect(addAmounts(['99999999999999999999.99', '0.01'])).toBe('100000000000000000000.00');
  expect(addAmounts([])).toBe('0');
});

it('adds as whole numbers of the smallest unit do', () => {
  const cents = fc.integer({ min: -10_000_000, max: 10_000_000 });
  const text = (n: number) =>
    `${n < 0 ? '-' : ''}${Math.floor(Math.abs(n) / 100)}.${String(Math.abs(n) % 100).padStart(2, '0')}`;

  fc.assert(
    fc.property(fc.array(cents, { minLength: 1 }), (all) => {
      expect(addAmounts(all.map(text))).toBe(text(all.reduce((a, b) => a + b, 0)));
    }),
  );
});
