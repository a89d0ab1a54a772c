import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { startSandbox } from '../../sandbox/clinic/clinic.ts';
import { EMPTY } from '../../test/support/store/empty-postgres.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../test/support/store/postgres-server.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { startDaemon } from './app.ts';

let server: PostgresServer | undefined;
beforeAll(async () => {
  server = hasPostgres ? await startPostgres() : undefined;
}, 120_000);
afterAll(() => server?.stop());

const MISSING = './no-such-connector.js';

it.skipIf(!hasPostgres)(
  'leaves connectors that cannot be built on one host to another (needs PostgreSQL)',
  { timeout: 120_000 },
  async () => {
    expect.assert(server);
    const { run } = server;
    const url = server.url();
    await run(EMPTY);
    const folder = await temporaryFolder();
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const { app_key, secret_key } = sandbox.credentials;
    const find: typeof findKind = async (use) => {
      if (use === MISSING) throw new Error('does not load');
      return findKind(use);
    };
    const started = async (connector: (name: string) => string) => {
      const yaml = `version: 1
clinics:
  main: { base_url: "${sandbox.url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: UTC }
connectors:
${['one', 'two', 'three', 'four'].map((name) => `  ${name}: { use: ${connector(name)} }`).join('\n')}
store: { postgres: "${url}" }
http: { listen: 127.0.0.1:0 }
`;
      const loaded = await fromText(yaml, 'test.yaml', {
        ...{ environment: {}, findKind: find, knownKinds: kindNames },
      });
      expect.assert(loaded.ok);
      const daemon = await startDaemon({
        ...{ config: loaded.config, clock: systemClock, log: silentLog, version: '0.0.0' },
      });
      onTestFinished(() => daemon.stop());
      return daemon;
    };
    const owned = async () =>
      (await run('select unit from units where owner is not null'))
        .map(({ unit }) => String(unit))
        .toSorted();

    const without = await started(() => MISSING);
    await until('the first daemon has what it can do', async () => (await owned()).length >= 2, {
      found: owned,
    });
    const before = await owned();
    const able = await started((name) => `csv, directory: ${join(folder, name)}`);
    const delivering = () => able.parts.connectors.map(({ isDelivering }) => isDelivering);
    await until('the other host delivers to all', async () => delivering().every(Boolean), {
      ...{ withinMs: 15_000, found: async () => ({ delivering: delivering(), owned: await owned() }) },
    });

    expect(before).toEqual(['clinic/main', 'upkeep']);
    expect(without.parts.connectors.map(({ quarantined }) => quarantined)).not.toContain(undefined);
  },
);
