import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import { mutationSets } from './all.ts';

describe('mutations', () => {
  it.each(mutationSets.flatMap(({ mutations }) => mutations))(
    'still apply to $file: $harm',
    ({ file, find, replace }) => {
      const source = readFileSync(file, 'utf8');

      expect(source.split(find)).toHaveLength(2);
      expect(replace).not.toBe(find);
      // A fault that does not even parse would be caught by any test.
      expect(() =>
        stripTypeScriptTypes(
          source.replace(find, () => replace),
          { mode: 'transform' },
        ),
      ).not.toThrow();
    },
  );
});
