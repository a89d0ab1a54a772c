/** @module-tag thorough */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { runCommand } from '../../../test/support/run-cli.ts';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../test/support/store/postgres-server.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

let server: PostgresServer | undefined;
beforeAll(async () => {
  server = hasPostgres ? await startPostgres() : undefined;
}, 120_000);
afterAll(() => server?.stop());

describe.skipIf(!hasPostgres)('commands (need PostgreSQL)', { timeout: 60_000 }, () => {
  it('leave the files of a connector that another host runs to that host', async () => {
    expect.assert(server);
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const folder = await temporaryFolder();
    const config = join(folder, 'clinic-sync.yaml');
    const { app_key, secret_key } = sandbox.credentials;
    await writeFile(
      config,
      `version: 1
clinics: { main: { base_url: "${sandbox.url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: UTC } }
connectors:
  here: { use: csv, directory: ${join(folder, 'here')}, include: [patient] }
  there: { use: csv, directory: ${join(folder, 'there')}, inbox: ${join(folder, 'inbox')}, include: [patient], on: another-host }
store: { postgres: "${server.url()}" }
`,
    );
    const run = async (...args: string[]) => runCommand([...args, '--config', config]);
    const visit = ['--date', '2031-01-06', '--time', '11:00'];

    const synced = await run('sync');
    await run('bookings', 'add', '--name', 'Ann Lee', '--phone', '+8801712345678', ...visit);
    const erased = await run('erase', '--phone', '+8801712345678', '--yes', '--json');

    expect(JSON.parse(erased.out).files).toEqual({
      cannot: [],
      cleaned: ['here'],
      pending: [{ connector: 'there', problem: 'Only a daemon on another-host writes them.' }],
    });
    expect(JSON.parse(erased.out).out_of_reach).toContainEqual(
      expect.stringContaining(
        `${join(folder, 'inbox')}), which is on another-host: repeat the command there`,
      ),
    );
    expect(synced.out).toMatch(/there: left to a daemon on another-host/);
    expect(['here', 'there'].filter((name) => existsSync(join(folder, name)))).toEqual(['here']);
  });
});
