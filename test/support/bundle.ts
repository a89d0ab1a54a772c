import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../scripts/bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the program lies that tests start as a process: bundled as it is shipped, from the sources under test. */
    bundle: string;
  }
}

/** Below the project, so that the bundle finds better-sqlite3; one for each run, so that runs do not disturb each other. */
const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');

let folder: string | undefined;

/** Once before all tests. */
export async function setup({ provide }: TestProject): Promise<void> {
  await mkdir(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'clinic-sync-'));
  await bundle(folder, { maps: false });
  // As in the package; otherwise each start would read every file twice to find out.
  copyFileSync(join(cache, '..', '..', 'package.json'), join(folder, 'package.json'));
  provide('bundle', folder);
}

/** Once after all tests. */
export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
