/** @module-tag thorough */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { check, type VulnerableDiagnostics } from 'recheck';
import { parseAst } from 'rolldown/parseAst';
import { afterEach, expect, it, vi } from 'vitest';
import { baseline, MOST_TIMES_BASELINE, SIZE } from '../support/readers/pace.ts';

/** Expressions that see only short texts, or our own. */
const short: Readonly<Record<string, string>> = {
  'connectors/csv/inbox/versions.ts': 'names of files, of which a file system takes 255 bytes',
  'sandbox/google-sheets/references.ts': 'formulas of tests',
  'src/clinic/http/redaction.ts': '2,000 characters of a clinic’s message',
  'src/config/placeholders.ts': 'the configuration, which its operator writes',
};

interface Expression {
  source: string;
  flags: string;
  file: string;
}

const files = globSync('{src,connectors,sandbox}/**/*.ts').filter((file) => !file.endsWith('.test.ts'));

/** The literals of a file, as its parser finds them. */
function literalsIn(file: string): Expression[] {
  const found: Expression[] = [];
  const program = parseAst(readFileSync(file, 'utf8'), { lang: 'ts' });
  JSON.stringify(program, (_key, node) => {
    const { pattern, flags } = node?.type === 'Literal' ? (node.regex ?? {}) : {};
    if (pattern !== undefined) found.push({ source: pattern, flags, file });
    return typeof node === 'bigint' ? null : node;
  });
  return found;
}

/** What our code puts together while the readers are loaded and read once. */
async function built(): Promise<Expression[]> {
  const found: Expression[] = [];
  vi.stubGlobal(
    'RegExp',
    new Proxy(RegExp, {
      construct(target, [source, flags = '']: [string | RegExp, string?], to) {
        const caller = new Error().stack?.split('\n')[2] ?? '';
        const file = files.find((one) => caller.includes(resolve(one)));
        if (typeof source === 'string' && file !== undefined) found.push({ source, flags, file });
        return Reflect.construct(target, [source, flags], to);
      },
    }),
  );
  vi.resetModules();
  const { allReaders } = await import('../support/readers/readers.ts');
  for (const read of Object.values(await allReaders())) await read('Ann Lee, 2026-03-10 10:30');
  return found;
}

afterEach(() => vi.unstubAllGlobals());

/** A body of this size, of what recheck found to be worst. */
function attackOf({ attack: { pumps, suffix } }: VulnerableDiagnostics, size: number): string {
  const length = size / pumps.length;
  const pumped = ({ prefix, pump }: (typeof pumps)[number]) => prefix + pump.repeat(length / pump.length);
  return pumps.map(pumped).join('') + suffix;
}

let unit = baseline();

/** Undefined when it takes no longer than the text is long. Expressions that recheck suspects are tried. */
async function faultOf({ source, flags, file }: Expression, timeout = 5_000): Promise<string | undefined> {
  const found = await check(source, flags, { timeout });
  if (found.status !== 'vulnerable') return undefined;
  const text = attackOf(found, SIZE);
  const expression = new RegExp(source, flags);
  let times = Number.POSITIVE_INFINITY;
  // Once more where other load may have added time.
  for (
    let i = 0;
    i < 3 && times > MOST_TIMES_BASELINE && (i === 0 || times < 10 * MOST_TIMES_BASELINE);
    i += 1
  ) {
    unit = baseline();
    const from = performance.now();
    text.replace(expression, '');
    times = Math.min(times, (performance.now() - from) / unit);
  }
  return times > MOST_TIMES_BASELINE ? `${file}: /${source}/${flags}: ${found.attack.pattern}` : undefined;
}

it('no expression takes longer than its text is long', { tags: ['thorough'], timeout: 900_000 }, async () => {
  const literals = files.flatMap(literalsIn);
  const all = [...literals, ...(await built())].filter(({ file }) => !(file in short));
  const distinct = [...new Map(all.map((one) => [`${one.flags}/${one.source}`, one])).values()];

  const faults: string[] = [];
  for (const one of distinct) faults.push(...[(await faultOf(one)) ?? []].flat());

  expect(literals.length).toBeGreaterThan(500);
  expect(faults).toEqual([]);
});

it('finds what takes quadratic time', async () => {
  const slow = { source: '\\s+$', flags: '', file: 'here' };
  // On a busy machine, the checker takes longer.
  expect(await faultOf(slow, 100_000)).toContain('here: /\\s+$/');
}, 120_000);

it('excepts only files that exist', () => {
  expect(Object.keys(short).filter((file) => !files.includes(file))).toEqual([]);
});
