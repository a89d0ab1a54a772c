import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the first of these programs that is installed here; undefined when none is. A path is taken as it is. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => (name.includes('/') ? [name] : folders.map((folder) => join(folder, name))))
    .find((path) => existsSync(path));
}

/** For the title of tests that need a program: says why they were skipped. */
export const needing = (program: string, path: string | undefined): string =>
  path === undefined ? ` (needs ${program}, which is not installed here)` : '';
