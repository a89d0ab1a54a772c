import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { describe, expect, it } from 'vitest';

/**
 * Rings, innermost first. A file may import its own module and any module in a
 * ring further in; modules in one ring do not know each other.
 */
const rings = [
  ['src/platform'],
  ['src/domain'],
  ['src/connector.ts', 'src/clinic', 'src/store'],
  ['src/config'],
  ['src/store/sql', 'src/store/sqlite'],
  [
    'src/sync',
    'src/bookings',
    'src/deliveries',
    'src/status',
    'src/http',
    'src/store/sqlite.ts',
    'sandbox/clinic',
    'sandbox/google-sheets',
    ...globSync('connectors/*/').map((folder) => folder.replace(/\/$/, '')),
  ],
  ['connectors/registry.ts'],
  ['src/app'],
  ['src/demo'],
  ['src/cli'],
  ['src/main.ts'],
];

/** A folder is entered through the file of its own name. These are the exceptions. */
const entries: Record<string, (file: string) => boolean> = {
  'src/platform': () => true,
  'src/domain': () => true,
  'src/store/sqlite': () => true,
  'src/clinic': (file) => ['clinic.ts', 'wire.ts', 'client.ts', 'reachability.ts'].includes(file),
  'src/config': (file) =>
    ['config.ts', 'load.ts', 'masking.ts', 'secrets.ts', 'json-schema.ts'].includes(file),
  'src/sync': (file) => ['mirror.ts', 'schedule.ts'].includes(file),
  'src/status': (file) => ['status.ts', 'call-watch.ts', 'health-watch.ts'].includes(file),
  'src/http': (file) => ['http.ts', 'admin.ts'].includes(file),
  'src/app': (file) => ['app.ts', 'parts.ts', 'report.ts'].includes(file),
  'src/demo': (file) => ['demo.ts', 'narrator.ts', 'round-trip.ts'].includes(file),
  'src/cli': (file) => ['cli.ts', 'io.ts'].includes(file),
};

/** Folders of one module that do not know each other; they meet in the files above them. */
const walls = [
  ['src/bookings/dispatch', 'src/bookings/reconciliation', 'src/bookings/review'],
  ['src/clinic/http', 'src/clinic/rate-limit'],
];
const isApart = (file: string, target: string): boolean =>
  walls.some((folders) => {
    const [from, to] = [file, target].map((path) => folders.find((folder) => path.startsWith(`${folder}/`)));
    return from !== undefined && to !== undefined && from !== to;
  });

const modules = rings.flat().sort((a, b) => b.length - a.length);
const moduleOf = (file: string) => modules.find((module) => file === module || file.startsWith(`${module}/`));
const ringOf = (module: string) => rings.findIndex((ring) => ring.includes(module));
const isEntry = (module: string, target: string) =>
  target === module || (entries[module]?.(basename(target)) ?? basename(target) === `${basename(module)}.ts`);

describe('architecture', () => {
  it('is described for contributors ring by ring, in this order', () => {
    const house = readFileSync('CONTRIBUTING.md', 'utf8').split('Rings, innermost first')[1] ?? '';
    const described = [...house.matchAll(/`((?:src|connectors|sandbox)\/[^`]*)`/g)].map(
      ([, module = '']) => module,
    );

    const named = rings.flat().filter((module) => !/^connectors\/[^.]+$/.test(module));
    expect(described.filter((module) => module !== 'connectors/').slice(0, named.length)).toEqual(named);
  });

  it.each(globSync('{src,connectors,sandbox}/**/*.ts', { exclude: ['**/*.test.ts'] }))('%s', (file) => {
    const from = moduleOf(file);
    expect.assert(from, 'every file belongs to a module');

    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from |import\()'(\.[^']+)'/g)) {
      const target = join(dirname(file), path);
      const to = moduleOf(target);
      expect.assert(to, `${target} belongs to a module`);
      expect.soft(isApart(file, target), `${file} may not know ${target}`).toBe(false);
      if (to === from) continue;

      expect.soft(ringOf(to), `${file} may not import ${target}`).toBeLessThan(ringOf(from));
      expect.soft(isEntry(to, target), `${to} is not entered through ${target}`).toBe(true);
    }
  });
});
