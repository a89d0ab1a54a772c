import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { canonical, isNormal, type Json, type JsonObject, normalise } from './json.ts';

const runs = 200 * Number(process.env.VERIFY_RUNS ?? 1);
/** Lone surrogates and decomposed accents included. */
const units = ['a', 'e', '\u0301', 'é', '\ud800', 'u', 'd', '😀', '<'];
const anything = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<Json>;
const objectsOf = (...more: string[]) => {
  const text = fc.string({ unit: fc.constantFrom(...units, ...more) });
  return fc.dictionary(text, fc.oneof(text, anything)) as fc.Arbitrary<JsonObject>;
};
const objects = objectsOf('\\');
/**
 * Node 24's own JSON.parse, once it has read an object with the key `\\u`, takes a lone surrogate in that place for the
 * same key: what is compared here is not read right in the first place.
 */
const readable = objectsOf();

describe('canonical text', () => {
  test.prop([objects], { numRuns: runs })('is the same whatever order the keys arrived in', (value) => {
    const reversed = Object.fromEntries(Object.entries(value).reverse());

    expect(canonical(reversed)).toBe(canonical(value));
  });

  test.prop([readable], { numRuns: runs })('preserves everything in the value', (value) => {
    expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it('keeps a key named __proto__', () => {
    const value = JSON.parse('{"__proto__":{"admin":true}}') as Json;

    expect(canonical(value)).toBe('{"__proto__":{"admin":true}}');
  });
});

describe('the quick check of canonical text', () => {
  test.prop([objects], { numRuns: runs })('never accepts what normalising would change', (value) => {
    fc.pre(isNormal(canonical(value)));

    expect(canonical(normalise(value))).toBe(canonical(value));
  });

  it.each([
    ['plain text', { name: 'Scaling' }, true],
    ['a composed accent', { name: 'Caf\u00e9' }, true],
    ['a decomposed accent', { name: 'Cafe\u0301' }, false],
    ['a lone surrogate', { name: '\ud800' }, false],
    ['a decomposed key', { 'e\u0301': 1 }, false],
  ])('judges %s', (_, value, normal) => {
    expect(isNormal(canonical(value))).toBe(normal);
  });
});
