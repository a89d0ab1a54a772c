/** @module-tag thorough */
import { describe, expect, it } from 'vitest';
import { fixture } from '../support/forms/web-form.ts';
import { allReaders } from '../support/readers/readers.ts';
import { shapes } from '../support/readers/shapes.ts';

const runs = Number(process.env.VERIFY_RUNS ?? 1);
const INPUTS = runs === 1 ? 20_000 : 100_000 * runs;
const SEED = Number(process.env.VERIFY_SEED ?? 20_260_302);
const LONGEST = 400;

/** The same inputs from the same seed, on every machine (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const samples = [
  'native.json',
  'typeform.json',
  'tally.json',
  'calendly.json',
  'cal-com-moved.json',
  'contact-form-7.txt',
  'elementor-advanced.urlencoded',
  'jotform.multipart',
].map((file) => fixture(file).toString('utf8'));
const words = [
  ...[
    '2026-03-10',
    '10:30 PM',
    '+880 1712-345678',
    '=1+1',
    '120',
    'Tue, 10 Mar 2026 10:00:00 GMT',
    '__proto__',
  ],
  ...[
    'constructor',
    '{"success":true,"data":[{}]}',
    'Name,Phone,Date,Time\r\nA,1,2,3',
    'null',
    '\ud800',
    '\0',
    '🦷',
  ],
  ...[
    'Bearer x',
    't=1,v1=2',
    'version: 1',
    '&a [*a]',
    '{{name}}',
    '\u202e',
    '\u200d',
    'ক্‌ষ',
    '0x10',
    '1e999',
    '-0',
  ],
];

function inputs(seed: number): () => string {
  const below = numbers(seed);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const makers = Object.values(shapes);
  const piece = (): string => {
    switch (below(5)) {
      case 0:
        return pick(makers)(1 + below(60));
      case 1:
        return pick(words);
      case 2:
        return String.fromCharCode(...Array.from({ length: below(12) }, () => below(65_536)));
      default:
        return pick(samples).slice(below(LONGEST)).slice(0, below(LONGEST));
    }
  };
  /** A real submission with one place changed, or pieces of anything. */
  return () => {
    if (below(3) > 0)
      return Array.from({ length: 1 + below(4) }, piece)
        .join('')
        .slice(0, LONGEST);
    const sample = pick(samples);
    const at = below(sample.length);
    return sample.slice(0, at) + piece() + sample.slice(at + below(8));
  };
}

describe('nothing that is read makes a reader crash, hang or change what all objects share', async () => {
  const readers = Object.entries(await allReaders());

  it(`${INPUTS} inputs`, async () => {
    const next = inputs(SEED);
    const crashes: string[] = [];
    for (let i = 0; i < INPUTS; i += 1) {
      const text = next();
      const [name, read] = readers[i % readers.length] ?? [];
      try {
        await read?.(text);
      } catch (error) {
        crashes.push(`${name}: ${JSON.stringify(text)}: ${error}`);
      }
    }

    expect(crashes).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  }, 14_400_000);
});
