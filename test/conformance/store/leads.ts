import { describe, expect, it } from 'vitest';
import { outcomeReader, type StatusOutcome } from '../../../src/domain/bookings/status-outcome.ts';
import { noCampaign } from '../../../src/domain/campaign.ts';
import type { NewBooking } from '../../../src/store/ports/bookings.ts';
import type { LeadColumn, LeadTotals } from '../../../src/store/ports/reports.ts';
import type { Store } from '../../../src/store/store.ts';
import { accept, move, sending } from './booking-samples.ts';
import { created, minute, type OpenStore, treatment } from './samples.ts';

const outcomeOf = outcomeReader({});

async function booked(store: Store, id: number, fields: Partial<NewBooking> = {}) {
  const { ref } = await sending(store, fields);
  await move(store, { ref, from: ['sending'], to: 'booked', appointment_id: id, at: minute(2) });
  return ref;
}

const statusIs = (
  store: Store,
  appointment_id: number,
  status: string,
  { at = 10, outcome = outcomeOf(status) }: { at?: number; outcome?: StatusOutcome } = {},
) =>
  store.appointments.observe({
    ...{ clinic: 'main', appointment_id, at: minute(at), next_due_at: minute(at), done: false, changes: [] },
    seen: {
      ...{ status, name: null, date: '2026-03-05', time: '10:30', raw: {}, outcome },
      visit_at: minute(at - 5),
    },
  });

const feeIs = async (store: Store, at: number, base_fee: string, former?: string) => {
  const thing = treatment(3, { base_fee });
  await store.mirror.record({
    ...{ clinic: 'main', poll: 'treatments', at: minute(at), upserts: [thing], removals: [] },
    changes: [
      former === undefined
        ? created(thing)
        : { ...created(thing), type: 'treatment.updated', previous: { base_fee: former } },
    ],
  });
};

const events = async (store: Store) =>
  (await store.changes.after('main', 0, 999)).filter(({ resource }) => resource === 'lead');

const report = (store: Store, by: LeadColumn = 'campaign'): Promise<LeadTotals[]> =>
  store.reports.leads('main', { from: minute(-60), until: minute(60), by });

const spring = { ...noCampaign, campaign: 'spring', click_id: 'Cj0', click_id_kind: 'gclid' as const };

const aged = { days_0_7: 0, days_8_30: 0, days_31_90: 0, days_over_90: 0 };

