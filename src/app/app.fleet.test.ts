/** @module-tag thorough */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { daemonsHere, MISSING } from '../../test/support/fleet/daemons-here.ts';
import { startReceiver } from '../../test/support/http/receiver.ts';
import { openDay } from '../../test/support/open-day.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../test/support/store/postgres-server.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';

let server: PostgresServer | undefined;
beforeAll(async () => {
  server = hasPostgres ? await startPostgres() : undefined;
}, 120_000);
afterAll(() => server?.stop());

describe.skipIf(!hasPostgres)('daemons of a fleet (needs PostgreSQL)', { timeout: 120_000 }, () => {
  it('leave connectors that cannot be built on one host to another', async () => {
    expect.assert(server);
    const { run } = server;
    const start = await daemonsHere(server);
    const owned = async () =>
      (await run('select unit from units where owner is not null'))
        .map(({ unit }) => String(unit))
        .toSorted();
    const folder = await temporaryFolder();
    const four = (use: (name: string) => string) =>
      ['one', 'two', 'three', 'four'].map((name) => `${name}: { use: ${use(name)} }`);

    const without = await start({ connectors: four(() => MISSING) });
    await until('the first daemon has what it can do', async () => (await owned()).length >= 2, {
      found: owned,
    });
    const before = await owned();
    const able = await start({ connectors: four((name) => `csv, directory: ${join(folder, name)}`) });
    const delivering = () => able.parts.connectors.map(({ isDelivering }) => isDelivering);
    await until('the other host delivers to all', async () => delivering().every(Boolean), {
      ...{ withinMs: 15_000, found: async () => ({ delivering: delivering(), owned: await owned() }) },
    });

    expect(before).toEqual(['clinic/main', 'upkeep']);
    expect(without.parts.connectors.map(({ quarantined }) => quarantined)).not.toContain(undefined);
  });

  it('tell of a pause of another’s clinic without anybody having looked at a page', async () => {
    expect.assert(server);
    const { run } = server;
    const start = await daemonsHere(server);
    const daemons = [await start(), await start()];
    const owned = async () => (await run('select 1 from units where owner is not null')).length;
    await until('everything has an owner', async () => (await owned()) === 2, { found: owned });

    // As its owner stores it: a pause that cannot be read is one.
    await run(
      "insert into memory (scope, key, value) values ('bookings', 'lane:main', 'x') on conflict (scope, key) do update set value = excluded.value",
    );
    const reports = await Promise.all(daemons.map((daemon) => daemon.report()));

    const lanes = reports.flatMap(({ reasons }) => reasons.filter(({ kind }) => kind === 'lane'));
    expect(lanes).toHaveLength(1);
  });

  it('do not send to one clinic under two keys before a person has decided', async () => {
    expect.assert(server);
    const start = await daemonsHere(server);
    const first = await start();
    await until('it is mirrored', async () => (await first.parts.store.mirror.names()).size > 0);

    const second = await start({ key: 'other' });
    const { store, bookings } = second.parts;
    const fields = { patient_name: 'Ann Lee', patient_phone: '+8801712345678', appointment_time: '11:00' };
    const { ref } = await bookings.accept({
      ...{ source: 'desk', clinic: 'other' },
      fields: { ...fields, appointment_date: openDay(20) },
    });
    await until('a person is asked', async () => (await store.guards.open()).length > 0);
    await until('sending is paused', () => bookings.sendingState('other').state === 'paused');

    expect((await store.guards.open()).map(({ sentence }) => sentence).join()).toContain(
      'is already known under the key main',
    );
    expect(await store.bookings.get(ref)).toMatchObject({ state: 'queued', attempt: 0 });
  });

  it('tell people that a booking without a clinic cannot be held', async () => {
    expect.assert(server);
    const { run } = server;
    const start = await daemonsHere(server);
    const receiver = await startReceiver();
    onTestFinished(() => receiver[Symbol.asyncDispose]());
    const notify = [`phone: { use: webhook, url: "${receiver.url}/", allow_networks: [127.0.0.0/8] }`];
    const former = await start();
    await former.parts.bookings.accept({
      ...{ source: 'desk', clinic: 'main' },
      fields: { patient_name: 'Ann Lee', patient_phone: '+8801712345678' },
    });
    await former.stop();
    await run(`update bookings set clinic = 'gone', state = 'queued';
      create function refuse() returns trigger language plpgsql as $$ begin raise 'this row is damaged'; end $$;
      create trigger refuse before update on bookings for each row execute function refuse()`);
    onTestFinished(() => run('drop function refuse cascade').then(() => {}));

    await start({ notify });
    await start({ notify });
    await until(
      'people are told',
      () => receiver.received.some(({ body }) => body.includes('could not be held')),
      {
        withinMs: 45_000,
        found: async () => ({
          told: receiver.received.map(({ body }) => body),
          units: await run('select * from units'),
        }),
      },
    );
  });

  it('take leads until a load balancer can have noticed that they stop', async () => {
    expect.assert(server);
    const start = await daemonsHere(server);
    const connectors = ['website: { use: web-form, token: lantern-river-otter-2 }'];
    const stopping = await start({ connectors });
    await start({ connectors });
    const post = async (url: string) => {
      const headers = {
        authorization: 'Bearer lantern-river-otter-2',
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
