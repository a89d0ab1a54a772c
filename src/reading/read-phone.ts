import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js';
import { roundedPhone } from '../domain/bookings/faulty-fields.ts';
import type { Json } from '../platform/json.ts';
import { nothing, type Reading, readAs, unclear } from './reading.ts';
import { withoutHidden } from './text.ts';
import { partNamed, partsOf } from './when-parts.ts';

/** What apps, links and programs put around a number, and the words that people put before it. */
const wrapping =
  /^(?:['‘’`"=\s]|(?:[a-z]{2,11}:\/\/|wa\.me\/|api\.whatsapp\.com)[^\d+%]*|\p{L}[\p{L} .]{0,11}:)+/iu;
/** `1,711,000,000`: a spreadsheet showed it as an amount. */
const grouped = /^\d{1,3}(?:,\d{3}){2,}$/;
/** What shows that digits are missing, wrong, or of something else. */
const doubts: readonly (readonly [RegExp, string])[] = [
  // `+88O1711`: typed, or read from paper.
  [/[\d-][OIl]+(?=[\d-]|$)|^[OIl]+(?=\d)/, 'has a letter (O, I or l) where a digit belongs'],
  [
    /\?|[xX*•]{2,}|\d ?[*•]|[*•] ?\d|#\p{L}/u,
    'has a sign in place of a digit, as where one is hidden or not known',
  ],
  [/@/, 'is an e-mail address or the like'],
  [/\d ?\+ ?\d/, 'came as several numbers without anything between them'],
  [/^(?:\+|00)?\d{18,}$/, 'has more digits than a number can have'],
  [
    /^\d{4}-\d\d-\d\d(?:$|[T ])|^\d{1,2}\/\d{1,2}\/\d{4}(?:$| )|^\d{1,2}:\d\d(?::\d\d)?$/,
    'is a day or a time',
  ],
  [/^\+?(\d)\1{6,}$/, 'is one digit again and again'],
];

/**
 * A phone number without what came with it on the way: the digits, signs and spaces of the sender stay. A number that a
 * program rounded is unclear.
 */
export function readPhone(sent: string): Reading {
  const visible = withoutHidden(sent.replace(/[\ufe00-\ufe0f]/g, '')).trim();
  const bare = visible
    .replace(wrapping, '')
    .replace(/\?(?:text|type|app)\b[^?]*$/i, '')
    .replace(/(?<!["'’\s])["'’\s]{1,99}$/, '')
    .replace(/^%2B/i, '+')
    .replace(/%20/g, ' ')
    .trim();
  const text = (grouped.test(bare) ? bare.replaceAll(',', '') : bare).replace(/^(\+?\d{5,15})\.0+$/, '$1');
  if (text === '') return nothing;
  const doubt = doubts.find(([pattern]) => pattern.test(text));
  if (doubt !== undefined) return unclear(doubt[1]);
  if (!roundedPhone.pattern.test(text)) return readAs(text);
  const exact = written(text);
  return exact === undefined ? unclear(roundedPhone.otherwise) : readAs(exact);
}

/** `8.801714350008E+12` has every digit; `8.80171E+12` has not. */
function written(text: string): string | undefined {
  const [mantissa = '', exponent = ''] = text.toLowerCase().split('e');
  const [before = '', after = ''] = mantissa.replace(',', '.').split('.');
  return after.length === Number(exponent) && after !== '' ? before + after : undefined;
}

const wholeKeys = [
  ...['full', 'international', 'e164', 'formatted', 'number', 'phone', 'phonenumber', 'value', 'tel'],
  ...['telephone', 'mobile', 'mobilephone', 'cell', 'cellphone', 'landline', 'home', 'work'],
  ...['national', 'nationalnumber', 'subscribernumber', 'localnumber'],
];
const countryKeys = [
  ...['countrycode', 'dialcode', 'callingcode', 'phonecode', 'isdcode', 'countrycallingcode', 'country'],
  ...['code', 'dial', 'prefix', 'iso2', 'countryiso', 'region'],
];

/**
 * A number in the parts of an object: its country and area code in front. Of several numbers, the international one.
 */
export function phoneInParts(value: Json): Reading {
  const parts = partsOf(value);
  if (parts === undefined) return nothing;
  const country = countryKeys.map((name) => parts.get(name)).find((text) => callingCode(text) !== undefined);
  const numbers = [...new Set(wholeKeys.flatMap((name) => parts.get(name) || []))];
  const international = numbers.filter(isInternational);
  const [number] = international.length === 1 ? international : numbers;
  if (number === undefined) return nothing;
  if (numbers.length > 1 && international.length !== 1)
    return unclear('came as several numbers, and it is not certain which is meant');
  const area = isInternational(number) ? undefined : partNamed(parts, 'area', 'areacode');
  const extension = partNamed(parts, 'ext', 'extension');
  const local = [area, number, extension && `ext. ${extension}`].filter(Boolean).join(' ');
  return readAs(withCountry(country, local));
}

export const isInternational = (phone: string): boolean => /^\s*(?:\+|00)/.test(phone);

/** A country code beside a number, in front of it; a number that has one keeps its own. */
export function withCountry(code: string | undefined, phone: string): string {
  const digits = callingCode(code);
  return digits === undefined || isInternational(phone) ? phone : `+${digits} ${phone}`;
}

/** Of `+44`, `0044`, `GB`; undefined for anything else. */
export function callingCode(code: string | undefined): string | undefined {
  const text = (code ?? '').trim();
  if (/^[a-z]{2}$/i.test(text)) {
    const country = text.toUpperCase();
    return isSupportedCountry(country) ? getCountryCallingCode(country) : undefined;
  }
  const digits = text.replace(/\D/g, '').replace(/^00/, '');
  return digits === '' || digits.length > 4 ? undefined : digits;
}
