const MOST_VALUES = 200_000;
const DEEPEST = 32;

/**
 * Throws unless a value from another process is plain data, as in JSON. A structured clone can also hold one value in
 * many places, which is small to send and endless to walk.
 */
export function assertPlain(value: unknown): void {
  let left = MOST_VALUES;
  const walk = (one: unknown, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > DEEPEST) throw new RangeError('a message has too much in it');
    for (const inner of innerOf(one, left)) walk(inner, depth + 1);
  };
  walk(value, 0);
}

function innerOf(value: unknown, most: number): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    // A sparse array can claim a length far beyond its content.
    if (value.length > most) throw new RangeError('a list in a message is too long');
    return value;
  }
  const isData = Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, '__proto__');
  if (!isData) throw new TypeError('a message has something else than data in it');
  return Object.values(value);
}
