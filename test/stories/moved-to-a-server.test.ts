/** @module-tag thorough */
import { describe, expect, it } from 'vitest';
import { startStory } from '../support/daemon/clinic-story.ts';
import { untilReady } from '../support/daemon/daemon-process.ts';
import { putOnServer } from '../support/daemon/on-server.ts';
import { hasPostgres, startPostgres } from '../support/store/postgres-server.ts';
import { until } from '../support/until.ts';

/** Deliveries to one receiver at a time. */
const IN_FLIGHT = 8;

describe.skipIf(!hasPostgres)('an installation that moves from its file to a PostgreSQL server', () => {
  it('loses nothing, books nothing twice and delivers every change under one id', {
    timeout: 120_000,
  }, async () => {
    await using story = await startStory({ name: 'moved' });
    const server = await startPostgres();
    await using _ = { [Symbol.asyncDispose]: () => server.stop() };
    const statesThere = async () => {
      const rows = await server.run('select ref, state from bookings');
      return new Map(rows.map(({ ref, state }) => [String(ref), String(state)]));
    };
    await story.start();
    const booked = await story.submit(story.lead());
    await story.untilBooking(booked?.body.ref ?? '', 'booked');
    story.sandbox.control.script({ fault: 'reset_after_commit', match: { endpoint: 'book' } });
    const unknown = await story.submit(story.lead());
    await story.untilBooking(unknown?.body.ref ?? '', 'unknown');
    const held = await story.ask('/in/counter', {
      method: 'POST',
      body: JSON.stringify(story.lead()),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${story.formToken}` },
    });
    // Some of these are still queued when it stops.
    for (let i = 0; i < 5; i++) await story.submit(story.lead());
    await story.daemon.terminate();
    const before = story.peek<{ ref: string; state: string }>('select ref, state from bookings');

    const moved = await story.run(['migrate', '--from', `sqlite:${story.database}`, '--to', server.url()]);
    const oldConfig = await story.launch().exited;
    await putOnServer(story, server.url());
    await untilReady(story.launch());
    const later = await story.submit(story.lead());
    await story.act('/admin/clinics/main/resume-lane');
    const open = ['received', 'queued', 'sending'];
    await until(
      'nothing is on its way any more',
      async () => ![...(await statesThere()).values()].some((state) => open.includes(state)),
      { found: statesThere },
    );
    const changes = await server.run('select sequence, type from changes order by sequence');
    const toldOf = () => new Set(story.hook.events.map(({ sequence }) => sequence));
    await until('every change is delivered', () =>
      changes.every(({ sequence }) => toldOf().has(Number(sequence))),
    );

    expect(moved.code).toBe(0);
    expect(oldConfig.code).not.toBe(0);
    expect(oldConfig.output).toMatch(/was moved to .*store\.postgres/s);
    const states = await statesThere();
    expect([...states.keys()].toSorted()).toEqual(
      [...before.map(({ ref }) => ref), later?.body.ref ?? ''].toSorted(),
    );
    expect(states.get(booked?.body.ref ?? '')).toBe('booked');
    expect(states.get(unknown?.body.ref ?? '')).toBe('unknown');
    expect(states.get(held.body.ref ?? '')).toBe('held');
    expect(states.get(later?.body.ref ?? '')).toBe('booked');
    const atClinic = story.sandbox.control.ledger().map(({ body }) => String(body.patient_phone));
    expect(new Set(atClinic).size).toBe(atClinic.length);
    const mayBeThere = [...states.values()].filter((state) => ['booked', 'unknown'].includes(state));
    expect(atClinic).toHaveLength(mayBeThere.length);
    expect(changes.map(({ sequence }) => Number(sequence))).toEqual(changes.map((_one, i) => i + 1));
    // A delivery that the stop cut short comes again under its own id.
    const ids = new Map<number, Set<string>>();
    for (const { sequence, id } of story.hook.events)
      ids.set(sequence, (ids.get(sequence) ?? new Set()).add(id));
    expect([...ids].filter(([, of]) => of.size > 1)).toEqual([]);
    expect(story.hook.events.length - ids.size).toBeLessThanOrEqual(IN_FLIGHT);
  });
});
