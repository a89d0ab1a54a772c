import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import { mutationSets } from './all.ts';

describe('mutations', () => {
  it.each(mutationSets)('of $module still apply, each to one place', ({ mutations }) => {
    const unfit = mutations.filter(({ file, find, replace }) => {
      const source = readFileSync(file, 'utf8');
      return (
        replace === find || source.split(find).length !== 2 || !parses(source.replace(find, () => replace))
      );
    });

    expect(unfit.map(({ file, harm }) => `${file}: ${harm}`)).toEqual([]);
  });
});

/** A fault that does not even parse would be caught by any test. */
function parses(source: string): boolean {
  try {
    stripTypeScriptTypes(source, { mode: 'transform' });
    return true;
  } catch {
    return false;
  }
}
