import { packageManifest } from './package.ts';

/** What to say to somebody who started this with a Node too old for it; undefined when it is new enough. */
export function nodeFault(version: string): string | undefined {
  const least = packageManifest().engines.node.replace(/^>=/, '');
  const [isMajor = 0, isMinor = 0] = version.split('.').map(Number);
  const [major = 0, minor = 0] = least.split('.').map(Number);
  if (isMajor > major || (isMajor === major && isMinor >= minor)) return undefined;
  return `clinic-sync needs Node ${least} or newer; this is Node ${version}.
  → Start it in its folder with \`npx clinic-sync\`, which uses the Node it brings along.
`;
}
