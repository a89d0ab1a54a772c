import { afterAll, beforeAll, expect, it } from 'vitest';
import { daemonsHere } from '../../test/support/fleet/daemons-here.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../test/support/store/postgres-server.ts';
import { until } from '../../test/support/until.ts';

let server: PostgresServer | undefined;
beforeAll(async () => {
  server = hasPostgres ? await startPostgres() : undefined;
}, 120_000);
afterAll(() => server?.stop());

it.skipIf(!hasPostgres)(
  'counts days by the configuration of the daemon that started last, while an older one still has the clinic (needs PostgreSQL)',
  { timeout: 120_000, tags: ['thorough'] },
  async () => {
    expect.assert(server);
    const { run } = server;
    const started = await daemonsHere(server);
    const rows = async (statement: string) => (await run(statement)).map((row) => Object.values(row)[0]);
    const owner = () => rows(`select owner from units where unit = 'clinic/main' and owner is not null`);
    const bookedOn = () => rows('select booked_on from appointments_open');

    const old = await started({ timezone: 'UTC' });
    await until('the first daemon has the clinic', async () => (await owner()).length === 1, {
      withinMs: 60_000,
    });
    const had = await owner();
    // Noon, which is midnight in Auckland.
    await old.parts.store.appointments.track('main', [987_654], '2026-03-02T11:00:00.000Z');
    const before = await bookedOn();
    await started({ timezone: 'Pacific/Auckland' });

    expect([before, await bookedOn()]).toEqual([['2026-03-02'], ['2026-03-03']]);
    expect(await owner()).toEqual(had);
  },
);
