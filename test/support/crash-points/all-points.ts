import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeNames } from '../../../src/store/sql/database.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Every name in the source that a process can be asked to die at. */
export function pointsInSource(): string[] {
  const files = globSync('{src,connectors,sandbox}/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  const points = files
    .flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(/\bfailpoint\(\s*(['"`])(.+?)\1\s*,?\s*\)/g),
    ])
    .map(([, , name = '']) => name);
  return [...new Set(points.flatMap(spelledOut))].sort();
}

/** The store has two points for each kind of write. */
const perWrite = /^store\.\$\{\w+\}\./;

const spelledOut = (name: string): string[] =>
  perWrite.test(name) ? writeNames.map((write) => name.replace(perWrite, `store.${write}.`)) : [name];
