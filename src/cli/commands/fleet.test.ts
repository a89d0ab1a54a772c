import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/run-cli.ts';
import { openOnServer } from '../../../test/support/store/open-on-server.ts';
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

describe.skipIf(!hasPostgres)('fleet (needs PostgreSQL)', { timeout: 60_000 }, () => {
  it('tells daemons of one host apart, and names who ran a unit last if that daemon crashed, and where a unit does not start', {
    tags: ['thorough'],
  }, async () => {
    expect.assert(server);
    const { fleet } = await openOnServer(server.url());
    expect.assert(fleet);
    for (const id of ['crashed', 'living', '1234-x', '5678-x'])
      await fleet.join({ id, version: '1', config_hash: 'x' });
    await fleet.register(['clinic/a', 'clinic/b'].map((unit) => ({ unit, kind: 'clinic' as const })));
    await fleet.take('crashed', ['clinic/a'], [], 1);
    await fleet.take('living', ['clinic/b'], [], 1);
    await fleet.noteStart('living', 'clinic/b', 'the disk is full');
    await server.run(
      "update members set host = case when id like '%-x' then 'both' else id || '.example' end",
    );
    await server.run("update members set expires_at = clock_timestamp() where id = 'crashed'");
    const config = join(await temporaryFolder(), 'clinic-sync.yaml');
    const clinic = 'base_url: "https://c.example", app_key: a, secret_key: b, timezone: UTC';
    await writeFile(
      config,
      `version: 1\nclinics: { a: { ${clinic} } }\nstore: { postgres: "${server.url()}" }\n`,
    );

    const { out } = await runCommand(['fleet', '--config', config]);

    expect(out).toMatch(/clinic\/a {2}no daemon \(last: crashed\.example\)/);
    expect(out).toMatch(/clinic\/b {2}living\.example/);
    expect(out).toMatch(/^both \(1234\) {2}1 {2}since/m);
    expect(out).toMatch(/^both \(5678\) {2}1 {2}since/m);
    expect(out).toMatch(/does not start on .*, since 20.*Z: the disk is full/);
  });
});
