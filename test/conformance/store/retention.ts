import { describe, expect, it } from 'vitest';
import type { NewBooking } from '../../../src/store/ports/bookings.ts';
import type { Keep } from '../../../src/store/ports/removal.ts';
import type { Store } from '../../../src/store/store.ts';
import {
  booking,
  claimNext,
  created,
  delivery,
  judge,
  minute,
  type OpenStore,
  treatment,
} from './samples.ts';

const DAY = 24 * 60;
/** A year later; everything of the tests' day is over. */
const now = minute(365 * DAY);

const prune = (store: Store, keep: Partial<Keep> = {}) =>
  store.prune({ now, deliveries: now, observations: now, connectors: [], forgetting: [], ...keep });

const accept = async (store: Store, fields: Partial<NewBooking> = {}) =>
  (await store.bookings.accept(booking(fields), judge)).booking;

const drop = (store: Store, ref: string) =>
  store.bookings.move({
    ref,
    attempt: 0,
    from: ['queued'],
    to: 'dropped',
    actor: 'person',
    by: 'Sam',
    at: minute(5),
  });

async function book(store: Store, id: number, fields: Partial<NewBooking> = {}): Promise<string> {
  const { ref } = await accept(store, fields);
  await claimNext(store, 'main', minute(1));
  const outcome = { to: 'booked', actor: 'daemon', by: 'daemon', at: minute(2), appointment_id: id } as const;
  await store.bookings.move({ ref, attempt: 1, from: ['sending'], ...outcome });
  return ref;
}

const refs = async (store: Store) => (await store.bookings.list({})).map(({ ref }) => ref).sort();

