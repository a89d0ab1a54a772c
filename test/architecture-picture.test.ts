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

  it('draws no box over another one', () => {
    const svg = readFileSync('docs/images/architecture.svg', 'utf8');
    const boxes = [
      ...svg.matchAll(
        /data-module="([^"]+)"[^>]*><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
      ),
    ].map(([, module = '', ...numbers]) => {
      const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
      return { module, x, y, right: x + width, bottom: y + height };
    });

    const covered = boxes.flatMap((a, index) =>
      boxes
        .slice(index + 1)
        .filter((b) => a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom)
        .map((b) => `${a.module} and ${b.module}`),
    );
    expect(boxes).toHaveLength(moduleImports().size);
    expect(covered).toEqual([]);
  });

  it('is shown on the page about the architecture, which names every module', () => {
    const page = readFileSync('docs/architecture.md', 'utf8');

    expect(page).toContain('](images/architecture.svg)');
    expect([...moduleImports().keys()].filter((module) => !page.includes(`${module}`))).toEqual([]);
  });
});