export function describeLeads(open: OpenStore): void {
  describe('what becomes of a lead', () => {
    it('counts each lead by its state, and completed ones with the fee of their time', async () => {
      const store = await open();
      await feeIs(store, -30, '100.50');
      await feeIs(store, 20, '200.00', '100.50');
      const lead = { touch: spring, treatment_id: 3 };
      for (const [id, status] of [
        [1, 'Completed'],
        [2, 'Pending'],
        [3, 'No-Show'],
        [4, 'cancelled'],
        [5, 'Rätselhaft'],
      ] as const) {
        await booked(store, id, { ...lead, appointment_time: `1${id}:00` });
        await statusIs(store, id, status);
      }
      await accept(store, { ...lead, state: 'held', reason: 'approval' });
      const { booking } = await accept(store, { ...lead, state: 'held', reason: 'mapping' });
      await move(store, { ref: booking.ref, from: ['held'], to: 'dropped', actor: 'person', by: 'Rima' });
      await accept(store, { kind: 'cancellation', state: 'held', reason: 'approval' });

      const [counts, ...more] = await report(store);
      expect(counts).toMatchObject({
        ...{ group: 'spring', leads: 7, booked: 5, completed: 1, cancelled: 1, no_show: 1 },
        ...{ unknown: 1, open: 1, lost: 1, value: 100.5, with_minutes: 5, days: 5 * 3 },
      });
      expect(counts?.minutes).toBe(5 * 2);
      expect(more).toEqual([]);
      expect(await store.reports.unknownStatuses('main')).toEqual(['Rätselhaft']);
    });

    it('leaves the chain over the log as it was when the person of a conversion is erased', async () => {
      const store = await open();
      await feeIs(store, -30, '100.50');
      const ref = await booked(store, 1, { touch: spring, treatment_id: 3 });
      for (const status of ['Completed', 'Cancelled', 'Completed'])
        await statusIs(store, 1, status, { at: 10 });
      const head = await store.changes.head('main');

      await store.erase({ refs: [ref] }, minute(20), 'Rima');

      expect(JSON.stringify(await store.changes.after('main', 0, 999))).not.toContain('Cj0');
      expect(await store.changes.verify('main', { noted: head })).toMatchObject({
        broken: null,
        noted: 'same',
      });
    });

    it('pages through conversions as they were made, and names where one was that is there no more', async () => {
      const store = await open();
      const refs: string[] = [];
      for (const id of [1, 2, 3]) {
        refs.push(await booked(store, id, { touch: spring, appointment_time: `1${id}:00` }));
        await statusIs(store, id, 'Completed', { at: 14 - id });
      }
      const before = await store.changes.latest('main');
      const place = (n: number, at: number) => ({ ref: refs[n], converted_at: minute(at) });

      const first = await store.mirror.page('conversions', 'main', 2);
      const rest = await store.mirror.page('conversions', 'main', 2, first.at(-1));
      await statusIs(store, 1, 'Cancelled', { at: 20 });
      await statusIs(store, 2, 'No show', { at: 21 });
      await statusIs(store, 2, 'Completed', { at: 22 });
      const { rows, through } = await store.mirror.rowsChangedSince('conversions', 'main', before, 100);

      expect([...first, ...rest]).toMatchObject([place(2, 11), place(1, 12), place(0, 13)]);
      expect(rows).toEqual([
        expect.objectContaining({ ...place(1, 22), campaign: 'spring' }),
        place(0, 13),
        place(1, 12),
      ]);
      expect(through).toBe(await store.changes.latest('main'));
      expect(await store.mirror.rows('conversions', 'main')).toMatchObject([place(2, 11), place(1, 22)]);
    });

    it('keeps every conversion that was taken back, in their order, until its booking is removed', async () => {
      const store = await open();
      await feeIs(store, -30, '100.50');
      const refs = [
        await booked(store, 1, { touch: spring, treatment_id: 3 }),
        await booked(store, 2, { appointment_time: '12:00' }),
      ];
      const before = await store.changes.latest('main');
      for (const [id, status, at] of [
        ...[[1, 'Cancelled', 5] as const, [1, 'Completed', 10] as const, [1, 'Rätselhaft', 11] as const],
        ...[[2, 'Completed', 12] as const, [1, 'No show', 20] as const, [1, 'Cancelled', 21] as const],
        ...[[2, 'Cancelled', 22] as const, [1, 'Completed', 30] as const, [1, 'Cancelled', 31] as const],
        [1, 'Completed', 40] as const,
      ])
        await statusIs(store, id, status, { at });
      const at = (converted: number, retracted: number) => ({
        ...{ converted_at: minute(converted), retracted_at: minute(retracted) },
      });
      const [one = '', two = ''] = refs;
      const first = { ref: one, campaign: 'spring', click_id: 'Cj0', value: '100.50' };
      const rows = [
        { ...first, ...at(10, 20), outcome: 'no_show', order_id: one },
        { ref: two, ...at(12, 22), click_id: null, outcome: 'cancelled', order_id: two },
        { ...first, ...at(30, 31), outcome: 'cancelled', order_id: `${one}-2` },
      ];

      const page = await store.mirror.page('retractions', 'main', 2);
      const rest = await store.mirror.page('retractions', 'main', 2, page.at(-1));
      const news = await store.mirror.rowsChangedSince('retractions', 'main', before, 100);
      expect([...page, ...rest]).toMatchObject(rows);
      expect(await store.mirror.rows('retractions', 'main')).toMatchObject(rows);
      expect(news.rows).toHaveLength(3);
      expect(await store.mirror.rows('conversions', 'main')).toMatchObject([
        { ref: one, order_id: `${one}-3`, converted_at: minute(40) },
      ]);
      expect(await store.mirror.rows('retractions', 'north')).toEqual([]);

      await store.erase({ refs: [one] }, minute(50), 'Rima');
      expect(await store.mirror.rows('retractions', 'main')).toMatchObject([
        { ref: one, click_id: null, campaign: null, ...at(10, 20) },
        ...[{ ref: two }, { ref: one }],
      ]);
      await store.appointments.untrack('main', [1, 2], minute(60));
      const now = '2031-01-01T00:00:00.000Z';
      const keep = { now, deliveries: now, observations: now, connectors: [], forgetting: [] };
      await store.prune({ ...keep, bookings: now });
      expect(await store.mirror.rows('retractions', 'main')).toEqual([]);
    });

    it('reports a completed visit once, with click and value, and retracts it once', async () => {
      const store = await open();
      await feeIs(store, -30, '100.50');
      const ref = await booked(store, 1, { touch: spring, treatment_id: 3 });

      const statuses = ['Pending', 'Completed', 'Completed', 'Rätselhaft', 'Completed'];
      for (const [index, status] of statuses.entries()) await statusIs(store, 1, status, { at: 10 + index });
      const [converted, ...more] = await events(store);
      for (const status of ['Cancelled', 'No show', 'Cancelled'])
        await statusIs(store, 1, status, { at: 30 });
      const [, retracted, ...evenMore] = await events(store);
      await statusIs(store, 1, 'Completed', { at: 40 });

      expect(converted).toMatchObject({
        type: 'lead.converted',
        id: ref,
        data: { ref, campaign: 'spring', click_id: 'Cj0', value: '100.50', completed_at: minute(11) },
      });
      expect(converted?.data).not.toHaveProperty('patient_name');
      expect([more, evenMore]).toEqual([[], []]);
      expect(retracted).toMatchObject({
        type: 'lead.conversion_retracted',
        id: ref,
        data: { ref, click_id: 'Cj0', retracted_at: minute(30), outcome: 'cancelled' },
      });
      expect((await events(store)).map(({ type }) => type)).toEqual([
        'lead.converted',
        'lead.conversion_retracted',
        'lead.converted',
      ]);
    });

    it('retracts a conversion when the clinic takes the completion back, and converts again', async () => {
      const store = await open();
      await booked(store, 1, { touch: spring });

      for (const [index, status] of ['Completed', 'Scheduled', 'Confirmed', 'Completed'].entries())
        await statusIs(store, 1, status, { at: 10 + index });

      expect((await events(store)).map(({ type, data }) => [type, data.outcome])).toEqual([
        ['lead.converted', 'completed'],
        ['lead.conversion_retracted', 'booked'],
        ['lead.converted', 'completed'],
      ]);
    });

    it('has no value where the treatment is gone, has no readable fee, or was never said', async () => {
      const store = await open();
      await feeIs(store, -30, 'on request');
      await booked(store, 1, { treatment_id: 3 });
      await booked(store, 2, { treatment_id: 99, appointment_time: '11:00' });
      await booked(store, 3, { appointment_time: '12:00' });

      for (const id of [1, 2, 3]) await statusIs(store, id, 'Completed');

      expect((await events(store)).map(({ data }) => data.value)).toEqual([null, null, null]);
      expect(await report(store, 'source')).toMatchObject([{ completed: 3, value: 0, currency: null }]);
    });

    it('learns what a status means from a changed configuration, and converts what was completed by it', async () => {
      const store = await open();
      const ref = await booked(store, 1);
      await statusIs(store, 1, 'Rätselhaft');
      const apply = () =>
        store.appointments.applyOutcomes({
          clinic: 'main',
          at: minute(50),
          outcomeOf: outcomeReader({ completed: ['rätselhaft'] }),
          visitAt: () => undefined,
        });

      await apply();
      await apply();

      expect(await report(store, 'source')).toMatchObject([{ completed: 1, unknown: 0 }]);
      expect(await events(store)).toMatchObject([{ type: 'lead.converted', id: ref }]);
    });

    it('keeps counting a lead whose booking was removed, without anything that leads to its person', async () => {
      const store = await open();
      await feeIs(store, -30, '100.50');
      const ref = await booked(store, 1, { touch: spring, treatment_id: 3 });
      await statusIs(store, 1, 'Completed');
      await store.appointments.untrack('main', [1], minute(20));
      const before = await report(store);

      const now = '2031-01-01T00:00:00.000Z';
      const keep = { now, deliveries: now, observations: now, connectors: [], forgetting: [] };
      await store.prune({ ...keep, bookings: now });

      expect(await store.bookings.get(ref)).toBeUndefined();
      expect(await report(store)).toMatchObject([
        { group: 'spring', leads: 1, booked: 1, completed: 1, value: before[0]?.value },
      ]);
      expect(JSON.stringify(await events(store))).not.toContain('Cj0');
    });

    it('keeps counting a visit of which everything else was removed, on its day with its last status', async () => {
      const store = await open();
      await booked(store, 1);
      await statusIs(store, 1, 'Completed');
      await store.appointments.track('main', [2, 3], minute(3));
      for (const id of [2, 3]) await statusIs(store, id, 'No show');
      await store.appointments.untrack('main', [1, 2, 3], minute(20));
      const visits = () => store.reports.visits('main', '2026-03-01', '2026-04-01');
      const before = await visits();

      const now = '2031-01-01T00:00:00.000Z';
      const keep = { now, deliveries: now, observations: now, connectors: [], forgetting: [] };
      await store.prune({ ...keep, bookings: now });

      expect(await store.appointments.page('main', 9)).toEqual([]);
      expect(before).toEqual([
        { status: 'No show', visits: 2 },
        { status: 'Completed', visits: 1 },
      ]);
      expect(await visits()).toEqual(before);
      expect(await store.reports.visits('main', '2026-03-06', '2026-04-01')).toEqual([]);
    });

    it('takes the fee away from a lead whose visit was cancelled afterwards', async () => {
      const store = await open();
      await feeIs(store, -30, '100.50');
      await booked(store, 1, { touch: spring, treatment_id: 3 });
      await statusIs(store, 1, 'Completed');
      await statusIs(store, 1, 'Cancelled', { at: 30 });

      const [lead] = await store.mirror.rows('leads', 'main');
      expect(lead).toMatchObject({ outcome: 'cancelled', fee: null, fee_as_sent: null, currency: null });
    });

    it('forgets an erased person’s click and campaign, and still counts the lead', async () => {
      const store = await open();
      const ref = await booked(store, 1, { touch: spring });
      await statusIs(store, 1, 'Completed');

      await store.erase({ refs: [ref] }, minute(20), 'Rima');

      expect(await report(store)).toMatchObject([{ group: null, leads: 1, completed: 1 }]);
      const log = JSON.stringify(await store.changes.after('main', 0, 999));
      expect(log).not.toMatch(/Cj0|spring/);
    });

    it('lists visits that have not ended, including those of an unknown status', async () => {
      const store = await open();
      for (const [id, status] of [
        [1, 'Completed'],
        [2, 'Rätselhaft'],
        [3, 'Pending'],
      ] as const) {
        await booked(store, id, { appointment_time: `1${id}:00` });
        await statusIs(store, id, status);
      }
      await store.appointments.track('main', [9], minute(3));

      const days = (count: number) => Date.parse(minute(2)) + count * 86_400_000;
      const open8 = await store.reports.openVisits('main', 'status', days(8));
      const open91 = await store.reports.openVisits('main', 'source', days(91));
      const groups = (all: typeof open8) =>
        all.toSorted((a, b) => (String(a.group) < String(b.group) ? -1 : 1));

      const of = { ...aged, clinic: 'main', open: 1 };
      expect(groups(open8)).toEqual([
        { ...of, group: 'Pending', days_8_30: 1, oldest_days: 8 },
        { ...of, group: 'Rätselhaft', days_8_30: 1, oldest_days: 8 },
        { ...of, group: null, days_8_30: 1, oldest_days: 8 },
      ]);
      expect(groups(open91)).toEqual([
        { ...of, group: null, days_over_90: 1, oldest_days: 91 },
        { ...of, group: 'website', open: 2, days_over_90: 2, oldest_days: 91 },
      ]);
      const visits = async (by: 'status' | 'dentist' | 'source', from?: string) => {
        const rows = await store.reports.visitsBy('main', by, { from, to: from });
        return Object.fromEntries(rows.map(({ group, visits }) => [String(group), visits]));
      };
      expect(await visits('status')).toEqual({ Completed: 1, Rätselhaft: 1, Pending: 1, null: 1 });
      expect(await visits('source')).toEqual({ website: 3, null: 1 });
      expect(await visits('dentist')).toEqual({ null: 4 });
      const [visit] = await store.appointments.list('main', [1]);
      expect(await visits('source', visit?.date ?? '')).toEqual({ website: 3 });
      expect(await visits('status', '2020-01-01')).toEqual({});
      expect(await store.reports.openVisits('main', 'status', 0, { to: '2020-01-01' })).toEqual([]);
    });
  });
}
