import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';

/** Longer is no number; libphonenumber looks no further either. */
const LONGEST_PHONE = 250;

/** The number in E.164, for comparison only (the visitor's own form is sent); null when it cannot be understood. */
export function phoneE164(phone: string | null, country: CountryCode | undefined): string | null {
  if (phone === null || phone.length > LONGEST_PHONE) return null;
  const parsed = parsePhoneNumberFromString(inWesternDigits(phone), country);
  return parsed?.isPossible() ? parsed.number : null;
}

/**
 * What phone numbers are compared by: E.164, and where no country is known or no country has it, its digits. Null when
 * there are too few of them to call anybody.
 */
export function comparablePhone(phone: string | null, country: CountryCode | undefined): string | null {
  if (phone === null || phone.length > LONGEST_PHONE) return null;
  const digits = inWesternDigits(phone).replace(/\D/g, '');
  return phoneE164(phone, country) ?? (digits.length < 5 ? null : digits);
}

/** Whoever types ০১৭১২ has the same telephone as whoever types 01712. */
const inWesternDigits = (text: string): string => text.normalize('NFKC').replace(/\p{Nd}/gu, digitValue);

/** In Unicode the ten digits of a script follow each other, its zero first. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}

/** Where numbers without a country code are from: the setting, else the clinic's own number, else its country field. */
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

/** Of a phone number without its country or trunk prefix, so much is the same however it is written. */
export const PHONE_TAIL = 8;

/**
 * Are these two, as `comparablePhone` gives them, one number? Where only one is known with its country (the clinic's was
 * not known when the other came), the ends have to do: a person compares the two, and nobody is booked twice.
 */
export function isSamePhone(one: string, other: string): boolean {
  if (one === other) return true;
  if (one.startsWith('+') && other.startsWith('+')) return false;
  return one.length >= PHONE_TAIL && one.slice(-PHONE_TAIL) === other.slice(-PHONE_TAIL);
}

const SEPARATORS = /(?<=\d)[\s().\-/‐-―]{1,3}(?=[\d(])/g;

/** The digits by which a phone number is found in a text. Fewer than five find nothing. */
export const phoneEnd = (phone: string): string =>
  inWesternDigits(phone).replace(/\D/g, '').slice(-PHONE_TAIL);

/** Does a text have one of these numbers in it, however it is spaced? Too short a number is never found. */
export function mentionsPhone(text: string, phones: readonly string[]): boolean {
  const digits = inWesternDigits(text).replace(SEPARATORS, '');
  if (!/\d{5}/.test(digits)) return false;
  return phones.some((phone) => {
    const wanted = phoneEnd(phone);
    return wanted.length >= 5 && digits.includes(wanted);
  });
}

/** The digits that a number in E.164 is dialled with, from abroad and at home. */
export function dialled(e164: string): string[] {
  const parsed = parsePhoneNumberFromString(e164);
  return parsed === undefined
    ? []
    : [parsed.number, parsed.formatNational()].map((text) => text.replace(/\D/g, ''));
}