export function describeRetention(open: OpenStore): void {
  describe('removing what is old', () => {
    it('keeps everything without limits', async () => {
      const store = await open();
      const { ref } = await accept(store);
      await drop(store, ref);

      const removed = await prune(store);

      expect(removed).toMatchObject({ bookings: 0, appointments: 0, changes: 0 });
      expect(await refs(store)).toEqual([ref]);
    });

    it('removes settled bookings, and never one that waits for anything', async () => {
      const store = await open();
      const followed = await book(store, 501);
      const over = await book(store, 502);
      await drop(store, (await accept(store)).ref);
      const held = await accept(store, { state: 'held', reason: 'approval' });
      const queued = await accept(store);
      await store.appointments.untrack('main', [502], minute(3));

      const removed = await prune(store, { bookings: now });

      expect(removed.bookings).toBe(2);
      expect((await store.erasures(0)).flatMap((erased) => erased.appointments)).toEqual([
        { clinic: 'main', appointment_id: 502 },
      ]);
      expect(await refs(store)).toEqual([queued.ref, held.ref, followed].sort());
      expect(await store.bookings.get(over)).toBeUndefined();
      expect(
        (await store.appointments.page('main', 100)).map(({ appointment_id }) => appointment_id),
      ).toEqual([501]);
    });

    it('keeps a booking until its date is over: sent once more, it would be booked', async () => {
      const store = await open();
      const { ref, submission_id } = await accept(store, {
        ...{ appointment_date: '2027-03-01', content_hash: 'h' },
      });
      await drop(store, ref);

      const removed = await prune(store, { dropped: now });
      const again = await store.bookings.accept(booking({ submission_id, content_hash: 'h' }), judge);

      expect(removed.bookings).toBe(0);
      expect(again).toMatchObject({ result: 'same', booking: { ref, state: 'dropped' } });
    });

    it('removes dropped ones earlier than the others', async () => {
      const store = await open();
      const { ref } = await accept(store);
      await drop(store, ref);
      const booked = await book(store, 501);
      await store.appointments.untrack('main', [501], minute(3));

      const removed = await prune(store, { bookings: minute(0), dropped: now });

      expect(removed.bookings).toBe(1);
      expect(await refs(store)).toEqual([booked]);
    });

    it('keeps what a connector has not taken or delivered yet', async () => {
      const store = await open();
      const [waiting, unseen] = [await accept(store), await accept(store)];
      await drop(store, waiting.ref);
      await store.deliveries.enqueue('crm', 'main', 3, [delivery(3, `booking:${waiting.ref}`)], minute(6));
      await drop(store, unseen.ref);

      const removed = await prune(store, { bookings: now, changes: now, connectors: ['crm'] });

      expect(removed).toMatchObject({ bookings: 0, changes: 3 });
      expect(await refs(store)).toEqual([waiting.ref, unseen.ref].sort());
      expect((await store.changes.after('main', 0, 99)).map(({ sequence }) => sequence)).toEqual([4, 5, 6]);
    });

    it('keeps a booking whose delivery was given up, until a person has decided', async () => {
      const store = await open();
      const { ref } = await accept(store);
      await drop(store, ref);
      await store.deliveries.enqueue('crm', 'main', 9, [delivery(1, `booking:${ref}`)], minute(6));
      await store.deliveries.settle([{ id: 'd1', at: minute(7), state: 'dead', error: 'no' }]);

      await prune(store, { bookings: now, connectors: ['crm'] });
      const before = await refs(store);
      await store.deliveries.decide('crm', 'skip', minute(8));
      await prune(store, { bookings: now, connectors: ['crm'] });

      expect([before, await refs(store)]).toEqual([[ref], []]);
    });

    it('removes what only a connector that is not configured has not taken', async () => {
      const store = await open();
      const [pending, dead] = [await accept(store), await accept(store)];
      await drop(store, pending.ref);
      await drop(store, dead.ref);
      const waiting = [delivery(1, `booking:${pending.ref}`), delivery(2, `booking:${dead.ref}`)];
      await store.deliveries.enqueue('echo', 'main', 1, waiting, minute(6));
      await store.deliveries.settle([{ id: 'd2', at: minute(7), state: 'dead', error: 'no' }]);

      const removed = await prune(store, { bookings: now, changes: now, connectors: ['crm'] });

      expect(removed).toMatchObject({ bookings: 2, changes: 5 });
      expect(await refs(store)).toEqual([]);
    });

    it('forgets a connector once it has not been configured for 30 days', async () => {
      const store = await open();
      const day = (days: number) => minute(days * DAY);
      const on = (days: number, connectors: string[]) =>
        prune(store, { now: day(days), deliveries: day(days - 30), connectors });
      await store.deliveries.enqueue('echo', 'main', 2, [delivery(1), delivery(2)], day(0));
      await store.deliveries.enqueue('echo:state', 'main', 2, [], day(0));
      await store.deliveries.enqueue('crm', 'main', 3, [delivery(3)], day(0));
      await store.deliveries.report('echo', { last_error: 'no', failures: 3 });
      for (const name of ['echo', 'form', 'crm'])
        await store.keyValue.set(`connector:${name}`, { note: name });
      const left = async () => ({
        waiting: (await store.deliveries.list({})).map(({ id }) => id),
        notes: await Promise.all(
          ['echo', 'form', 'crm'].map((name) => store.keyValue.get(`connector:${name}`, 'note')),
        ),
      });

      await on(1, ['crm']);
      await on(20, ['crm', 'echo', 'form']);
      await on(25, ['crm']);
      await on(55, ['crm']);
      const before = await left();
      const removed = await on(56, ['crm']);

      expect(before).toEqual({ waiting: ['d3', 'd2', 'd1'], notes: ['echo', 'form', 'crm'] });
      expect(removed).toMatchObject({ deliveries: 2, other: 2 });
      expect(await left()).toEqual({ waiting: ['d3'], notes: [undefined, undefined, 'crm'] });
      expect(await store.deliveries.cursor('echo', 'main')).toBeUndefined();
      expect(await store.deliveries.cursor('echo:state', 'main')).toBeUndefined();
      expect(await store.deliveries.connector('echo')).toMatchObject({ failures: 0, last_error: null });
      expect(await store.keyValue.list('unconfigured', '')).toEqual({});
    });

    it('counts what waits for connectors that are not configured', async () => {
      const store = await open();
      await store.deliveries.enqueue('crm', 'main', 1, [delivery(1)], minute(0));
      await store.deliveries.enqueue('echo', 'main', 3, [delivery(2), delivery(3)], minute(0));
      await store.deliveries.settle([{ id: 'd3', at: minute(7), state: 'dead', error: 'no' }]);

      const before = await store.deliveries.leftBehind(['crm']);
      await prune(store, { deliveries: minute(0), connectors: ['crm'] });
      const noted = await store.deliveries.leftBehind(['crm']);
      const skipped = await store.deliveries.decide('echo', 'abandon', minute(8));

      expect(before).toEqual([{ connector: 'echo', since: null, pending: 1, dead: 1 }]);
      expect(noted).toEqual([{ connector: 'echo', since: now, pending: 1, dead: 1 }]);
      expect(skipped).toBe(2);
      expect(await store.deliveries.leftBehind(['crm'])).toEqual([]);
    });

    it('keeps a booking that is not what was asked for until a person has seen it', async () => {
      const store = await open();
      const ref = await book(store, 501);
      await store.appointments.untrack('main', [501], minute(3));
      const verified = { ref, attempt: 1, verified_at: minute(3) };
      await store.bookings.note({
        ...verified,
        evidence: { verification: 'differs', mismatch: ['The time is 17:45.'] },
      });

      await prune(store, { bookings: now });
      const before = await refs(store);
      await store.bookings.note({ ...verified, evidence: { verification: 'acknowledged', mismatch: [] } });
      await prune(store, { bookings: now });

      expect([before, await refs(store)]).toEqual([[ref], []]);
    });

    it('leaves the lines of the change log, without the person', async () => {
      const store = await open();
      const { ref } = await accept(store, { note: 'afraid of needles' });
      await drop(store, ref);
      const before = await store.changes.after('main', 0, 99);

      await prune(store, { dropped: now });

      const after = await store.changes.after('main', 0, 99);
      expect(after.map(({ sequence, type }) => [sequence, type])).toEqual(
        before.map(({ sequence, type }) => [sequence, type]),
      );
      expect(JSON.stringify(after)).not.toMatch(/Ada|needles|0170/);
    });

    it('still counts what it removed', async () => {
      const store = await open();
      for (let n = 0; n < 3; n += 1) await drop(store, (await accept(store)).ref);
      await accept(store);
      const before = await store.bookings.totals(minute(0), minute(0));

      await prune(store, { dropped: now });

      const after = await store.bookings.totals(minute(0), minute(0));
      expect(after.map(({ source, state, all }) => ({ source, state, all }))).toEqual(
        before.map(({ source, state, all }) => ({ source, state, all })),
      );
    });

    it('removes the beginning of the change log, and continues its numbers', async () => {
      const store = await open();
      const record = (from: number, at: string) =>
        store.mirror.record({
          clinic: 'main',
          poll: 'treatments',
          at,
          upserts: [],
          removals: [],
          changes: Array.from({ length: 700 }, (_, i) => created(treatment(from + i))),
        });
      await record(1, minute(0));
      await record(701, minute(10));

      const removed = await prune(store, { changes: minute(5) });
      const rest = await prune(store, { changes: now });
      const [next] = await store.mirror.record({
        clinic: 'main',
        poll: 'treatments',
        at: now,
        upserts: [],
        removals: [],
        changes: [created(treatment(9))],
      });

      expect([removed.changes, rest.changes]).toEqual([700, 699]);
      expect(next?.sequence).toBe(1_401);
      expect((await store.changes.after('main', 0, 9)).map(({ sequence }) => sequence)).toEqual([
        1_400, 1_401,
      ]);
    });

    it('keeps the last of each month of the organization’s figures', async () => {
      const store = await open();
      const figures = { total_users: 1, total_patients: 1, total_appointments: 1, total_doctors: 1 };
      for (const [n, day] of [0, 1, 2, 40, 41].entries())
        await store.mirror.record({
          clinic: 'main',
          poll: 'organization',
          at: minute(day * DAY),
          upserts: [],
          removals: [],
          changes: [],
          statistics: { ...figures, total_patients: n },
        });

      await prune(store, { changes: now });

      const rows = await store.mirror.rows('organization_statistics', 'main');
      expect(rows.map(({ total_patients }) => total_patients)).toEqual([2, 4]);
    });

    it('removes appointments that were tracked by their number alone, with their name in the log', async () => {
      const store = await open();
      await store.appointments.track('main', [7, 8], minute(0));
      const seen = { status: 'Completed', name: 'Ada Planted', date: '2026-03-02', time: '10:30' };
      const change = {
        type: 'appointment.updated',
        resource: 'appointment',
        id: '7',
        data: seen,
        previous: null,
      } as const;
      await store.appointments.observe({
        clinic: 'main',
        appointment_id: 7,
        at: minute(1),
        seen: { ...seen, raw: seen },
        next_due_at: null,
        done: true,
        changes: [change],
      });

      const removed = await prune(store, { bookings: now });

      expect(removed.appointments).toBe(1);
      expect(
        (await store.appointments.page('main', 100)).map(({ appointment_id }) => appointment_id),
      ).toEqual([8]);
      expect(JSON.stringify(await store.changes.after('main', 0, 9))).not.toContain('Ada');
    });

    it('lets everything else run between two portions', async () => {
      const store = await open();
      for (let n = 0; n < 30; n += 1) await drop(store, (await accept(store)).ref);
      const order: string[] = [];

      const pruning = prune(store, { dropped: now }).then(() => order.push('removed'));
      setImmediate(() => setImmediate(() => order.push('something else')));
      await pruning;

      expect(order).toEqual(['something else', 'removed']);
    });

    it('keeps one that a person reopens while others are removed', async () => {
      const store = await open();
      const expire = {
        from: ['queued'],
        to: 'expired',
        actor: 'daemon',
        by: 'daemon',
        at: minute(5),
      } as const;
      for (let n = 0; n < 30; n += 1)
        await store.bookings.move({ ref: (await accept(store)).ref, attempt: 0, ...expire });
      const last = (await refs(store)).at(-1) ?? '';

      const pruning = prune(store, { bookings: now });
      while ((await refs(store)).length === 30) await new Promise((resolve) => setImmediate(resolve));
      const again = { from: ['expired'], to: 'queued', actor: 'person', by: 'Sam', at: now } as const;
      const taken = await store.bookings.move({ ref: last, attempt: 0, ...again });
      const { bookings } = await pruning;

      expect(taken).toMatchObject({ state: 'queued' });
      expect(bookings).toBe(29);
      expect(await refs(store)).toEqual([last]);
    });

    it('stops between two portions when it is told to', async () => {
      const store = await open();
      await drop(store, (await accept(store)).ref);

      const pruning = store.prune(
        { now, deliveries: now, observations: now, dropped: now, connectors: [], forgetting: [] },
        AbortSignal.abort(),
      );

      await expect(pruning).rejects.toThrow();
      expect(await refs(store)).toHaveLength(1);
    });
  });
}
