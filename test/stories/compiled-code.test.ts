/** @module-tag thorough */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { keepCompiled } from '../../scripts/keep-compiled.ts';

it('starts with the code that the build compiled', {
  timeout: 120_000,
}, async () => {
  // Beside the bundle, where better-sqlite3 is found.
  const folder = mkdtempSync(`${inject('bundle')}-`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(inject('bundle'), folder, { recursive: true });
  rmSync(join(folder, 'compiled'), { recursive: true, force: true });
  const taken = () => {
    const { stderr, stdout } = spawnSync(process.execPath, [join(folder, 'main.js'), 'status'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_COMPILE_CACHE: undefined, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    });
    expect(`${stdout}${stderr}`).toContain('there is no clinic-sync.yaml here');
    return (stderr.match(/\bwas accepted\b/g) ?? []).length;
  };

  await keepCompiled(folder);
  expect(taken()).toBeGreaterThan(20);
  rmSync(join(folder, 'compiled'), { recursive: true, force: true });
  expect(taken()).toBeLessThan(5);
});
