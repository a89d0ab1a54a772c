import type { Locale } from '../../platform/text/locale.ts';

const known = new Map<string, number | undefined>();

/** Decimal places of a currency (ISO 4217, from Intl): 0 for JPY, 3 for BHD; undefined for an unknown code. */
export function currencyDigits(currency: string | null): number | undefined {
  if (currency === null) return undefined;
  if (!known.has(currency)) known.set(currency, digitsOf(currency));
  return known.get(currency);
}

function digitsOf(currency: string): number | undefined {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits;
  } catch {
    return undefined;
  }
}

/**
 * A decimal text with the decimal places of its currency: `1500.00` in JPY is `1500`, `1.5` in BHD `1.500`. Never
 * rounds: further non-zero places stay. Exact at any length.
 */
export function amountText(amount: string, currency: string | null): string {
  const digits = currencyDigits(currency);
  const [, whole = amount, places = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (digits === undefined || !/^-?\d+$/.test(whole)) return amount;
  const said = withoutFinalZeros(places).padEnd(digits, '0');
  return said === '' ? whole : `${whole}.${said}`;
}

/** For display in a language, with the decimal places of the currency and its code: `12.500,00 EUR`. Exact. */
export const moneyText = (
  amount: string,
  currency: string | null,
  { number }: Pick<Locale, 'number'>,
): string => `${number(amountText(amount, currency))} ${currency ?? ''}`.trim();

/** Not by `/0+$/`, which takes a quadratic time for many zeros before another digit. */
export function withoutFinalZeros(places: string): string {
  let end = places.length;
  while (places[end - 1] === '0') end -= 1;
  return places.slice(0, end);
}

/** The exact sum of decimal texts, with as many places as the longest has. */
export function addAmounts(amounts: readonly string[]): string {
  const places = amounts.reduce((most, one) => Math.max(most, one.split('.')[1]?.length ?? 0), 0);
  let sum = 0n;
  for (const one of amounts) {
    const [whole = '0', fraction = ''] = one.split('.');
    sum += BigInt(whole + fraction.padEnd(places, '0'));
  }
  const text = `${sum < 0n ? -sum : sum}`.padStart(places + 1, '0');
  const point = text.length - places;
  const unsigned = places === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
  return sum < 0n ? `-${unsigned}` : unsigned;
}

export const negated = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
