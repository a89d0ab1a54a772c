import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { canonical, isNormal, type Json, type JsonObject, normalise } from './json.ts';

const runs = 200 * Number(process.env.VERIFY_RUNS ?? 1);
/** Lone surrogates and decomposed accents included. */
const text = fc.string({
  unit: fc.constantFrom('a', 'e', '\u0301', 'é', '\ud800', '\\', 'u', 'd', '😀', '<'),
});
const anything = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<Json>;
const objects = fc.dictionary(text, fc.oneof(text, anything)) as fc.Arbitrary<JsonObject>;

describe('canonical text', () => {
  test.prop([objects], { numRuns: runs })('is the same whatever order the keys arrived in', (value) => {
    const reversed = Object.fromEntries(Object.entries(value).reverse());

    expect(canonical(reversed)).toBe(canonical(value));
  });

  test.prop([objects], { numRuns: runs })('says everything the value says', (value) => {
    expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it('keeps a key that is called __proto__', () => {
    const value = JSON.parse('{"__proto__":{"admin":true}}') as Json;

    expect(canonical(value)).toBe('{"__proto__":{"admin":true}}');
  });
});

describe('one look at canonical text', () => {
  test.prop([objects], { numRuns: runs })('never passes what normalising would change', (value) => {
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
