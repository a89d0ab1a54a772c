import { globSync, readFileSync } from 'node:fs';

export interface CommandLine {
  /** As the page has it, on one line. */
  line: string;
  /** The first page that has it. */
  page: string;
}

const PAGES = ['README.md', 'docs/**/*.md', 'connectors/{,*/}README.md'];

/** Every `clinic-sync …` of the documentation, in code blocks and in sentences, each once. */
export function documentedLines(): CommandLine[] {
  const found = new Map<string, CommandLine>();
  for (const page of globSync(PAGES).toSorted())
    for (const line of linesOf(readFileSync(page, 'utf8')))
      if (!found.has(line)) found.set(line, { line, page });
  return [...found.values()];
}

const COMMAND = String.raw`(?:sudo -u clinic-sync node \S+main\.js|(?:npx |docker compose \S+ (?:--rm )?)?clinic-sync)`;

function linesOf(text: string): string[] {
  const blocks = /^(?:(`{3,}).*\n([\s\S]*?)^\s*\1|(?: {4}.*\n)+)/gm;
  const inBlocks = [...text.matchAll(blocks)].flatMap(([block]) =>
    [...block.matchAll(new RegExp(`^ *(?:\\$ )?(${COMMAND} .+)$`, 'gm'))].map(([, line = '']) => line),
  );
  const prose = text.replaceAll(blocks, '').replaceAll(/\s+/g, ' ');
  // `clinic-sync bookings reconcile REF` · `acknowledge REF` are two commands of a group.
  const joined = prose.replaceAll(/(`clinic-sync [^`]+)` · `(?!clinic-sync)(?=[a-z]+ [A-Z])/g, '$1 | ');
  const inProse = [...joined.matchAll(new RegExp(`\`(${COMMAND} [^\`]+)\``, 'g'))].map(
    ([, line = '']) => line,
  );
  return [...inBlocks, ...inProse].map((line) => line.replace(/ +(#|>>?) .*$/, '').trim());
}

/**
 * The command lines that one stands for, without the program: `config check | show` are two, `status [--watch]` is one
 * with the option and one without.
 */
export function variantsOf(line: string): string[] {
  const rest = line.replace(new RegExp(`^${COMMAND} `), '');
  const [first = '', ...others] = rest.split(/ \| (?![^[]*\])/);
  const [group = ''] = first.split(' ');
  const beforeOptions = first.split(' --')[0] ?? '';
  const lines = [first, ...others.map((one) => `${one.startsWith('--') ? beforeOptions : group} ${one}`)];
  return lines.flatMap(withAndWithout);
}

function withAndWithout(line: string): string[] {
  const optional = [...line.matchAll(/ \[([^\]]+)\]/g)];
  const only = (kept: number, as: string) =>
    optional.reduce((text, [whole], at) => text.replace(whole, at === kept ? ` ${as}` : ''), line);
  return [
    only(-1, ''),
    ...optional.flatMap(([, inside = ''], at) => {
      const [one = '', ...others] = inside.split(/ ?\| ?/);
      const option = /^--\S+ /.exec(one)?.[0] ?? '';
      return [one, ...others.map((other) => (other.startsWith('--') ? other : option + other))].map((as) =>
        only(at, as),
      );
    }),
  ];
}

/** As a shell splits it; quotes keep spaces. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
