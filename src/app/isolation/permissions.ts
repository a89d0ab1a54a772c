import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Node's permission flags for the process of a connector: no child processes, no worker threads, no native addons; files
 * of this program and of the connector may be read, and those that its own settings name read and written. The network
 * is not restricted: Node 24 cannot.
 */
export function permissionsFor(use: string, settings: unknown): string[] {
  const program = programFolder();
  const read = [
    ...['package.json', 'node_modules', 'dist', 'src', 'connectors'].map((name) => join(program, name)),
    join(process.cwd(), 'node_modules'),
    ...codeOf(use),
    ...pathsIn(settings),
  ];
  return [
    '--permission',
    ...read.flatMap((path) => [`--allow-fs-read=${path}`, `--allow-fs-read=${path}/*`]),
    ...pathsIn(settings).flatMap((path) => [`--allow-fs-write=${path}`, `--allow-fs-write=${path}/*`]),
  ];
}

/** A connector of several files has a folder of its own; where we are started other things lie, too. */
function codeOf(use: string): string[] {
  if (!/^[./]/.test(use)) return [];
  const file = resolve(use);
  return dirname(file) === process.cwd() ? [file] : [dirname(file)];
}

/** Texts with a slash that are no addresses. */
function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('/') && !value.includes('://') ? [resolve(value)] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
}

/** Where the program's package.json is: from source and from what was built of it. */
function programFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
