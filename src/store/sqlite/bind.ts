import { Failure } from '../../platform/failure.ts';

type Bound = string | number | bigint | null | Buffer;

/**
 * The only way a value reaches a statement. SQLite would store `undefined` and NaN as NULL and integers above 2^53 as
 * rounded reals without a word, so they are refused here. Lone surrogates would come back as other text.
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
