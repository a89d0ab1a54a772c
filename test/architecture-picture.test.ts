import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { moduleImports } from './support/architecture/rings.ts';

describe('the picture of the architecture', () => {
  it('has every module and the imports between them (npm run architecture draws it)', () => {
    const svg = readFileSync('docs/images/architecture.svg', 'utf8');

    const drawn = [...svg.matchAll(/data-module="([^"]+)" data-imports="([^"]*)"/g)].map(
      ([, module = '', imported = '']) => [module, imported.split(' ').filter(Boolean)],
    );

    expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(moduleImports()));
  });

  it('is shown on the page about the architecture, which names every module', () => {
    const page = readFileSync('docs/architecture.md', 'utf8');

    expect(page).toContain('](images/architecture.svg)');
    expect([...moduleImports().keys()].filter((module) => !page.includes(`${module}`))).toEqual([]);
  });
});
