import { describe, expect, it } from 'vitest';
import { judgeWithin } from '../../../src/bookings/duplicates/judge-lead.ts';
import type { AuditEntry } from '../../../src/domain/audit.ts';
import { instant } from '../../../src/platform/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { booking, minute, type OpenStore, session } from './samples.ts';

const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  at: minute(0),
  actor: 'Rima',
  role: 'desk',
  action: 'booking.approve',
  subject: 'CS-7K3Q9F',
  result: 'ok',
  address: '192.0.2.7',
  ...more,
});

export function describePeople(open: OpenStore): void {
  describe('sessions', () => {
    it('are there until they are ended', async () => {
      const store = await open();
      for (const id of ['a', 'b', 'c']) await store.sessions.start(session(id));

      await store.sessions.seen('a', minute(5));
      await store.sessions.end(['b', 'c', 'unknown']);
      await store.sessions.end(['b']);

      expect(await store.sessions.get('b')).toBeUndefined();
      expect(await store.sessions.get('c')).toBeUndefined();
      expect(await store.sessions.get('a')).toEqual(session('a', { seen_at: minute(5) }));
      expect(await store.sessions.list(minute(59))).toHaveLength(1);
      expect(await store.sessions.list(minute(60))).toEqual([]);
    });

    it('that are over go when the next one starts', async () => {
      const store = await open();
      await store.sessions.start(session('old'));

      await store.sessions.start(session('new', { started_at: minute(60), ends_at: minute(120) }));

      expect(await store.sessions.get('old')).toBeUndefined();
    });
  });

  describe('the audit', () => {
    it('is read newest first, in pages, from a time on', async () => {
      const store = await open();
      for (const at of [0, 1, 2, 3]) await store.audit.record(entry({ at: minute(at) }));

      const newest = await store.audit.list({ limit: 2 });
      const older = await store.audit.list({ limit: 2, before: newest.at(-1)?.n ?? 0 });
      const since = await store.audit.list({ limit: 9, since: minute(2) });

      expect(newest.map(({ at }) => at)).toEqual([minute(3), minute(2)]);
      expect(older.map(({ at }) => at)).toEqual([minute(1), minute(0)]);
      expect(since.map(({ at }) => at)).toEqual([minute(3), minute(2)]);
      expect(newest[0]).toMatchObject(entry({ at: minute(3) }));
    });

    it('lets go of what strangers were refused after a while, and of nothing else', async () => {
      const store = await open();
      const stranger = { actor: 'stranger', role: 'none', action: 'sign_in', result: 'wrong token' } as const;
      await store.audit.record(entry(stranger));
      await store.audit.record(entry({ action: 'denied', result: 'refused' }));
      await store.audit.record(entry());

      const later = instant(Date.UTC(2026, 8, 1));
      const nothing = { deliveries: minute(0), connectors: [], forgetting: [] };
      await store.prune({ now: later, observations: later, ...nothing });

      expect(await store.audit.list({ limit: 9 })).toMatchObject([entry()]);
    });

    const on = { refused: () => 'refused', lost: () => {} };
    const drop = (store: Store, ref: string) => async () => {
      const moved = await store.bookings.move({
        ref,
        attempt: 0,
        from: ['queued'],
        to: 'dropped',
        actor: 'person',
        by: 'Rima',
        at: minute(1),
      });
      if (moved === undefined) throw new Error('it has moved');
    };

    it('has one row for an action that succeeded, and one for an action that was refused', async () => {
      const store = await open();
      const { ref } = (await store.bookings.accept(booking(), judgeWithin(0))).booking;

      await store.audit.perform(entry({ subject: ref }), drop(store, ref), on);
      const again = store.audit.perform(entry({ subject: ref }), drop(store, ref), on);
      await expect(again).rejects.toThrow('it has moved');
      await store.audit.perform(entry({ action: 'clinic.sync' }), async () => {}, on);

      const rows = await store.audit.list({ limit: 9 });
      expect(rows.reverse().map(({ action, result }) => [action, result])).toEqual([
        ['booking.approve', 'ok'],
        ['booking.approve', 'refused'],
        ['clinic.sync', 'ok'],
      ]);
    });

    it('says what failed of an action that was partly done', async () => {
      const store = await open();
      const [one, two] = [
        await store.bookings.accept(booking(), judgeWithin(0)),
        await store.bookings.accept(booking(), judgeWithin(0)),
      ];
      const both = async () => {
        await drop(store, one.booking.ref)();
        await drop(store, two.booking.ref)();
      };
      await drop(store, two.booking.ref)();

      await expect(store.audit.perform(entry(), both, on)).rejects.toThrow('it has moved');

      expect((await store.audit.list({ limit: 9 })).map(({ result }) => result)).toEqual(['refused', 'ok']);
    });

    it('keeps apart the rows of two concurrent actions, and of what an action left running', async () => {
      const store = await open();
      const accepted = [
        await store.bookings.accept(booking(), judgeWithin(0)),
        await store.bookings.accept(booking(), judgeWithin(0)),
      ];
      let later: Promise<unknown> = Promise.resolve();
      const running = async () => {
        later = new Promise((resolve) => setImmediate(resolve)).then(() =>
          store.keyValue.set('worker', { seen: 'yes' }),
        );
      };

      await Promise.all([
        ...accepted.map(({ booking: { ref } }) =>
          store.audit.perform(entry({ subject: ref }), drop(store, ref), on),
        ),
        store.audit.perform(entry({ subject: 'running' }), running, on),
      ]);
      await later;

      const subjects = (await store.audit.list({ limit: 9 })).map(({ subject }) => subject).sort();
      expect(subjects).toEqual([...accepted.map(({ booking: { ref } }) => ref), 'running'].sort());
    });

    it('goes with the changes, but never what is younger than a month', async () => {
      const store = await open();
      const now = instant(Date.now());
      const recent = instant(Date.now() - 29 * 86_400_000);
      for (const at of ['2020-01-01T00:00:00.000Z', recent]) await store.audit.record(entry({ at }));
      const limits = { now, deliveries: now, observations: now, connectors: [], forgetting: [] };

      await store.prune(limits);
      const kept = await store.audit.list({ limit: 9 });
      await store.prune({ ...limits, changes: now });
      const left = await store.audit.list({ limit: 9 });

      expect(kept).toHaveLength(2);
      expect(left.map(({ at }) => at)).toEqual([recent]);
    });
  });
}
