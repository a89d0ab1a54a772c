import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
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

const find: typeof findKind = async (use) => {
  if (use === MISSING) throw new Error('does not load');
  return findKind(use);
};

/** A fleet of daemons in this process, on an empty database, with one clinic. */
async function emptyFleet() {
  expect.assert(server);
  const { run } = server;
  const url = server.url();
  await run(EMPTY);
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { app_key, secret_key } = sandbox.credentials;
  const start = async (connectors: readonly string[]) => {
    const yaml = `version: 1
clinics:
  main: { base_url: "${sandbox.url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: UTC }
connectors:
${connectors.map((connector) => `  ${connector}`).join('\n')}
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
    (await run('select unit from units where owner is not null')).map(({ unit }) => String(unit)).toSorted();
  return { start, owned };
}

describe.skipIf(!hasPostgres)('daemons of a fleet (needs PostgreSQL)', { timeout: 120_000 }, () => {
  it('leave connectors that cannot be built on one host to another', async () => {
    const { start, owned } = await emptyFleet();
    const folder = await temporaryFolder();
    const four = (use: (name: string) => string) =>
      ['one', 'two', 'three', 'four'].map((name) => `${name}: { use: ${use(name)} }`);

    const without = await start(four(() => MISSING));
    await until('the first daemon has what it can do', async () => (await owned()).length >= 2, {
      found: owned,
    });
    const before = await owned();
    const able = await start(four((name) => `csv, directory: ${join(folder, name)}`));
    const delivering = () => able.parts.connectors.map(({ isDelivering }) => isDelivering);
    await until('the other host delivers to all', async () => delivering().every(Boolean), {
      ...{ withinMs: 15_000, found: async () => ({ delivering: delivering(), owned: await owned() }) },
    });

    expect(before).toEqual(['clinic/main', 'upkeep']);
    expect(without.parts.connectors.map(({ quarantined }) => quarantined)).not.toContain(undefined);
  });

  it('take leads until a load balancer can have noticed that they stop', async () => {
    const { start } = await emptyFleet();
    const form = ['website: { use: web-form, token: form-token-form-token }'];
    const stopping = await start(form);
    await start(form);
    const post = async (url: string) => {
      const headers = {
        authorization: 'Bearer form-token-form-token',
        'content-type': 'application/json',
      };
      const body = JSON.stringify({
        patient_name: 'Ann Lee',
        patient_phone: '+8801712345678',
      });
      return (await fetch(new URL('/in/website', url), { method: 'POST', headers, body })).status;
    };
    const readiness = async (url: string) => (await fetch(new URL('/readyz', url))).status;

    const stopped = stopping.stop();
    await until('it is not ready', async () => (await readiness(stopping.url)) === 503);
    const meanwhile = await post(stopping.url);
    await stopped;

    expect(meanwhile).toBe(200);
  });
});
