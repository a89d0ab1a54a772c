import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { westernDigits } from '../platform/text/digits.ts';

/** Maximum length of a number, as in libphonenumber. */
const LONGEST_PHONE = 250;

/** The number in E.164, for comparison only (it is sent as the visitor wrote it); null if it cannot be parsed. */
export function phoneE164(phone: string | null, country: CountryCode | undefined): string | null {
  if (phone === null || phone.length > LONGEST_PHONE) return null;
  const parsed = parsePhoneNumberFromString(westernDigits(phone), country);
  return parsed?.isPossible() ? parsed.number : null;
}

/**
 * The form in which phone numbers are compared: E.164, or plain digits if no country fits. Null for fewer than five
 * digits. Of several numbers in one text, the first counts.
 */
export function comparablePhone(phone: string | null, country: CountryCode | undefined): string | null {
  if (phone === null || phone.length > LONGEST_PHONE) return null;
  const number = phoneE164(phone, country);
  if (number !== null) return number;
  const [first = '', second] = numbersIn(phone);
  if (second !== undefined) return comparablePhone(first, country);
  const digits = digitsOf(phone);
  return digits.length < 5 ? null : digits;
}

const digitsOf = (text: string): string => westernDigits(text).replace(/\D/g, '');

/** Shorter digits before a separator are a dialling code: `030/1234567`. */
const LEAST_OF_SEVERAL = 7;

/** The numbers in `01712 345678 / 01812345678`, `… or …`. */
function numbersIn(phone: string): string[] {
  const numbers: string[] = [];
  let begun = '';
  for (const part of phone.split(/[/;,|&]|\s\p{L}+\s/u)) {
    begun += part;
    if (digitsOf(begun).length < LEAST_OF_SEVERAL) continue;
    numbers.push(begun);
    begun = '';
  }
  return numbers;
}

/** Country of numbers without a country code: the setting, else that of the clinic's own number, else its country. */
export function countryFor(
  setting: string | undefined,
  organization: { phone?: unknown; country?: unknown } | undefined,
): CountryCode | undefined {
  if (setting !== undefined) return isSupportedCountry(setting) ? setting : undefined;
  const { phone, country } = organization ?? {};
  if (typeof phone === 'string') {
    const own = parsePhoneNumberFromString(phone.normalize('NFKC'))?.country;
    if (own !== undefined) return own;
  }
  if (typeof country !== 'string') return undefined;
  const code = country.trim().toUpperCase();
  return isSupportedCountry(code) ? code : undefined;
}

/** Number of trailing digits that no country code or trunk prefix changes. */
export const PHONE_TAIL = 8;

/**
 * Whether two results of `comparablePhone` are the same number. If only one has a country code (the other came before
 * the clinic's country was known), the trailing digits decide: a false match only asks a user; a missed one books
 * twice.
 */
export function isSamePhone(one: string, other: string): boolean {
  if (one === other) return true;
  if (one.startsWith('+') && other.startsWith('+'))
    return withoutMobilePrefix(one) === withoutMobilePrefix(other);
  return one.length >= PHONE_TAIL && one.slice(-PHONE_TAIL) === other.slice(-PHONE_TAIL);
}

/**
 * Some write the digit that calls a mobile from abroad, others do not (Argentina 9, Mexico 1); Italian landlines keep
 * their zero, which people drop; Brazil put a 9 before its mobiles.
 */
const withoutMobilePrefix = (e164: string): string =>
  e164
    .replace(/^\+549(?=\d{10}$)/, '+54')
    .replace(/^\+521(?=\d{10}$)/, '+52')
    .replace(/^\+390(?=\d{5,})/, '+39')
    .replace(/^(\+55\d{2})9(?=\d{8}$)/, '$1');

const SEPARATORS = /(?<=\d)[\s().\-/‐-―]{1,3}(?=[\d(])/g;

/** The digits by which a phone number is found in a text. Fewer than five match nothing. */
export const phoneEnd = (phone: string): string => digitsOf(phone).slice(-PHONE_TAIL);

/** Whether a text contains one of these numbers, however spaced. Numbers under five digits are never found. */
export function mentionsPhone(text: string, phones: readonly string[]): boolean {
  const digits = westernDigits(text).replace(SEPARATORS, '');
  if (!/\d{5}/.test(digits)) return false;
  return phones.some((phone) => {
    const wanted = phoneEnd(phone);
    return wanted.length >= 5 && digits.includes(wanted);
  });
}

/** The digits of an E.164 number as dialled from abroad and domestically. */
export function dialled(e164: string): string[] {
  const parsed = parsePhoneNumberFromString(e164);
  return parsed === undefined
    ? []
    : [parsed.number, parsed.formatNational()].map((text) => text.replace(/\D/g, ''));
}
