/** @module-tag thorough */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const main = join(import.meta.dirname, '..', '..', 'main.ts');

/** Runs a shell in a mount namespace of its own, which ends with it. */
const inNamespace = (script: string, ...given: string[]) =>
  spawnSync('unshare', ['-rm', 'sh', '-ec', script, 'sh', ...given], { encoding: 'utf8' });
const isAllowed = inNamespace('mount --bind "$1" "$1"', import.meta.dirname).status === 0;

describe.skipIf(!isAllowed)('a database in a mount (needs unshare -m)', () => {
  /** A container: `mounted` is bound to `at`, both in the folder, and it starts. */
  async function started(mounted: string, at: string, database = at) {
    const folder = await temporaryFolder();
    const config = join(folder, 'clinic-sync.yaml');
    mkdirSync(join(folder, 'host'));
    mkdirSync(join(folder, 'data'));
    for (const file of ['host/clinic sync.db', 'data/clinic sync.db']) writeFileSync(join(folder, file), '');
    symlinkSync('data/clinic sync.db', join(folder, 'link.db'));
    writeFileSync(
      config,
      `version: 1
clinics:
  main: { base_url: "http://127.0.0.1:1", app_key: a, secret_key: b, timezone: Asia/Dhaka }
store: { sqlite: "${join(folder, database)}" }
http: { listen: "127.0.0.1:0" }
`,
    );
    const script = 'mount --bind "$1" "$2"; exec "$3" "$4" sync --config "$5"';
    const paths = [join(folder, mounted), join(folder, at), process.execPath, main, config];
    const { stdout, stderr } = inNamespace(script, ...paths);
    return stdout + stderr;
  }

  it('that is the file itself is refused with the remedy, also through a link', async () => {
    const itself = await started('host/clinic sync.db', 'data/clinic sync.db');
    const link = await started('host/clinic sync.db', 'data/clinic sync.db', 'link.db');

    for (const said of [itself, link]) {
      expect(said).toContain('is itself a mount');
      expect(said).toContain('Mount its folder instead of the file.');
    }
  });

  it('of its folder is taken', async () => {
    expect(await started('host', 'data', 'data/clinic sync.db')).not.toContain('a mount');
  });
});
