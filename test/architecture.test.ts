import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { describe, expect, it } from 'vitest';

/**
 * Rings, innermost first. A file may import its own module and any module in a
 * ring further in; modules in one ring do not know each other.
 */
const rings = [
  ['src/domain'],
  ['src/connector.ts', 'src/clinic', 'src/store'],
  ['src/config'],
  ['src/store/sql', 'src/store/sqlite'],
  [
    'src/sync',
    'src/bookings',
    'src/deliveries',
    'src/sync/schedule',
    'src/status',
    'src/http',
    'sandbox/clinic',
    'sandbox/google-sheets',
    'src/store/sqlite.ts',
    ...globSync('connectors/*/').map((folder) => folder.replace(/\/$/, '')),
  ],
  ['connectors/registry.ts'],
  ['src/app'],
  ['src/demo'],
  ['src/cli'],
  ['src/main.ts'],
];

/** A folder is entered through its namesake file. These are the exceptions. */
const doors: Record<string, (file: string) => boolean> = {
  'src/domain': () => true,
  'src/http': (file) => ['http.ts', 'admin.ts'].includes(file),
  'src/config': (file) =>
    ['config.ts', 'load.ts', 'masking.ts', 'json-schema.ts', 'secrets.ts'].includes(file),
  'src/status': (file) => ['status.ts', 'call-watch.ts', 'health-watch.ts'].includes(file),
  'src/cli': (file) => ['cli.ts', 'io.ts'].includes(file),
  'src/demo': (file) => ['demo.ts', 'narrator.ts', 'round-trip.ts'].includes(file),
  'src/app': (file) => ['daemon.ts', 'parts.ts', 'report.ts'].includes(file),
  'src/store/sqlite': () => true,
  'src/clinic': (file) => ['clinic.ts', 'wire.ts', 'client.ts', 'reachability.ts'].includes(file),
};

const modules = rings.flat().sort((a, b) => b.length - a.length);
const moduleOf = (file: string) => modules.find((module) => file === module || file.startsWith(`${module}/`));
const ringOf = (module: string) => rings.findIndex((ring) => ring.includes(module));
const isDoor = (module: string, target: string) =>
  target === module || (doors[module]?.(basename(target)) ?? basename(target) === `${basename(module)}.ts`);

describe('architecture', () => {
  it('is described for contributors ring by ring, in this order', () => {
    const house = readFileSync('CONTRIBUTING.md', 'utf8').split('Rings, innermost first')[1] ?? '';
    const described = [...house.matchAll(/`((?:src|connectors)\/[^`]*)`/g)].map(([, module = '']) => module);

    const named = rings.flat().filter((module) => !/^connectors\/[^.]+$/.test(module));
    expect(described.filter((module) => module !== 'connectors/').slice(0, named.length)).toEqual(named);
  });

  it.each(globSync('{src,connectors}/**/*.ts', { exclude: ['**/*.test.ts'] }))('%s', (file) => {
    const from = moduleOf(file);
    expect.assert(from, 'every file belongs to a module');

    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from |import\()'(\.[^']+)'/g)) {
      const target = join(dirname(file), path);
      const to = moduleOf(target);
      expect.assert(to, `${target} belongs to a module`);
      if (to === from) continue;

      expect.soft(ringOf(to), `${file} may not import ${target}`).toBeLessThan(ringOf(from));
      expect.soft(isDoor(to, target), `${to} is not entered through ${target}`).toBe(true);
    }
  });
});
