/** @module-tag thorough */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startStory } from '../support/daemon/clinic-story.ts';
import { untilReady } from '../support/daemon/daemon-process.ts';
import { putOnServer } from '../support/daemon/on-server.ts';
import { hasPgBouncer, startPgBouncer } from '../support/store/pgbouncer.ts';
import { hasOwnPostgres, ownServer } from '../support/store/postgres-server.ts';
import { startSwitch } from '../support/store/switch.ts';
import { until } from '../support/until.ts';

// Side by side: each has servers of its own, and mostly waits for them.
describe.skipIf(!hasOwnPostgres || !hasPgBouncer)('a daemon on PostgreSQL', { concurrent: true }, () => {
  it('sends nothing from a dump that was put back, also behind PgBouncer, until a person has looked', {
    timeout: 120_000,
  }, async () => {
    await using story = await startStory({ name: 'dumped' });
    const server = await ownServer();
    await using _ = { [Symbol.asyncDispose]: () => server.stop() };
    await server.run('create database clinic');
    await using pooler = await startPgBouncer(server, 'transaction');
    await putOnServer(story, pooler.url('clinic'));
    const booking = async (ref = '') =>
      (await server.run(`select state, reason from bookings where ref = '${ref}'`, 'clinic'))[0];
    const untilIs = (ref: string | undefined, state: string) =>
      until(`${ref} is ${state}`, async () => (await booking(ref))?.state === state, {
        found: () => booking(ref),
      });
    const dump = join(server.folder, 'clinic.dump');
    await untilReady(story.launch());
    const booked = await story.submit(story.lead());
    await untilIs(booked?.body.ref, 'booked');
    const waiting = await story.ask('/in/counter', {
      method: 'POST',
      body: JSON.stringify(story.lead()),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${story.formToken}` },
    });

    await server.program('pg_dump', '--format=custom', '--file', dump, 'clinic');
    await story.act(`/admin/bookings/${waiting.body.ref}/approve`);
    await untilIs(waiting.body.ref, 'booked');
    await story.daemon.terminate();
    await server.program(
      'pg_restore',
      '--clean',
      '--if-exists',
      '--single-transaction',
      '--dbname=clinic',
      dump,
    );
    // The daemon of the dump counts as alive for 15 s after it.
    await server.run('delete from members', 'clinic');
    await untilReady(story.launch());
    const restored = await booking(waiting.body.ref);
    const later = await story.submit(story.lead());
    await until('it waits for its turn', async () => (await booking(later?.body.ref))?.state === 'queued');
    const before = story.sandbox.control.ledger().length;
    const resumed = await story.run(['bookings', 'resume']);
    await untilIs(later?.body.ref, 'booked');

    expect(restored).toEqual({ state: 'held', reason: 'restored_state' });
    expect(before).toBe(2);
    expect(resumed.output).toContain(`again: ${later?.body.ref}.`);
    expect(await booking(waiting.body.ref)).toEqual({ state: 'held', reason: 'restored_state' });
    const phones = story.sandbox.control.ledger().map(({ body }) => body.patient_phone);
    expect(new Set(phones).size).toBe(3);
    expect(phones).toHaveLength(3);
  });

  it('exits when a replica takes over, and holds what waited after its restart', {
    timeout: 120_000,
  }, async () => {
    await using story = await startStory({ name: 'failover' });
    const server = await ownServer();
    await using _ = { [Symbol.asyncDispose]: () => server.stop() };
    await server.run("alter role owner password 'p'");
    await server.run('create database clinic');
    const standby = await server.standby();
    await using __ = { [Symbol.asyncDispose]: () => standby.stop() };
    await using line = await startSwitch(server.port);
    await putOnServer(story, `postgres://owner:p@127.0.0.1:${line.port}/clinic`);
    await untilReady(story.launch());
    const waiting = await story.ask('/in/counter', {
      method: 'POST',
      body: JSON.stringify(story.lead()),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${story.formToken}` },
    });
    const there = async () =>
      (
        await standby.run(`select state, reason from bookings where ref = '${waiting.body.ref}'`, 'clinic')
      )[0];
    await until('the replica has it', async () => (await there())?.state === 'held');

    await standby.promote();
    line.to(standby.port);
    const exit = await story.daemon.exited;
    await standby.run('delete from members', 'clinic');
    await untilReady(story.launch());

    expect(exit.code).not.toBe(0);
    // The second when it met a write under way: of that it cannot say whether the replica has it.
    expect(exit.output).toMatch(/a replica that took over|not known whether the last write was stored/);
    expect(await there()).toEqual({ state: 'held', reason: 'restored_state' });
    expect(story.sandbox.control.ledger()).toEqual([]);
  });
});
