import { isObject, type Json, type JsonObject } from '../platform/json.ts';
import { decodeEntities } from '../platform/text/html.ts';

/** The value as specified, or an equal one of a similar type; undefined when absent or meaningless. */
export type ValueReader = (value: Json | undefined) => Json | undefined;

const DECIMAL = /^-?\d+(\.\d+)?$/;
const WHOLE = /^(0|[1-9]\d*)$/;

/** A number as plain digits. What JavaScript writes with an exponent is neither phone number nor fee. */
const digits = (value: number): string | undefined => {
  const written = String(value);
  return DECIMAL.test(written) ? written : undefined;
};

export const textValue: ValueReader = (value) =>
  typeof value === 'string' ? value : typeof value === 'number' ? digits(value) : undefined;

/** A name or another plain text, whose HTML entities are the characters that they stand for. */
export const plainText: ValueReader = (value) => {
  const written = textValue(value);
  return typeof written === 'string' ? decodeEntities(written) : written;
};

/** Decimals are strings (section 2) and stay as sent; a number becomes one. */
export const decimal: ValueReader = (value) => {
  const written = textValue(value);
  return typeof written === 'string' && DECIMAL.test(written) ? written : undefined;
};

export const numberValue: ValueReader = (value) => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : undefined;
};

/** `5` or `"5"`. */
export function id(value: Json | undefined): number | undefined {
  const given = typeof value === 'string' && WHOLE.test(value) ? Number(value) : value;
  return typeof given === 'number' && Number.isSafeInteger(given) ? given : undefined;
}

export function countValue(value: Json | undefined): number | undefined {
  const given = id(value);
  return given !== undefined && given >= 0 ? given : undefined;
}

export const flagValue: ValueReader = (value) => {
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  return value === false || value === 0 || value === '0' || value === 'false' ? false : undefined;
};

const matching =
  (pattern: RegExp): ValueReader =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? value : undefined;
export const date = matching(/^\d{4}-\d{2}-\d{2}$/);
export const timeValue = matching(/^\d{2}:\d{2}(:\d{2})?$/);

/** Keeps fields outside the specification. */
export const objectOf =
  (fields: Record<string, ValueReader>): ValueReader =>
  (value) => {
    if (!isObject(value)) return undefined;
    const read: JsonObject = { ...value };
    for (const [name, reader] of Object.entries(fields)) read[name] = reader(value[name]) ?? null;
    return read;
  };

/** Drops unreadable entries. An empty map may be `[]`: PHP has one type for both. */
export const mapOf =
  (reader: ValueReader): ValueReader =>
  (value) => {
    if (Array.isArray(value) && value.length === 0) return {};
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value).map(([key, item]) => [key, reader(item)] as const);
    return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
  };

export const listOf =
  (reader: ValueReader): ValueReader =>
  (value) => {
    if (isObject(value) && Object.keys(value).length === 0) return [];
    if (!Array.isArray(value)) return undefined;
    return value.map(reader).filter((item) => item !== undefined);
  };
