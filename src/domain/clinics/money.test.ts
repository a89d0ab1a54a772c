import fc from 'fast-check';
import { expect, it } from 'vitest';
import { localeOf } from '../../platform/text/locale.ts';
import { addAmounts, amountText, currencyDigits, moneyText, negated } from './money.ts';

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

it.each([
  ['en', '1234567.5', 'USD', '1,234,567.50 USD'],
  ['de', '99.998', 'BHD', '99,998 BHD'],
  ['tr', '-1234', 'JPY', '-1.234 JPY'],
  ['pl', '12345678901234567890.10', 'EUR', '12 345 678 901 234 567 890,10 EUR'],
  ['bn', '250000.00', 'BDT', '২,৫০,০০০.০০ BDT'],
  ['de', '0.0000000000000000000000001', null, '0.0000000000000000000000001'],
  ['de', 'by arrangement', null, 'by arrangement'],
] as const)('writes in %s %s %s as %s', (lang, amount, currency, text) => {
  expect(moneyText(amount, currency, localeOf(lang)).replaceAll('\u00a0', ' ')).toBe(text);
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
