import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { minute, type OpenStore, QUARTER_HOUR_MS } from './samples.ts';

const guard = {
  clinic: 'main',
  poll: 'treatments',
  kind: 'removed',
  fingerprint: 'f1',
  count: 40,
  of: 50,
  sentence: '40 of 50 treatments are missing.',
  things: [{ id: '4', name: 'Scaling' }],
  approval_only: false,
} satisfies Parameters<Store['guards']['raise']>[0];

export function describeRest(open: OpenStore): void {
  describe('guards', () => {
    it('counts equal answers, and opens a new one in place of a different one', async () => {
      const store = await open();

      const first = await store.guards.raise(guard, minute(0));
      const again = await store.guards.raise(guard, minute(15));
      const other = await store.guards.raise({ ...guard, fingerprint: 'f2' }, minute(30));

      expect(first).toEqual({
        ...guard,
        id: first.id,
        seen: 1,
        state: 'open',
        first_at: minute(0),
        last_at: minute(0),
      });
      expect(again).toMatchObject({ id: first.id, seen: 2, first_at: minute(0), last_at: minute(15) });
      expect(other).toMatchObject({ seen: 1, state: 'open' });
      expect(await store.guards.current('main', 'treatments')).toEqual(other);
      expect(await store.guards.current('main', 'dentists')).toBeUndefined();
      expect(await store.guards.list()).toMatchObject([
        { id: other.id, state: 'open' },
        { id: first.id, state: 'withdrawn' },
      ]);
    });

    it('begins its hour now when it seems to have begun in the future', async () => {
      const store = await open();
      await store.guards.raise(guard, minute(50));

      const again = await store.guards.raise({ ...guard, approval_only: true }, minute(10));

      expect(again).toMatchObject({
        seen: 2,
        first_at: minute(10),
        last_at: minute(10),
        approval_only: true,
      });
      expect(await store.guards.current('main', 'treatments')).toEqual(again);
    });

    it('counts for how long answers agreed, whatever the clock was set to between them', async () => {
      const store = await open();
      await store.guards.raise(guard, minute(0));
      await store.guards.raise(guard, minute(15), QUARTER_HOUR_MS);

      const forward = await store.guards.raise(guard, minute(300), QUARTER_HOUR_MS);
      const back = await store.guards.raise(guard, minute(100), QUARTER_HOUR_MS);
      const slewed = await store.guards.raise(guard, minute(115), QUARTER_HOUR_MS + 50);
      const elsewhere = await store.guards.raise(guard, minute(120), QUARTER_HOUR_MS);

      expect(forward).toMatchObject({ first_at: minute(270), last_at: minute(300) });
      expect(back).toMatchObject({ first_at: minute(55), last_at: minute(100) });
      expect(slewed).toMatchObject({ first_at: minute(55) });
      expect(elsewhere).toMatchObject({ first_at: minute(55), last_at: minute(120) });
    });

    it('stays approved until it has passed, and can be approved only while it is open', async () => {
      const store = await open();
      const { id } = await store.guards.raise(guard, minute(0));

      const approved = [
        await store.guards.approve(id, minute(1), 'Sam'),
        await store.guards.approve(id, minute(1), 'Sam'),
        await store.guards.approve('no such', minute(1), 'Sam'),
      ];
      const due = (await store.polls.list('main')).map(({ next_due_at }) => next_due_at);
      const raised = await store.guards.raise(guard, minute(2));
      await store.guards.close(id, 'passed', minute(3));

      expect(approved).toEqual([true, false, false]);
      expect(due).toEqual([minute(1)]);
      expect(raised).toMatchObject({ id, state: 'approved', seen: 2 });
      expect(await store.guards.current('main', 'treatments')).toBeUndefined();
    });
  });

  describe('polls', () => {
    it('moves times that lie ahead to the given one, of one poll', async () => {
      const store = await open();
      for (const poll of ['appointments', 'treatments'] as const) {
        await store.polls.finished('main', poll, minute(50), { error: null });
        await store.polls.idle('main', poll, minute(10));
      }

      await store.polls.capTimes('main', 'appointments', minute(20));

      expect(await store.polls.list('main')).toMatchObject([
        { poll: 'appointments', last_success_at: minute(20), last_idle_at: minute(10) },
        { poll: 'treatments', last_success_at: minute(50) },
      ]);
    });

    it('counts failures in a row and forgets them after a success', async () => {
      const store = await open();
      const said = { code: 'net_refused', values: { name: 'clinic.example' } };
      await store.polls.finished('main', 'appointments', minute(1), { error: 'no answer' });
      await store.polls.finished('main', 'appointments', minute(2), { error: 'refused', said });
      const failing = await store.polls.list('main');
      await store.polls.due('main', 'appointments', minute(4));
      await store.polls.finished('main', 'appointments', minute(3), { error: null });

      expect(failing).toMatchObject([
        {
          failures: 2,
          failing_since: minute(1),
          last_error: 'refused',
          said,
          last_success_at: null,
        },
      ]);
      expect(await store.polls.list()).toMatchObject([
        {
          failures: 0,
          failing_since: null,
          last_error: null,
          last_success_at: minute(3),
          next_due_at: minute(4),
        },
      ]);
      expect(await store.polls.list('north')).toEqual([]);
    });

    it('keeps the last success and the failures since when a run found nothing to do', async () => {
      const store = await open();
      await store.polls.finished('main', 'appointments', minute(1), { error: null });
      await store.polls.finished('main', 'appointments', minute(2), { error: 'no answer' });

      await store.polls.idle('main', 'appointments', minute(3));

      expect(await store.polls.list('main')).toMatchObject([
        {
          failures: 1,
          last_error: 'no answer',
          last_success_at: minute(1),
          last_idle_at: minute(3),
        },
      ]);
    });
  });

  describe('memory', () => {
    it('keeps text by scope, sets several keys at once, and forgets what is undefined', async () => {
      const store = await open();

      await store.keyValue.set('sheet', { 'tab/1': 'a', 'tab/2': 'b', other: 'c', '100%_x': 'd' });
      await store.keyValue.set('crm', { 'tab/1': 'z' });
      await store.keyValue.set('sheet', { 'tab/1': undefined, 'tab/2': 'new' });

      expect(await store.keyValue.get('sheet', 'tab/1')).toBeUndefined();
      expect(await store.keyValue.get('crm', 'tab/1')).toBe('z');
      expect(await store.keyValue.list('sheet', 'tab/')).toEqual({ 'tab/2': 'new' });
      expect(await store.keyValue.list('sheet', '100%_')).toEqual({ '100%_x': 'd' });
      expect(await store.keyValue.list('sheet', '')).toEqual({ '100%_x': 'd', other: 'c', 'tab/2': 'new' });
    });
  });

  describe('the store', () => {
    it('says that it is well after writing and reading a row', async () => {
      const store = await open();

      const health = await store.health();

      expect(health).toMatchObject({ ok: true, problem: null });
    });

    it('closes once, however often it is asked to', async () => {
      const store = await open();

      await Promise.all([store.close(), store.close()]);

      await expect(store.changes.latest('main')).rejects.toThrow();
      expect(await store.health()).toMatchObject({ ok: false });
    });
  });
}
