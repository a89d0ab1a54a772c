import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder this program was installed in: the nearest one above that has a package.json. */
export function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

interface Manifest {
  version: string;
  engines: { node: string };
}

export const packageManifest = (): Manifest =>
  JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as Manifest;

export const packageVersion = (): string => packageManifest().version;
