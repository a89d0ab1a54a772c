import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** The package.json of this program. Throws when it was copied without it. */
function manifestFile(): string {
  const file = findPackageJSON('.', import.meta.url);
  if (!file?.endsWith('package.json'))
    throw new Error('the package.json of clinic-sync is missing above its program');
  return file;
}

/** The folder this program was installed in. */
export const packageFolder = (): string => dirname(manifestFile());

interface Manifest {
  version: string;
  engines: { node: string };
}

const packageManifest = (): Manifest => JSON.parse(readFileSync(manifestFile(), 'utf8')) as Manifest;

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
