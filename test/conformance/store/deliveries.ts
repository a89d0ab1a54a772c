import { describe, expect, it } from 'vitest';
import type { NewDelivery } from '../../../src/domain/delivery.ts';
import { need, runReport, said } from '../../../src/domain/texts/problem.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { recordTreatments } from '../../support/clinic/recorded-treatments.ts';
import { delivery, minute, type OpenStore } from './samples.ts';

const enqueue = (store: Store, deliveries: NewDelivery[], connector = 'crm') =>
  store.deliveries.enqueue(connector, 'main', deliveries.at(-1)?.sequence ?? 0, deliveries, minute(0));

const dueIds = async (store: Store, at = minute(1), connector = 'crm') =>
  (await store.deliveries.due(connector, at, 100)).map(({ id }) => id);

export function describeDeliveries(open: OpenStore): void {
  describe('deliveries', () => {
    it('takes deliveries and the cursor together, and leaves alone what it has', async () => {
      const store = await open();
      const before = await store.deliveries.cursor('crm', 'main');

      await enqueue(store, [delivery(1), delivery(2, 'treatment:2')]);
      await store.deliveries.settle([{ id: 'd1', at: minute(1), state: 'delivered' }]);
      await enqueue(store, [delivery(1), delivery(3, 'treatment:3')]);

      expect([before, await store.deliveries.cursor('crm', 'main')]).toEqual([undefined, 3]);
      expect(await store.deliveries.list({ connector: 'crm' })).toMatchObject([
        { id: 'd3', state: 'pending', attempts: 0, next_attempt_at: minute(0) },
        { id: 'd2', state: 'pending' },
        { id: 'd1', state: 'delivered', attempts: 1, delivered_at: minute(1) },
      ]);
    });

    it('gives one by its id and by its number', async () => {
      const store = await open();
      await enqueue(store, [delivery(1), delivery(2)]);

      const found = await store.deliveries.get({ id: 'd2' });

      expect(found).toMatchObject({ id: 'd2', state: 'pending' });
      expect(await store.deliveries.get({ n: found?.n ?? 0 })).toEqual(found);
      expect(await store.deliveries.get({ id: 'd3' })).toBeUndefined();
    });

    it('has at most one due per thing: its oldest', async () => {
      const store = await open();
      await enqueue(store, [delivery(1, 'a'), delivery(2, 'b'), delivery(3, 'a'), delivery(4, 'c')]);

      const first = await dueIds(store);
      await store.deliveries.settle([{ id: 'd1', at: minute(1), state: 'delivered' }]);

      expect(first).toEqual(['d1', 'd2', 'd4']);
      expect(await dueIds(store)).toEqual(['d2', 'd3', 'd4']);
    });

    it('takes them from each clinic in turn, however many one of them has', async () => {
      const store = await open();
      const of = (clinic: string, count: number) =>
        store.deliveries.enqueue(
          'crm',
          clinic,
          count,
          Array.from({ length: count }, (_, n) => delivery(n + 1, `thing ${n}`, `${clinic}${n + 1}`)),
          minute(0),
        );
      await of('busy', 300);
      await of('quiet', 2);
      await of('small', 1);
      const due = async (limit: number, after?: string) =>
        (await store.deliveries.due('crm', minute(1), limit, after)).map(({ id }) => id);

      expect(await due(6)).toEqual(['busy1', 'quiet1', 'small1', 'busy2', 'quiet2']);
      expect(await due(2, 'busy')).toEqual(['quiet1', 'small1']);
      expect(await due(2, 'small')).toEqual(['busy1', 'quiet1']);
      expect(await due(300)).toHaveLength(103);
    });

    it('keeps later ones of a thing behind one that is retried or dead, and nothing else', async () => {
      const store = await open();
      await enqueue(store, [
        delivery(1, 'a'),
        delivery(2, 'a'),
        delivery(3, 'b'),
        delivery(4, 'b'),
        delivery(5, 'c'),
      ]);

      await store.deliveries.settle([
        { id: 'd1', at: minute(1), state: 'pending', next_attempt_at: minute(10), error: 'timed out' },
        { id: 'd3', at: minute(1), state: 'dead', error: 'answered 400' },
      ]);

      expect(await dueIds(store, minute(2))).toEqual(['d5']);
      expect(await dueIds(store, minute(10))).toEqual(['d1', 'd5']);
      expect(await store.deliveries.list({ state: 'dead' })).toMatchObject([
        { id: 'd3', attempts: 1, last_error: 'answered 400' },
      ]);
    });

    it('settles any number at once, each with its own outcome', async () => {
      const store = await open();
      const all = Array.from({ length: 300 }, (_, index) => delivery(index + 1, `thing ${index}`));
      await enqueue(store, all);

      await store.deliveries.settle(
        all.map(({ id }, index) => {
          const at = minute(1 + (index % 2));
          if (index % 100 === 99) return { id, at, state: 'dead', error: 'answered 400' };
          return { id, at, state: 'delivered' };
        }),
      );

      const arrived = await store.deliveries.list({ state: 'delivered' });
      const at = (when: string) => arrived.filter(({ delivered_at }) => delivered_at === when).length;
      expect([at(minute(1)), at(minute(2))]).toEqual([150, 147]);
      expect(arrived.every(({ attempts }) => attempts === 1)).toBe(true);
      expect(await store.deliveries.counts('crm')).toEqual({ pending: 0, dead: 3 });
    });

    it('does not mix the things of two connectors or two clinics', async () => {
      const store = await open();
      await enqueue(store, [delivery(1, 'a', 'x1')], 'crm');
      await enqueue(store, [delivery(1, 'a', 'y1')], 'erp');
      await store.deliveries.enqueue('crm', 'north', 1, [delivery(1, 'a', 'z1')], minute(0));
      await store.deliveries.settle([{ id: 'y1', at: minute(1), state: 'dead' }]);

      expect(await dueIds(store)).toEqual(['x1', 'z1']);
      expect(await dueIds(store, minute(1), 'erp')).toEqual([]);
    });

    it('says when the next one is due, not counting what waits behind a dead one', async () => {
      const store = await open();
      const none = await store.deliveries.nextDue('crm');
      await enqueue(store, [delivery(1, 'a'), delivery(2, 'a'), delivery(3, 'b')]);

      await store.deliveries.settle([
        { id: 'd1', at: minute(1), state: 'dead' },
        { id: 'd3', at: minute(1), state: 'pending', next_attempt_at: minute(7) },
      ]);
      const next = await store.deliveries.nextDue('crm');
      await store.deliveries.settle([{ id: 'd3', at: minute(8), state: 'delivered' }]);

      expect([none, next, await store.deliveries.nextDue('crm')]).toEqual([undefined, minute(7), undefined]);
      expect(await store.deliveries.counts('crm')).toEqual({ pending: 1, dead: 1 });
    });

    it('retries a dead one, or skips it, when a person says so', async () => {
      const store = await open();
      await enqueue(store, [delivery(1, 'a'), delivery(2, 'a'), delivery(3, 'b'), delivery(4, 'c')]);
      await store.deliveries.settle(
        ['d1', 'd3', 'd4'].map((id) => ({ id, at: minute(1), state: 'dead' as const })),
      );

      const skipped = await store.deliveries.decide('crm', 'skip', minute(2), 'd1');
      const retried = await store.deliveries.decide('crm', 'retry', minute(2));
      const none = await store.deliveries.decide('crm', 'retry', minute(2), 'd2');

      expect([skipped, retried, none]).toEqual([1, 2, 0]);
      expect(await dueIds(store, minute(2))).toEqual(['d2', 'd3', 'd4']);
      expect(await store.deliveries.list({ state: 'pending', limit: 1 })).toMatchObject([
        { id: 'd4', attempts: 0 },
      ]);
      expect(await store.deliveries.list({ state: 'skipped' })).toMatchObject([{ id: 'd1' }]);
    });

    it('lists the newest first, page by page', async () => {
      const store = await open();
      await enqueue(store, [delivery(1), delivery(2), delivery(3)]);

      const first = await store.deliveries.list({ limit: 2 });
      const rest = await store.deliveries.list({ limit: 2, before: first.at(-1)?.n ?? 0 });

      expect([first, rest].map((page) => page.map(({ id }) => id))).toEqual([['d3', 'd2'], ['d1']]);
    });

    it('does not bring back what was decided while it was on its way', async () => {
      const store = await open();
      await enqueue(store, [delivery(1)]);
      await store.deliveries.settle([{ id: 'd1', at: minute(1), state: 'dead' }]);
      await store.deliveries.decide('crm', 'skip', minute(2));

      await store.deliveries.settle([
        { id: 'd1', at: minute(3), state: 'pending', next_attempt_at: minute(4) },
      ]);

      expect(await store.deliveries.list({})).toMatchObject([{ state: 'skipped' }]);
    });

    it('goes back to before a sequence to deliver again', async () => {
      const store = await open();
      await enqueue(store, [delivery(9)]);

      const asked = [10, 4, 7].map((sequence) => store.deliveries.replay('crm', 'main', sequence));

      expect(await Promise.all(asked)).toEqual([false, true, false]);
      expect(await store.deliveries.replay('crm', 'north', 1)).toBe(false);
      expect(await store.deliveries.cursor('crm', 'main')).toBe(3);
      expect(await store.deliveries.list({})).toHaveLength(1);
    });

    it('takes nothing that was read before a replay', async () => {
      const store = await open();
      await enqueue(store, [delivery(9)]);
      await store.deliveries.replay('crm', 'main', 4);
      const take = (id: number, replays: number) =>
        store.deliveries.enqueue('crm', 'main', id, [delivery(id)], minute(0), replays);

      await take(10, 0);
      const before = await store.deliveries.cursor('crm', 'main');
      await take(4, 1);

      expect([before, await store.deliveries.cursor('crm', 'main')]).toEqual([3, 4]);
      expect((await store.deliveries.list({})).map(({ id }) => id)).toEqual(['d4', 'd9']);
    });

    it('says of every clinic how far a connector has come and where the log ends', async () => {
      const store = await open();
      await recordTreatments({ store, clock: systemClock }, { 1: '10.00', 2: '20.00' });
      await enqueue(store, [delivery(1)]);
      await store.deliveries.enqueue('crm', 'north', 4, [], minute(0));

      const positions = await store.deliveries.positions('crm');

      expect(Object.fromEntries(positions)).toEqual({
        main: { cursor: 1, latest: 2, isWaiting: true },
        north: { cursor: 4, latest: 0, isWaiting: false },
      });
      expect((await store.deliveries.positions('other')).size).toBe(0);
    });

    it('counts the replays of a connector and a clinic, however far it has come since', async () => {
      const store = await open();
      await enqueue(store, [delivery(9)]);
      const before = await store.deliveries.replays('crm', 'main');

      await store.deliveries.replay('crm', 'main', 4);
      await enqueue(store, [delivery(10)]);

      expect([before, await store.deliveries.replays('crm', 'main')]).toEqual([0, 1]);
      expect(await store.deliveries.replays('other', 'main')).toBe(0);
    });

    it('brings forward what waits for a later time, of one connector', async () => {
      const store = await open();
      await enqueue(store, [delivery(1), delivery(2, 'b')]);
      await enqueue(store, [{ ...delivery(3), id: 'other' }], 'other');
      const later = { at: minute(1), state: 'pending', next_attempt_at: minute(90) } as const;
      await store.deliveries.settle([
        { ...later, id: 'd1' },
        { ...later, id: 'other' },
      ]);

      const hastened = await store.deliveries.hasten('crm', minute(2));

      expect(hastened).toBe(1);
      expect(await dueIds(store, minute(2))).toEqual(['d1', 'd2']);
      expect(await dueIds(store, minute(2), 'other')).toEqual([]);
    });

    it('remembers how a connector is doing, field by field, and since when it asks', async () => {
      const ask = (at: number) =>
        ({ sentence: 'Row 4 has no phone.', weight: 'need', since: minute(at) }) as const;
      const store = await open();
      const unheardOf = await store.deliveries.connector('crm');

      await store.deliveries.report('crm', {
        paused: true,
        pause_kind: 'gone',
        paused_reason: 'gone',
        paused_at: minute(1),
        problems: ['Row 4 skipped.'],
        asks: [ask(1)],
      });
      await store.deliveries.report('crm', { failures: 2, last_error: 'timed out', asks: [ask(2)] });

      expect(unheardOf).toMatchObject({ paused: false, failures: 0, problems: [] });
      expect(await store.deliveries.connector('crm')).toEqual({
        paused: true,
        pause_kind: 'gone',
        paused_reason: 'gone',
        paused_at: minute(1),
        paused_by: null,
        resumed_at: null,
        resumed_by: null,
        forgotten: 0,
        last_success_at: null,
        last_failure_at: null,
        last_error: 'timed out',
        failures: 2,
        problems: ['Row 4 skipped.'],
        asks: [ask(1)],
        said: {},
      });
    });

    it('asks the same since it first did, whatever its numbers are, and keeps for other languages what it still says', async () => {
      const store = await open();
      const hidden = (place: string, count: number) => need(said('cells_hidden', { place, count }));
      const asks = async () =>
        (await store.deliveries.connector('crm')).asks.map(({ sentence, since }) => [
          sentence.split(' ').slice(0, 2).join(' '),
          since,
        ]);
      // As reported by an older version: only the sentence.
      const { said: _said, ...former } = runReport([hidden('Fees', 1)], minute(1));
      await store.deliveries.report('crm', former);

      await store.deliveries.report('crm', runReport([hidden('Fees', 1)], minute(2)));
      const sameSentence = await asks();
      await store.deliveries.report('crm', runReport([hidden('Fees', 7), hidden('Leads', 7)], minute(3)));
      const otherNumber = await asks();
      const known = (await store.deliveries.connector('crm')).said;
      await store.deliveries.report('crm', runReport(['A plain sentence.'], minute(4)));

      expect(sameSentence).toEqual([['Fees: 1', minute(1)]]);
      expect(otherNumber).toEqual([
        ['Fees: 7', minute(1)],
        ['Leads: 7', minute(3)],
      ]);
      expect(Object.values(known)).toEqual([
        { code: 'cells_hidden', values: { place: 'Fees', count: 7 } },
        { code: 'cells_hidden', values: { place: 'Leads', count: 7 } },
      ]);
      expect(await store.deliveries.connector('crm')).toMatchObject({
        problems: ['A plain sentence.'],
        asks: [],
        said: {},
      });
    });

    it('removes old ones that are settled, and nothing that is not', async () => {
      const store = await open();
      await enqueue(store, [
        delivery(1, 'a'),
        delivery(2, 'b'),
        delivery(3, 'c'),
        delivery(4, 'd'),
        delivery(5, 'e'),
      ]);
      await store.deliveries.settle([
        { id: 'd1', at: minute(1), state: 'delivered' },
        { id: 'd2', at: minute(50), state: 'delivered' },
        { id: 'd3', at: minute(1), state: 'dead' },
        { id: 'd4', at: minute(1), state: 'dead' },
      ]);
      await store.deliveries.decide('crm', 'skip', minute(2), 'd4');

      const pruned = await store.prune({
        now: minute(30),
        deliveries: minute(30),
        observations: minute(0),
        connectors: [],
        forgetting: [],
      });

      expect(pruned).toMatchObject({ deliveries: 2, other: 0 });
      expect((await store.deliveries.list({})).map(({ id }) => id)).toEqual(['d5', 'd3', 'd2']);
    });
  });
}
