import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js';
import { roundedPhone } from '../domain/faulty-fields.ts';
import { isObject, type Json } from '../platform/json.ts';
import { nothing, type Reading, readAs, unclear } from './reading.ts';
import { withoutHidden } from './text.ts';

/** What apps, links and programs put around a number. */
const wrapping =
  /^(?:'|=?"|tel(?:ephone)?:|phone:|p:|whatsapp:(?:\/\/send\?phone=)?|(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\?phone=))+/i;

/**
 * A phone number without what came with it on the way: the digits, signs and spaces of the sender stay. A number that a
 * program rounded is unclear.
 */
export function readPhone(sent: string): Reading {
  const visible = withoutHidden(sent.replace(/[\ufe00-\ufe0f]/g, '')).trim();
  const bare = visible
    .replace(wrapping, '')
    .replace(/"$/, '')
    .replace(/^%2B/i, '+')
    .replace(/%20/g, ' ')
    .trim();
  const text = bare.replace(/^(\+?\d{5,15})\.0+$/, '$1');
  if (text === '') return nothing;
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
  'full',
  'international',
  'e164',
  'formatted',
  'number',
  'phone',
  'phonenumber',
  'value',
  'tel',
  ...['telephone', 'mobile', 'mobilephone', 'cell', 'cellphone', 'landline', 'home', 'work'],
];
const countryKeys = [
  'countrycode',
  'dialcode',
  'callingcode',
  'phonecode',
  'isdcode',
  'countrycallingcode',
  'country',
];
const key = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** A number in the parts of an object: its country and area code in front. Of several numbers, the international one. */
export function phoneInParts(value: Json): Reading {
  if (!isObject(value)) return nothing;
  const parts = new Map(
    Object.entries(value).flatMap(([name, part]): [string, string][] =>
      typeof part === 'string' || typeof part === 'number' ? [[key(name), String(part).trim()]] : [],
    ),
  );
  const country = countryKeys.map((name) => parts.get(name)).find((text) => callingCode(text) !== undefined);
  const numbers = [...new Set(wholeKeys.flatMap((name) => parts.get(name) || []))];
  const [number] = numbers;
  if (number === undefined) return nothing;
  const international = numbers.filter(isInternational);
  if (international.length === 1) return readAs(international[0] ?? '');
  if (numbers.length > 1) return unclear('came as several numbers, and it is not certain which is meant');
  const area = parts.get('area') ?? parts.get('areacode') ?? '';
  return readAs(withCountry(country, [area, number].filter(Boolean).join(' ')));
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
