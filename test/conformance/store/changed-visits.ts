import { describe, expect, it } from 'vitest';
import { outcomeReader } from '../../../src/domain/bookings/status-outcome.ts';
import type { Observation } from '../../../src/store/ports/appointments.ts';
import type { Store } from '../../../src/store/store.ts';
import { accept, move, sending } from './booking-samples.ts';
import { minute, type OpenStore } from './samples.ts';

export function describeChangedVisits(open: OpenStore): void {
  describe('a booking whose visit was cancelled or moved', () => {
    it('merges nothing into a booking whose visit was cancelled, nor into the cancellation', async () => {
      const store = await open();
      const lead = { content_hash: 'h', phone_e164: '+8801711111111' };
      const { ref, clinic } = await sending(store, lead);
      await move(store, { ref, from: ['sending'], to: 'booked', appointment_id: 501 });
      await store.appointments.observe({
        ...{ clinic, appointment_id: 501, at: minute(6), next_due_at: null, done: true, changes: [] },
        seen: { status: 'Cancelled', name: null, date: null, time: null, raw: {} },
      });
      const later = { content_hash: 'i', phone_e164: '+8801722222222' };
      const slot = { appointment_date: null, appointment_time: null };
      await accept(store, { ...later, ...slot, kind: 'cancellation', state: 'held', reason: 'approval' });

      const again = await accept(store, { ...lead, received_at: minute(7) });
      const afterTask = await accept(store, { ...later, received_at: minute(7) });

      expect(again).toMatchObject({
        result: 'new',
        booking: { state: 'held', reason: 'duplicate_suspect', duplicate_of: ref },
      });
      expect(afterTask).toMatchObject({ result: 'new', booking: { state: 'queued' } });
    });

    const cancelled = { status: 'Cancelled', name: null, date: null, time: null, raw: {} };
    const read = (store: Store, at: string, seen: Observation['seen']) =>
      store.appointments.observe({
        ...{ clinic: 'main', appointment_id: 501, at, seen },
        ...{ next_due_at: minute(60), done: seen === cancelled, changes: [] },
      });

    it.each([
      ['the same number', '01711111111', 'new'],
      ['another country’s', '+4901711111111', 'merged'],
    ])(
      'knows a cancellation by the phone number, also without the country code (%s)',
      async (_, phone, result) => {
        const store = await open();
        const lead = { content_hash: 'h', phone_e164: '+8801711111111' };
        await accept(store, lead);
        const slot = { appointment_date: null, appointment_time: null, phone_e164: phone };
        await accept(store, { ...slot, kind: 'cancellation', state: 'held', reason: 'approval' });

        expect(await accept(store, { ...lead, received_at: minute(7) })).toMatchObject({ result });
      },
    );

    /** Booked for half past ten, and moved by the clinic to seven in the evening. */
    const moved = async (store: Store) => {
      const lead = { content_hash: 'h', phone_e164: '+8801711111111', patient_name: 'Ada Rahman' };
      const { ref } = await sending(store, lead);
      await move(store, { ref, from: ['sending'], to: 'booked', appointment_id: 501 });
      await read(store, minute(6), {
        ...cancelled,
        status: 'Confirmed',
        date: '2026-04-01',
        time: '19:00:00',
      });
      return { ref, lead: { ...lead, content_hash: 'i', appointment_time: '19:00', source: 'csv' } };
    };

    it('merges a lead of the same patient for the time to which the clinic moved the visit', async () => {
      const store = await open();
      const { ref, lead } = await moved(store);

      const again = await accept(store, { ...lead, patient_name: 'ADA  RAHMAN', received_at: minute(7) });
      const byLocalNumber = { ...lead, phone_e164: '01711111111', received_at: minute(7) };
      const together = await Promise.all([accept(store, byLocalNumber), accept(store, byLocalNumber)]);
      const nextWeek = await accept(store, { ...lead, received_at: minute(7 * 24 * 60) });

      for (const one of [again, ...together])
        expect(one).toMatchObject({ result: 'merged', booking: { ref } });
      expect(nextWeek).toMatchObject({ result: 'new', booking: { state: 'held', duplicate_of: ref } });
    });

    it('holds a lead of the same phone for that time, also when it is released', async () => {
      const store = await open();
      const { ref, lead } = await moved(store);

      const { booking } = await accept(store, { ...lead, patient_name: 'Bo Rahman', received_at: minute(7) });
      const unseen = { ref: booking.ref, from: ['held' as const], to: 'queued' as const, beside: [] };
      const released = await move(store, { ...unseen, actor: 'person', by: 'Sam' });

      expect(booking).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: ref });
      expect(booking.message).not.toContain('moved');
      expect(released).toBeUndefined();
      expect((await store.bookings.resembling(booking)).map((one) => one.ref)).toEqual([ref, booking.ref]);
    });

    it('asks about a visit moved to the time of another booking of the phone, booked before the move was read', async () => {
      const store = await open();
      const lead = { phone_e164: '+8801711111111', appointment_time: '19:00' };
      const { ref: other } = await sending(store, { ...lead, content_hash: 'o' });
      await move(store, { ref: other, from: ['sending'], to: 'booked', appointment_id: 502 });

      const { ref } = await moved(store);

      expect((await store.bookings.differing()).map((one) => one.ref)).toEqual([ref]);
      expect((await store.bookings.get(ref))?.evidence).toMatchObject({
        verification: 'differs',
        mismatch: [
          `The clinic moved it to 2026-04-01 19:00, when ${other} is booked for the same phone number.`,
        ],
        shows: { date: '2026-04-01', time: '19:00' },
      });
    });

    it('merges nothing into a visit that was moved and then cancelled', async () => {
      const store = await open();
      const { ref, lead } = await moved(store);
      await read(store, minute(7), null);

      const { booking } = await accept(store, { ...lead, received_at: minute(8) });

      expect(booking).toMatchObject({ reason: 'duplicate_suspect', duplicate_of: ref });
      expect(booking.message).toContain('may be a new request');
    });

    it('asks about a lead for that time only if the visit is moved again or cancelled', async () => {
      const store = await open();
      const { ref, lead } = await moved(store);
      const asked = async () => (await store.bookings.get(ref))?.evidence?.verification;
      const there = { ...cancelled, status: 'Reminded', date: '2026-04-01', time: '19:00' };
      await accept(store, { ...lead, received_at: minute(7) });

      await read(store, minute(7), there);
      const reminded = await asked();
      await read(store, minute(8), { ...there, time: '10:30' });

      expect(reminded).not.toBe('asked_again');
      expect(await asked()).toBe('asked_again');
    });

    it.each([
      ['was cancelled', cancelled],
      ['was moved', { ...cancelled, status: 'Confirmed', time: '19:00' }],
      ['the clinic no longer knows', null],
    ])('asks about a lead that was merged after the last read of a visit that %s', async (_, seen) => {
      const store = await open();
      const lead = { content_hash: 'h', submission_id: null };
      const { ref } = await sending(store, lead);
      await move(store, { ref, from: ['sending'], to: 'booked', appointment_id: 501 });
      const asked = async () => {
        const { evidence, verified_at } = (await store.bookings.get(ref)) ?? {};
        return { mismatch: evidence?.mismatch ?? [], how: evidence?.verification, verified_at };
      };
      await accept(store, { ...lead, received_at: minute(6) });
      await read(store, minute(7), { ...cancelled, status: 'Confirmed' });
      const { result } = await accept(store, { ...lead, received_at: minute(8) });

      const before = await asked();
      await read(store, minute(9), seen);
      const after = await asked();
      await store.bookings.note({
        ref,
        attempt: 1,
        evidence: { mismatch: [], verification: 'acknowledged' },
      });
      await read(store, minute(10), { ...cancelled, status: 'Cancelled by the clinic' });

      expect(result).toBe('merged');
      expect(before.mismatch).toEqual([]);
      expect(after).toMatchObject({ how: 'asked_again', verified_at: minute(9) });
      expect(after.mismatch).toEqual([expect.stringContaining('2026-03-02 09:08 UTC')]);
      expect(await asked()).toMatchObject({ how: 'acknowledged', mismatch: [] });
    });

    it('asks nothing if a later read still showed the visit, or only its status changed', async () => {
      const store = await open();
      const lead = { content_hash: 'h', submission_id: null };
      const { ref } = await sending(store, lead);
      await move(store, { ref, from: ['sending'], to: 'booked', appointment_id: 501 });
      await accept(store, { ...lead, received_at: minute(6) });

      await read(store, minute(7), { ...cancelled, status: 'Confirmed' });
      await read(store, minute(9), { ...cancelled, status: 'Reminded' });
      await read(store, minute(11), cancelled);

      expect((await store.bookings.get(ref))?.evidence?.mismatch).toBeUndefined();
    });

    it.each([
      ['before', 7.5, undefined],
      ['after', 10, 'asked_again'],
    ])(
      'asks about a lead merged after the last read without a status that is configured later (%s)',
      async (_, at, how) => {
        const store = await open();
        const lead = { content_hash: 'h', submission_id: null };
        const { ref } = await sending(store, lead);
        await move(store, { ref, from: ['sending'], to: 'booked', appointment_id: 501 });
        const there = { ...cancelled, date: '2026-04-01', time: '10:30', outcome: 'unknown' as const };
        await read(store, minute(6), { ...there, status: 'Confirmed' });
        await accept(store, { ...lead, received_at: minute(at) });
        await read(store, minute(11), { ...there, status: 'Confirmed' });
        if (how !== undefined) await accept(store, { ...lead, received_at: minute(13) });
        await read(store, minute(14), { ...there, status: 'Rätselhaft' });
        const asked = async () => (await store.bookings.get(ref))?.evidence?.verification;
        const before = await asked();

        for (const _twice of [1, 2])
          await store.appointments.applyOutcomes({
            ...{ clinic: 'main', at: minute(50), visitAt: () => undefined },
            outcomeOf: outcomeReader({ cancelled: ['rätselhaft'] }),
          });

        expect(before).toBeUndefined();
        expect(await asked()).toBe(how);
      },
    );

    const configured = (
      store: Store,
      given: Partial<Parameters<Store['appointments']['applyOutcomes']>[0]>,
    ) =>
      store.appointments.applyOutcomes({
        ...{ clinic: 'main', at: minute(60), visitAt: () => undefined },
        ...{ outcomeOf: outcomeReader({ cancelled: ['rätselhaft', 'seltsam'] }), ...given },
      });

    /** Its visit was read with these statuses at these minutes, none of which meant a cancellation then. */
    const readWith = async (store: Store, reads: [number, string][], leads: number[]) => {
      const lead = { content_hash: 'h', submission_id: null };
      const { ref } = await sending(store, lead);
      await move(store, { ref, from: ['sending'], to: 'booked', appointment_id: 501 });
      for (const at of leads) await accept(store, { ...lead, received_at: minute(at) });
      const there = { ...cancelled, date: '2026-04-01', time: '10:30', outcome: 'unknown' as const };
      for (const [at, status] of reads) await read(store, minute(at), { ...there, status });
      return { ref, lead, asked: async () => (await store.bookings.get(ref))?.evidence?.verification };
    };

    it.each([
      ['the first read showed it, and the lead came after the booking', [[30, 'Rätselhaft']], 7, true],
      ['the first read showed it, and the lead came before it was sent', [[30, 'Rätselhaft']], 2, false],
      [
        'another such status came before it',
        [
          [6, ''],
          [20, 'Seltsam'],
          [30, 'Rätselhaft'],
        ],
        8,
        true,
      ],
      [
        'it stood after the lead',
        [
          [6, ''],
          [20, ''],
          [30, 'Seltsam'],
          [40, 'Rätselhaft'],
        ],
        8,
        false,
      ],
    ] as [string, [number, string][], number, boolean][])(
      'asks about a lead as long as no read showed the visit after it (%s)',
      async (_, reads, at, isAsked) => {
        const store = await open();
        const { asked } = await readWith(store, reads, [at]);

        await configured(store, {});

        expect((await asked()) === 'asked_again').toBe(isAsked);
      },
    );

    it('asks about a lead that is merged while a status gets its meaning', async () => {
      const store = await open();
      const { lead, asked } = await readWith(
        store,
        [
          [6, ''],
          [7, 'Rätselhaft'],
        ],
        [],
      );
      let again: ReturnType<typeof accept> | undefined;
      const visitAt = () => {
        again ??= accept(store, { ...lead, received_at: minute(8) });
        return undefined;
      };

      await configured(store, { visitAt });

      expect(await again).toMatchObject({ result: 'merged' });
      expect(await asked()).toBe('asked_again');
    });

    it.each([
      ['2026-04-02T10:00:00.000Z', 'asked_again'],
      ['2026-04-02T11:00:00.000Z', undefined],
    ])(
      'asks nothing about a visit that is over for a day when its status gets a meaning (%s)',
      async (at, how) => {
        const store = await open();
        const { asked } = await readWith(
          store,
          [
            [6, ''],
            [30, 'Rätselhaft'],
          ],
          [8],
        );

        await configured(store, { at, visitAt: (date, time) => `${date}T${time}:00.000Z` });

        expect(await asked()).toBe(how);
      },
    );

    it('asks about a lead that was merged before a form tool reported the cancellation', async () => {
      const store = await open();
      const lead = { content_hash: 'h', submission_id: null, phone_e164: '+8801711111111' };
      const { ref } = await sending(store, lead);
      await move(store, { ref, from: ['sending'], to: 'booked', appointment_id: 501 });
      await accept(store, { ...lead, received_at: minute(6) });
      const task = { ...lead, kind: 'cancellation', state: 'held', reason: 'approval' } as const;
      // Also when the clock was set back, so that the booking seems to come after it.
      const { result } = await accept(store, { ...task, received_at: minute(0) });

      await read(store, minute(10), { ...cancelled, status: 'Confirmed' });
      await read(store, minute(20), cancelled);

      expect(result).toBe('new');
      expect((await store.bookings.get(ref))?.evidence?.verification).toBe('asked_again');
    });

    it('holds a submission that changes back after the visit of its first content was moved', async () => {
      const store = await open();
      const ten = { submission_id: 'back', submission_hash: 'ten', content_hash: 'ten', note: 'at ten' };
      const eleven = { ...ten, submission_hash: 'eleven', content_hash: 'eleven', note: 'at eleven' };
      const { ref: first } = await sending(store, ten);
      await move(store, { ref: first, from: ['sending'], to: 'booked', appointment_id: 501 });
      const { booking: second } = await accept(store, { ...eleven, received_at: minute(6) });
      const repeated = await accept(store, { ...ten, received_at: minute(7) });
      await move(store, { ref: second.ref, from: ['held'], to: 'dropped', actor: 'person', by: 'Sam' });
      await read(store, minute(8), { ...cancelled, status: 'Confirmed', time: '19:00' });

      const back = await accept(store, { ...ten, received_at: minute(9) });
      const again = await accept(store, { ...ten, received_at: minute(10) });

      expect(repeated).toMatchObject({ result: 'same', booking: { ref: first } });
      expect(back).toMatchObject({
        result: 'new',
        booking: { state: 'held', reason: 'changed_submission', duplicate_of: second.ref },
      });
      expect(again).toMatchObject({ result: 'same', booking: { ref: back.booking.ref } });
    });
  });
}
