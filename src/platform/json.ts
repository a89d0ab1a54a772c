export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The same value with every string well formed and in NFC, recursively. SQLite does not preserve a lone surrogate, and
 * a decomposed accent compares unequal; without this the next poll would report a change that never happened.
 */
export function normalise<T extends Json>(value: T): T;
export function normalise(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed().normalize('NFC');
  if (Array.isArray(value)) return value.map((item) => normalise(item));
  if (value === null || typeof value !== 'object') return value;
  const copy: JsonObject = Object.create(null);
  for (const [key, item] of Object.entries(value))
    copy[key.toWellFormed().normalize('NFC')] = normalise(item);
  return copy;
}

/** JSON with sorted keys: equal content gives equal text, whatever the order of keys. */
export const canonical = (value: Json): string => JSON.stringify(sorted(value));

/** Sorts a copy, then serialises it in one go, which is twice as fast as serialising each part. */
function sorted(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const copy: JsonObject = {};
  for (const key of inOrder(Object.keys(value))) {
    const item = sorted(value[key] ?? null);
    // A plain assignment would set the prototype, and the key would be missing from the text.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true });
    else copy[key] = item;
  }
  return copy;
}

/** Cached: the rows of a list share their keys, and comparing those is cheaper than sorting. */
let last: { keys: readonly string[]; sorted: readonly string[] } = { keys: [], sorted: [] };

function inOrder(keys: readonly string[]): readonly string[] {
  const isAsBefore = keys.length === last.keys.length && keys.every((key, index) => key === last.keys[index]);
  if (!isAsBefore) last = { keys, sorted: keys.toSorted() };
  return last.sorted;
}

/** True for canonical text that `normalise` would leave unchanged: one check instead of one per string. */
export const isNormal = (text: string): boolean =>
  // JSON.stringify escapes a lone surrogate.
  !text.includes('\\ud') && text.normalize('NFC') === text;
