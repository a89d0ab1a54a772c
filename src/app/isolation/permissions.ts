import { existsSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../platform/failure.ts';

/**
 * Node's permission flags for a connector's process: no child processes, worker threads or native addons. It may read
 * the files of this program and of the connector, and read and write those that its settings name. The network is open,
 * because Node 24 cannot restrict it. Throws `Failure` refused when the settings name a folder with one of the daemon's
 * `kept` files. Passed in NODE_OPTIONS, because every local user can read a process's arguments, and a setting that
 * looks like a path may be a secret.
 */
export function permissionsFor(use: string, settings: unknown, kept: readonly string[]): string {
  const program = programFolder();
  const own = new Set(pathsIn(settings));
  const others = kept.map((file) => resolve(file)).filter((file) => !own.has(file));
  const holdsKept = (folder: string) => others.find((file) => `${file}${sep}`.startsWith(`${folder}${sep}`));
  for (const path of pathsIn(settings)) {
    const file = holdsKept(path);
    if (file !== undefined)
      throw new Failure({
        kind: 'refused',
        message: `Its settings name ${path}, where ${file} lies`,
        hint: 'Give an isolated connector a folder that holds neither the configuration nor the database.',
      });
  }
  const code = [
    ...['package.json', 'node_modules', 'dist', 'src', 'connectors'].map((name) => join(program, name)),
    join(process.cwd(), 'node_modules'),
  ];
  for (const folder of code) {
    const file = holdsKept(folder);
    if (file !== undefined)
      throw new Failure({
        kind: 'refused',
        message: `${file} lies among the program’s own files, which an isolated connector reads`,
        hint: 'Keep the configuration, the database and secrets in a separate folder.',
      });
  }
  const read = [...code, ...codeOf(use, holdsKept), ...pathsIn(settings)];
  return [
    '--permission',
    ...read.flatMap((path) => [`--allow-fs-read=${path}`, `--allow-fs-read=${path}/*`]),
    ...pathsIn(settings).flatMap((path) => [`--allow-fs-write=${path}`, `--allow-fs-write=${path}/*`]),
  ]
    .map((flag) => `"${flag.replaceAll(/["\\]/g, '\\$&')}"`)
    .join(' ');
}

/** The connector's folder; only its file when that folder is the working directory or holds `kept` files. */
function codeOf(use: string, holdsKept: (folder: string) => string | undefined): string[] {
  if (!/^[./]/.test(use)) return [];
  const file = resolve(use);
  const folder = dirname(file);
  return folder === process.cwd() || holdsKept(folder) !== undefined ? [file] : [folder];
}

/** Strings that look like paths: with a slash, and not a URL. */
function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('/') && !value.includes('://') ? [resolve(value)] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
}

/** The folder of the program's package.json, both from source and as built. */
function programFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Files named by `--env-file` (this program's option and Node's), which hold keys. */
export const environmentFiles = (args: readonly string[]): string[] =>
  args.flatMap((arg, at) => {
    const [, file = args[at + 1]] = arg.match(/^--env-?file(?:-if-exists)?(?:=(.*))?$/is) ?? [undefined, ''];
    return file === undefined || file === '' ? [] : [file];
  });
