import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, external } from './bundle.ts';

/**
 * `npm pack` calls this before (`trim`) and after (`restore`) it packs. The bundle holds every library but the native
 * one, so the package depends on that alone: installed, it takes 55 MB instead of 370.
 */
const root = join(import.meta.dirname, '..');
const manifest = join(root, 'package.json');
const kept = join(root, 'node_modules/.cache/package.json');
/** The types of `clinic-sync/connector` name zod; `clinic-sync/connector/testing` runs in the author's own vitest. */
const ofAuthors = ['zod', 'vitest'];

if (process.argv[2] === 'restore') {
  if (existsSync(kept)) renameSync(kept, manifest);
} else {
  await bundle(join(root, 'dist'), { maps: false });
  rmSync(join(root, 'dist/compiled'), { recursive: true, force: true });
  copyFileSync(manifest, kept);
  const { scripts, devDependencies, allowScripts, dependencies, ...rest } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  );
  const versions: Record<string, string> = { ...dependencies, ...devDependencies };
  const trimmed = {
    ...rest,
    dependencies: Object.fromEntries(
      external.filter((name) => name in dependencies).map((name) => [name, versions[name]]),
    ),
    peerDependencies: Object.fromEntries(
      ofAuthors.map((name) => [name, `>=${Number.parseInt(versions[name] ?? '', 10)}`]),
    ),
    peerDependenciesMeta: Object.fromEntries(ofAuthors.map((name) => [name, { optional: true }])),
  };
  writeFileSync(manifest, `${JSON.stringify(trimmed, null, 2)}\n`);
}
