import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { startSandbox } from '../../sandbox/clinic/clinic.ts';
import { EMPTY } from '../../test/support/store/empty-postgres.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../test/support/store/postgres-server.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { type Daemon, startDaemon } from './app.ts';

let server: PostgresServer | undefined;
beforeAll(async () => {
  server = hasPostgres ? await startPostgres() : undefined;
}, 120_000);
afterAll(() => server?.stop());

it.skipIf(!hasPostgres)(
  'counts days by the configuration of the daemon that started last, while an older one still has the clinic (needs PostgreSQL)',
  { timeout: 120_000 },
  async () => {
    expect.assert(server);
    const { run } = server;
    const url = server.url();
    await run(EMPTY);
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const { app_key, secret_key } = sandbox.credentials;
    const started = async (zone: string): Promise<Daemon> => {
      const clinic = `{ base_url: "${sandbox.url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: ${zone} }`;
      const yaml = `version: 1\nclinics:\n  main: ${clinic}\nstore: { postgres: "${url}" }\nhttp: { listen: 127.0.0.1:0 }\n`;
      const loaded = await fromText(yaml, 'test.yaml', { environment: {}, findKind, knownKinds: kindNames });
      expect.assert(loaded.ok);
      const daemon = await startDaemon({
        ...{ config: loaded.config, clock: systemClock, log: silentLog, version: '0.0.0' },
      });
      onTestFinished(() => daemon.stop());
      return daemon;
    };
    const rows = async (statement: string) => (await run(statement)).map((row) => Object.values(row)[0]);
    const owner = () => rows(`select owner from units where unit = 'clinic/main' and owner is not null`);
    const bookedOn = () => rows('select booked_on from appointments_open');

    const old = await started('UTC');
    await until('the first daemon has the clinic', async () => (await owner()).length === 1, {
      withinMs: 60_000,
    });
    const had = await owner();
    // Noon, which is midnight in Auckland.
    await old.parts.store.appointments.track('main', [987_654], '2026-03-02T11:00:00.000Z');
    const before = await bookedOn();
    await started('Pacific/Auckland');

    expect([before, await bookedOn()]).toEqual([['2026-03-02'], ['2026-03-03']]);
    expect(await owner()).toEqual(had);
  },
);
