import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { nodeFault } from '../../src/cli/package.ts';

/** A Node on this machine that is too old for the program, such as the system's own. */
const older = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => {
    if (!existsSync(node)) return false;
    const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().replace(/^v/, '');
    return version !== '' && nodeFault(version) !== undefined;
  });

it.skipIf(older === undefined)(
  'an older Node (a second one in PATH) is refused with the way to the right one',
  () => {
    const { status, stdout, stderr } = spawnSync(older ?? '', [join(inject('bundle'), 'main.js'), 'status'], {
      encoding: 'utf8',
    });

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^clinic-sync needs Node \d+\.\d+ or newer; this is Node /);
    expect(stderr).toContain('npx clinic-sync');
  },
);
