export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/**
 * The same value with every string well formed and NFC, recursively. A lone surrogate does not survive SQLite and a
 * decomposed accent compares unequal, so without this the next poll would report a change that never happened.
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

/** JSON with sorted keys: equal content gives equal text, whatever order the keys arrived in. */
export function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join(',')}}`;
}
