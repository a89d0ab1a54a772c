import { describe, expect, it } from 'vitest';
import { type Fence, type FleetTimes, fleetTimes } from '../../../src/store/ports/fleet.ts';
import type { Store } from '../../../src/store/store.ts';
import { faults, faultyConnections } from '../../support/store/faulty-connections.ts';
import { accept } from '../../support/store/store-file.ts';
import { until } from '../../support/until.ts';
import { created, minute, treatment } from './samples.ts';

/** A fault costs a second on a busy machine; the long run has one at every statement. */
const EVERY = Number(process.env.VERIFY_RUNS ?? 1) > 1 ? 1 : 3;

type Rows = (statement: string) => Promise<Record<string, unknown>[]>;

/** Ends whoever has a transaction open, also behind a pooler. */
const END_OPEN = `select pg_terminate_backend(pid) from pg_stat_activity
  where xact_start is not null and pid <> pg_backend_pid() and backend_type = 'client backend'
    and datname = current_database()`;

/**
 * Statements of a group are sent without waiting for each other's answers. Whichever of them fails, and however: everything
 * that was promised is stored once and whole, and nothing else is. `rows` asks the server itself.
 */
export function describeHalfWay(
  open: (
    connections: ReturnType<typeof faultyConnections>['connections'],
    times?: FleetTimes,
  ) => Promise<Store>,
  url: () => string,
  rows: Rows,
): void {
  const ownerOf = async (store: Store, unit: string) => {
    const { fleet } = store;
    expect.assert(fleet && store.under);
    await fleet.register([{ unit, kind: 'clinic' }]);
    await fleet.join({ id: unit, version: '1', config_hash: 'x' });
    const [taken] = await fleet.take(unit, [unit], [], 1);
    expect.assert(taken);
    const fence: Fence = { unit, owner: unit, fence: taken.fence, lost() {} };
    return store.under(fence);
  };

  describe('a write of an owner whose time ends while it commits', () => {
    it('is stored before anybody has its place', async () => {
      const { connections, before } = faultyConnections(url(), () => rows(END_OPEN));
      const store = await open(connections, fleetTimes(1_000));
      const owner = await ownerOf(store, 'clinic/main');
      const { fleet } = store;
      expect.assert(fleet);
      const take = async () => {
        await fleet.join({ id: 'second', version: '1', config_hash: 'x' }).catch(() => {});
        return (await fleet.take('second', ['clinic/main'], [], 1)).length;
      };
      const isGone = async () => !(await fleet.report()).members.some(({ id }) => id === 'clinic/main');
      let meanwhile: number | undefined;
      before.commit = async () => {
        await until('its time is over', isGone);
        meanwhile = await take();
      };

      await owner.keyValue.set('notes', { of: 'the first' });
      await until('someone has its place', async () => (await take()) === 1);

      expect(meanwhile).toBe(0);
      expect(await store.keyValue.get('notes', 'of')).toBe('the first');
      await expect(owner.keyValue.set('notes', { of: 'late' })).rejects.toThrow(/no longer owns/);
    });
  });

  describe('a group of writes, whichever of its statements fails', () => {
    it.each(faults)('is stored once and whole when one is %s', { timeout: 300_000 }, async (fault) => {
      const { connections, during } = faultyConnections(url(), () => rows(END_OPEN));
      const store = await open(connections);
      const clinics = ['main', 'other', 'third'];
      const owners = await Promise.all(clinics.map((clinic) => ownerOf(store, `clinic/${clinic}`)));
      const [main, ...others] = owners;
      expect.assert(main);

      const round = async (at: number) => {
        const content_hash = `twice in round ${at}`;
        const { booking } = await accept(store, { appointment_time: null });
        return await during(fault, at, () =>
          Promise.all([
            ...[{ content_hash }, { content_hash }, { clinic: 'other' }].map(
              async (fields) => (await accept(store, fields)).result,
            ),
            main.bookings
              .move({
                ...{ ref: booking.ref, from: ['queued'], attempt: 0, to: 'dropped' },
                ...{ actor: 'person', by: 'anna', at: minute(1) },
              })
              .then((moved) => moved?.state),
            ...others.map(async (owner, n) => {
              const thing = treatment(at);
              const recorded = await owner.mirror.record({
                ...{ clinic: clinics[n + 1] ?? '', poll: 'treatments', at: minute(at) },
                ...{ upserts: [thing], removals: [], changes: [created(thing)] },
              });
              return recorded.length;
            }),
          ]),
        );
      };
      // A server that refuses to begin is reported to the writer.
      const from = fault === 'refused by the server' ? 2 : 1;
      let at = from;
      for (; at < 200; at += EVERY) {
        const results = await round(at);
        if (results === undefined) break;
        expect({ at, results }).toEqual({ at, results: ['new', 'merged', 'new', 'dropped', 1, 1] });
      }
      // The last round was not struck.
      const rounds = (at - from) / EVERY + 1;

      expect(at).toBeGreaterThan(20);
      const count = async (statement: string) => Number((await rows(statement))[0]?.n);
      expect(await count('select count(*) as n from bookings')).toBe(3 * rounds);
      expect(await count('select sum(merged) as n from bookings')).toBe(rounds);
      expect(await count("select count(*) as n from bookings where state = 'dropped'")).toBe(rounds);
      expect(await count('select count(*) as n from treatments_things')).toBe(2 * rounds);
      // Received and queued of each, and dropped of one in each round.
      expect(await count('select count(*) as n from booking_events')).toBe(7 * rounds);
      expect(
        await rows(`select ref, count(*) from booking_events group by ref
          having count(*) <> case when ref in (select ref from bookings where state = 'dropped') then 3 else 2 end`),
      ).toEqual([]);
      expect(
        await rows(`select state, sum(count) as counted, (select count(*) from bookings b where b.state = c.state) as there
          from booking_counts c where bucket = '' group by state
          having sum(count) <> (select count(*) from bookings b where b.state = c.state)`),
      ).toEqual([]);
      expect(await count('select sum(count) as n from intake_counts')).toBe(3 * rounds);
      expect(
        await rows(`select clinic from changes group by clinic
          having min(sequence) <> 1 or max(sequence) <> count(*)
            or max(sequence) <> (select sequence from clinic_heads h where h.clinic = changes.clinic)`),
      ).toEqual([]);
      for (const clinic of clinics)
        expect(await store.changes.verify(clinic, {})).toMatchObject({ broken: null });
    });
  });
}
