import { describe, expect, it } from 'vitest';
import type { Observation } from '../../../src/store/ports/appointments.ts';
import type { Store } from '../../../src/store/store.ts';
import { minute, type OpenStore } from './samples.ts';

const seen = (status: string) => ({
  status,
  name: 'Ada Planted',
  date: '2026-04-01',
  time: '10:30',
  raw: { status, room: 4 },
});

const observe = (store: Store, observation: Partial<Observation> & { at: string }) =>
  store.appointments.observe({
    clinic: 'main',
    appointment_id: 7,
    seen: seen('Scheduled'),
    next_due_at: minute(999),
    done: false,
    changes: [],
    ...observation,
  });

export function describeAppointments(open: OpenStore): void {
  describe('appointments', () => {
    it('starts following an appointment once, due at once, and says so in the change log', async () => {
      const store = await open();

      const first = await store.appointments.track('main', [7, 8, 7], minute(0));
      const again = await store.appointments.track('main', [7], minute(1));

      expect([first, again]).toEqual([2, 0]);
      expect(await store.appointments.pending('main', 100)).toMatchObject([
        {
          appointment_id: 7,
          status: null,
          date: null,
          ref: null,
          next_due_at: minute(0),
          done: false,
        },
        { appointment_id: 8 },
      ]);
      expect(await store.changes.after('main', 0, 10)).toMatchObject([
        { type: 'appointment.tracked', resource: 'appointment', id: '7', previous: null },
        { type: 'appointment.tracked', id: '8' },
      ]);
    });

    it('lists an appointment that cannot be read until it is read, untracked or done', async () => {
      const store = await open();
      const unread = (appointment_id: number, done = false) =>
        store.appointments.unread({
          clinic: 'main',
          appointment_id,
          at: minute(1),
          field: 'status',
          problem: 'is missing',
          next_due_at: done ? null : minute(31),
          done,
        });
      await store.appointments.track('main', [7, 8, 9], minute(0));
      for (const id of [7, 8, 9]) await unread(id);
      const listed = await store.polls.unreadable('main');
      const dueSoon = await store.appointments.due('main', minute(30), 10);
      const dueLater = await store.appointments.due('main', minute(31), 10);

      await observe(store, { at: minute(2) });
      await store.appointments.untrack('main', [8], minute(2));
      await unread(8);
      await unread(9, true);

      expect(listed).toMatchObject([
        { poll: 'appointments', id: '7', position: null, field: 'status', tries: 1, first_at: minute(1) },
        { id: '8' },
        { id: '9' },
      ]);
      expect([dueSoon.length, dueLater.length]).toEqual([0, 3]);
      expect(await store.polls.unreadable()).toEqual([]);
      expect(await store.appointments.page('main', 100)).toMatchObject([
        { done: false },
        { done: true },
        { done: true },
      ]);
    });

    it('stores an observation, its changes and the next due time together', async () => {
      const store = await open();
      await store.appointments.track('main', [7], minute(0));
      const changed = {
        type: 'appointment.status_changed',
        resource: 'appointment',
        id: '7',
        data: { status: 'Scheduled' },
        previous: null,
      } as const;

      const changes = await observe(store, { at: minute(1), next_due_at: minute(30), changes: [changed] });
      await observe(store, { at: minute(31), next_due_at: minute(61) });

      expect(changes).toEqual([{ ...changed, clinic: 'main', sequence: 2, at: minute(1) }]);
      expect(await store.appointments.page('main', 100)).toEqual([
        {
          clinic: 'main',
          appointment_id: 7,
          status: 'Scheduled',
          name: 'Ada Planted',
          date: '2026-04-01',
          time: '10:30',
          ref: null,
          status_changed_at: minute(1),
          first_seen_at: minute(0),
          seen_at: minute(31),
          next_due_at: minute(61),
          done: false,
          removed_at: null,
          missed_at: null,
          misses: 0,
        },
      ]);
      expect(await store.mirror.rows('appointments', 'main')).toMatchObject([
        { changed_at: minute(1), removed_at: null, raw: JSON.stringify(seen('Scheduled').raw) },
      ]);
    });

    it('remembers between which observations a status moved, and one interval for equal ones', async () => {
      const store = await open();
      await store.appointments.track('main', [7], minute(0));
      for (const [at, status] of [
        [1, 'Scheduled'],
        [5, 'Scheduled'],
        [9, 'Scheduled'],
        [12, 'Arrived'],
        [20, 'Arrived'],
        [22, 'Scheduled'],
        [25, 'Scheduled'],
      ] as const)
        await observe(store, { at: minute(at), seen: seen(status) });

      const of = (at: number, n = 0, limit = 10) =>
        store.appointments.observations('main', { to: minute(at), n }, limit);
      const intervals = await of(0);
      const [first] = await of(0, 0, 1);

      expect(intervals.map(({ from, to, status, changed }) => [from, to, status, changed])).toEqual([
        [minute(1), minute(9), 'Scheduled', false],
        [minute(9), minute(12), 'Scheduled', true],
        [minute(12), minute(20), 'Arrived', false],
        [minute(20), minute(22), 'Arrived', true],
        [minute(22), minute(25), 'Scheduled', false],
      ]);
      expect(await of(21)).toHaveLength(2);
      expect([first, ...(await of(9, first?.n))]).toEqual(intervals);
    });

    it('marks an appointment the clinic does not know, and unmarks it when it is back', async () => {
      const store = await open();
      await store.appointments.track('main', [7], minute(0));
      await observe(store, { at: minute(1) });

      await observe(store, { at: minute(2), seen: null });
      const gone = await store.mirror.rows('appointments', 'main');
      await observe(store, { at: minute(3) });

      expect(gone).toMatchObject([{ status: 'Scheduled', seen_at: minute(1), removed_at: minute(2) }]);
      expect(await store.mirror.rows('appointments', 'main')).toMatchObject([
        { removed_at: null, changed_at: minute(3) },
      ]);
    });

    it('keeps one that is only missed for a moment', async () => {
      const store = await open();
      await store.appointments.track('main', [7], minute(0));
      await observe(store, { at: minute(1) });

      const missed = { missed_at: minute(2), misses: 1, missing: false };
      await observe(store, { at: minute(2), seen: null, missed });
      const [row] = await store.appointments.list('main', [7]);
      await observe(store, { at: minute(3) });

      expect(row).toMatchObject({ removed_at: null, missed_at: minute(2), misses: 1 });
      expect(await store.appointments.list('main', [7])).toMatchObject([{ missed_at: null, misses: 0 }]);
    });

    it('reads one with a final status once more when that is due, and follows it if it is not final', async () => {
      const store = await open();
      await store.appointments.track('main', [7, 8], minute(0));
      await observe(store, { at: minute(1), next_due_at: minute(11), done: true });
      await observe(store, { appointment_id: 8, at: minute(1), next_due_at: null, done: true });

      const due = await store.appointments.due('main', minute(11), 10);
      await observe(store, { at: minute(11), next_due_at: minute(20), done: false });
      await observe(store, { appointment_id: 8, at: minute(11), next_due_at: minute(20), done: false });

      expect(due.map(({ appointment_id }) => appointment_id)).toEqual([7]);
      expect(await store.appointments.pending('main', 10)).toMatchObject([{ appointment_id: 7 }]);
    });

    it('follows again what ended by a clock that was ahead', async () => {
      const store = await open();
      await store.appointments.track('main', [7, 8], minute(0));
      await observe(store, { at: minute(1), next_due_at: null, done: true, followed_until: minute(30) });
      await observe(store, { appointment_id: 8, at: minute(1), next_due_at: null, done: true });

      await store.appointments.resume('main', minute(40));
      const later = await store.appointments.pending('main', 10);
      await store.appointments.resume('main', minute(2));

      expect(later).toEqual([]);
      expect(await store.appointments.pending('main', 10)).toMatchObject([
        { appointment_id: 7, next_due_at: minute(2) },
      ]);
    });

    it('does not follow what is done or untracked, until it is tracked again', async () => {
      const store = await open();
      await store.appointments.track('main', [7, 8, 9], minute(0));

      await observe(store, { at: minute(1), next_due_at: null, done: true });
      const untracked = await store.appointments.untrack('main', [7, 8], minute(2));
      const pending = await store.appointments.pending('main', 100);
      const again = await store.appointments.track('main', [8], minute(3));

      expect([untracked, again]).toEqual([1, 1]);
      expect(pending.map(({ appointment_id }) => appointment_id)).toEqual([9]);
      expect(await store.appointments.pending('main', 100)).toMatchObject([
        { appointment_id: 8, next_due_at: minute(3) },
        { appointment_id: 9 },
      ]);
    });

    it('gives what is due, the most overdue first, and no more than asked for', async () => {
      const store = await open();
      await store.appointments.track('main', [6, 7, 8, 9], minute(0));
      await observe(store, { appointment_id: 6, at: minute(1), next_due_at: minute(31) });
      await observe(store, { appointment_id: 7, at: minute(1), next_due_at: minute(30) });
      await observe(store, { appointment_id: 8, at: minute(1), next_due_at: minute(20) });

      const due = await store.appointments.due('main', minute(30), 10);
      const first = await store.appointments.due('main', minute(30), 2);

      expect(due.map(({ appointment_id }) => appointment_id)).toEqual([9, 8, 7]);
      expect(first.map(({ appointment_id }) => appointment_id)).toEqual([9, 8]);
    });

    it('pages through what is pending, by number and without what is done', async () => {
      const store = await open();
      await store.appointments.track('main', [6, 7, 8, 9], minute(0));
      await observe(store, { appointment_id: 8, at: minute(1), next_due_at: null, done: true });

      const first = await store.appointments.pending('main', 2);
      const second = await store.appointments.pending('main', 2, 7);

      expect(first.map(({ appointment_id }) => appointment_id)).toEqual([6, 7]);
      expect(second.map(({ appointment_id }) => appointment_id)).toEqual([9]);
    });

    it('ignores an observation under way when it was untracked or its patient erased', async () => {
      const store = await open();
      await store.appointments.track('main', [7], minute(0));
      await store.appointments.untrack('main', [7], minute(1));

      const changes = await observe(store, { at: minute(2) });

      expect(changes).toEqual([]);
      expect(await store.appointments.page('main', 100)).toMatchObject([
        { name: null, status: null, done: true },
      ]);
    });

    it('ignores an observation of an unknown appointment', async () => {
      const store = await open();
      const changed = { type: 'appointment.updated', resource: 'appointment', id: '7' } as const;

      const changes = await observe(store, {
        at: minute(1),
        changes: [{ ...changed, data: { name: 'Ada Planted' }, previous: null }],
      });

      expect(changes).toEqual([]);
      expect(await store.changes.latest('main')).toBe(0);
      expect(await store.appointments.page('main', 100)).toEqual([]);
    });
  });
}
