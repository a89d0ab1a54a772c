import { Failure } from '../platform/failure.ts';

type Bound = string | number | bigint | null | Buffer;

/**
 * Checks every value bound to a statement. SQLite would silently store `undefined` and NaN as NULL and round integers
 * above 2^53, so these are rejected. Lone surrogates would be read back as other text.
 */
export function bind(value: unknown): Bound {
  if (value === null) return value;
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return value;
  } else if (typeof value === 'bigint' || Buffer.isBuffer(value)) return value;
  const kind = typeof value === 'number' ? 'a number that would be rounded' : typeof value;
  throw new Failure({ kind: 'refused', message: `The database cannot store ${kind}.` });
}

/** PostgreSQL rejects NUL characters: a lead with one could otherwise never be stored. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '');
