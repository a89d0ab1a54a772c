import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

/** Modules that may not import each other, only those of rings before theirs. */
export interface Ring {
  name: string;
  modules: readonly string[];
}

/** The rings of the code, innermost first: what the architecture test checks and the architecture picture shows. */
export const rings: readonly Ring[] = [
  { name: 'Texts', modules: ['src/texts'] },
  { name: 'Tools', modules: ['src/platform'] },
  { name: 'Vocabulary', modules: ['src/domain'] },
  { name: 'Readers', modules: ['src/reading'] },
  { name: 'Contracts', modules: ['src/connector.ts', 'src/clinic', 'src/store'] },
  { name: 'Configuration', modules: ['src/config'] },
  { name: 'Reports', modules: ['src/reports'] },
  { name: 'Database', modules: ['src/store/sql', 'src/store/sqlite', 'src/store/postgres'] },
  {
    name: 'Workers',
    modules: [
      'src/sync',
      'src/bookings',
      'src/deliveries',
      'src/fleet',
      'src/notify',
      'src/status',
      'src/http',
      'src/store/sqlite.ts',
      'src/store/postgres.ts',
      'src/store/move.ts',
      'sandbox/clinic',
      'sandbox/google-sheets',
      ...globSync('connectors/*/')
        .map((folder) => folder.replace(/\/$/, ''))
        .sort(),
    ],
  },
  { name: 'Wiring', modules: ['connectors/registry.ts'] },
  { name: 'Wiring', modules: ['src/app'] },
  { name: 'Wiring', modules: ['src/demo'] },
  { name: 'Wiring', modules: ['src/cli'] },
  { name: 'Wiring', modules: ['src/main.ts'] },
];

const modules = rings.flatMap((ring) => ring.modules).sort((a, b) => b.length - a.length);

/** The module a file belongs to; undefined for a file outside all of them. */
export const moduleOf = (file: string): string | undefined =>
  modules.find((module) => file === module || file.startsWith(`${module}/`));

/** Every file of the product, without tests. */
export const sourceFiles = (): string[] =>
  globSync('{src,connectors,sandbox}/**/*.ts', { exclude: ['**/*.test.ts'] });

/** The project's own files that a file imports, types and dynamic imports included. */
export const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\b(?:from |import\()'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );

/** For every module, outermost first, the other modules it imports, sorted by name. */
export function moduleImports(): Map<string, string[]> {
  const found = new Map(
    rings.toReversed().flatMap((ring) => ring.modules.map((module) => [module, new Set<string>()] as const)),
  );
  for (const file of sourceFiles()) {
    const from = moduleOf(file);
    for (const target of importsOf(file)) {
      const to = moduleOf(target);
      if (from !== undefined && to !== undefined && from !== to) found.get(from)?.add(to);
    }
  }
  return new Map([...found].map(([module, imported]) => [module, [...imported].sort()]));
}
