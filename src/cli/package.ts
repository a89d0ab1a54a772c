import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder above this file that has a package.json. */
export function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (dirname(folder) === folder)
      throw new Error('the package.json of clinic-sync is missing above its program');
    folder = dirname(folder);
  }
  return folder;
}

interface Manifest {
  version: string;
  engines: { node: string };
}

const packageManifest = (): Manifest =>
  JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as Manifest;

export const packageVersion = (): string => packageManifest().version;

/** The message for a Node that is too old; undefined otherwise. */
export function nodeFault(version: string): string | undefined {
  const least = packageManifest().engines.node.replace(/^>=/, '');
  const [isMajor = 0, isMinor = 0] = version.split('.').map(Number);
  const [major = 0, minor = 0] = least.split('.').map(Number);
  if (isMajor > major || (isMajor === major && isMinor >= minor)) return undefined;
  return `clinic-sync needs Node ${least} or newer; this is Node ${version}.
  → Start it in its folder with \`npx clinic-sync\`, which uses the Node it brings along.
`;
}
