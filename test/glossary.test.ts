import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const rows = [
  ...readFileSync('docs/glossary.md', 'utf8').matchAll(/^- \[([^\]]+)\]\(\.\.\/([^)]+)\): /gm),
].map(([, term = '', file = '']) => ({ term, file }));

describe('the glossary', () => {
  it('has each term once', () => {
    const terms = rows.map(({ term }) => term.toLowerCase());

    expect(terms.length).toBeGreaterThan(10);
    expect(terms).toEqual([...new Set(terms)]);
  });

  it('names a file that exists for each term', () => {
    expect(rows.filter(({ file }) => !existsSync(file))).toEqual([]);
  });
});
