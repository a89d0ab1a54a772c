import { describe, expect, it } from 'vitest';
import { judgeWithin } from '../../../src/bookings/duplicates/judge-lead.ts';
import type { Store } from '../../../src/store/store.ts';
import { accept, move, sending, types } from './booking-samples.ts';
import { booking, minute, type OpenStore } from './samples.ts';

export function describeBookings(open: OpenStore): void {
  describe('moving a booking', () => {
    it('links a booked one to its appointment and follows it, all in one step', async () => {
      const store = await open();
      const { ref } = await sending(store);

      const booked = await move(store, {
        ref,
        from: ['sending'],
        to: 'booked',
        appointment_id: 501,
        message: 'Appointment created',
      });

      expect(booked).toMatchObject({ state: 'booked', appointment_id: 501, message: 'Appointment created' });
      expect(await store.appointments.pending('main', 100)).toMatchObject([
        { appointment_id: 501, ref, date: '2026-04-01', time: '10:30', next_due_at: minute(5) },
      ]);
      expect(await types(store)).toEqual([
        'booking.received',
        'booking.queued',
        'booking.booked',
        'appointment.tracked',
      ]);
      expect((await store.bookings.events(ref)).map(({ from, to }) => [from, to])).toEqual([
        [null, 'received'],
        ['received', 'queued'],
        ['queued', 'sending'],
        ['sending', 'booked'],
      ]);
      expect(await store.bookings.linked('main', 501)).toMatchObject({ ref });
      expect(await store.bookings.linked('north', 501)).toBeUndefined();
      expect(await store.bookings.highestOwnId('main')).toBe(501);
      expect(await store.bookings.confirmedBetween('main', minute(4), minute(5))).toBe(1);
    });

    it('gives an appointment that is followed already the ref of its booking', async () => {
      const store = await open();
      await store.appointments.track('main', [501], minute(0));
      const { ref } = await sending(store);

      await move(store, { ref, from: ['sending'], to: 'booked', appointment_id: 501 });

      expect(await store.appointments.page('main', 100)).toMatchObject([{ appointment_id: 501, ref }]);
      expect((await types(store)).filter((type) => type === 'appointment.tracked')).toHaveLength(1);
    });

    it('finds what waits for a time that may be over, and nothing that does not expire', async () => {
      const store = await open();
      const stored = async (fields: Parameters<typeof booking>[0]) =>
        (await store.bookings.accept(booking(fields), judgeWithin(0))).booking.ref;
      const due = await stored({ appointment_date: '2026-03-01', state: 'held', reason: 'past_slot' });
      const today = await stored({ appointment_date: '2026-03-02', state: 'received' });
      await stored({ appointment_date: '2026-03-03' });
      await stored({ appointment_date: null, state: 'held', reason: 'missing_field' });
      await stored({ appointment_date: '2026-03-01', state: 'held', reason: 'restored_state' });
      await stored({ appointment_date: '2026-03-01', clinic: 'north' });

      const found = await store.bookings.waitingUntil('main', '2026-03-02');

      expect(found.map(({ ref }) => ref)).toEqual([due, today]);
    });

    it('says in which of some states any booking of a clinic is', async () => {
      const store = await open();
      await store.bookings.accept(booking({ clinic: 'north', state: 'received' }), judgeWithin(0));
      await store.bookings.accept(booking({ state: 'held', reason: 'missing_field' }), judgeWithin(0));

      const among = async (...asked: Parameters<typeof store.bookings.statesAmong>) =>
        [...(await store.bookings.statesAmong(...asked))].toSorted();
      expect(await among('main', ['received', 'unknown'])).toEqual([]);
      expect(await among('main', ['received', 'held'])).toEqual(['held']);
      expect(await among('north', ['received', 'held', 'queued'])).toEqual(['received']);
    });

    it('records one that exists without a known number as booked', async () => {
      const store = await open();
      const { ref } = await sending(store);
      await move(store, { ref, from: ['sending'], to: 'unknown', reason: 'timeout' });

      await move(store, { ref, from: ['unknown'], to: 'booked_no_id', actor: 'person', by: 'Sam' });

      expect((await types(store)).at(-1)).toBe('booking.booked');
      expect(await store.appointments.page('main', 100)).toEqual([]);
    });

    it('refuses an appointment that another booking has, and changes nothing', async () => {
      const store = await open();
      const first = await sending(store);
      await move(store, { ref: first.ref, from: ['sending'], to: 'booked', appointment_id: 501 });
      const second = await sending(store);
      const before = await store.changes.latest('main');

      const moving = move(store, { ref: second.ref, from: ['sending'], to: 'booked', appointment_id: 501 });

      await expect(moving).rejects.toMatchObject({ name: 'Failure', kind: 'refused' });
      expect(await store.bookings.get(second.ref)).toEqual(second);
      expect(await store.changes.latest('main')).toBe(before);
    });

    it('takes the same number at another clinic', async () => {
      const store = await open();
      const here = await sending(store);
      const there = await sending(store, { clinic: 'north' });

      await move(store, { ref: here.ref, from: ['sending'], to: 'booked', appointment_id: 501 });
      const booked = await move(store, {
        ref: there.ref,
        from: ['sending'],
        to: 'booked',
        appointment_id: 501,
      });

      expect(booked?.state).toBe('booked');
    });

    it('does nothing when the booking is not where the caller believes it to be', async () => {
      const store = await open();
      const { booking: stored } = await accept(store);

      const moved = await move(store, {
        ref: stored.ref,
        from: ['held', 'unknown'],
        to: 'queued',
        actor: 'person',
      });
      const nobody = await move(store, { ref: 'CS-000000', from: ['queued'], to: 'expired' });

      expect([moved, nobody]).toEqual([undefined, undefined]);
      expect(await store.bookings.get(stored.ref)).toEqual(stored);
    });

    it.each([
      ['queued', 'booked', 'daemon'],
      ['queued', 'unknown', 'daemon'],
      ['queued', 'sending', 'daemon'],
      ['queued', 'dropped', 'daemon'],
      ['queued', 'received', 'person'],
    ] as const)('refuses %s to %s by a %s', async (from, to, actor) => {
      const store = await open();
      const { booking: stored } = await accept(store);

      const moving = move(store, { ref: stored.ref, from: [from], to, actor, appointment_id: 501 });

      await expect(moving).rejects.toMatchObject({ name: 'Failure', kind: 'refused' });
      expect(await store.bookings.get(stored.ref)).toEqual(stored);
    });

    it('refuses to resend automatically what may exist at the clinic', async () => {
      const store = await open();
      const { ref } = await sending(store);
      await move(store, { ref, from: ['sending'], to: 'unknown', reason: 'timeout' });

      const moving = move(store, { ref, from: ['unknown'], to: 'queued', actor: 'daemon' });

      await expect(moving).rejects.toMatchObject({ kind: 'refused' });
    });

    it('lets one of two who move the same booking win', async () => {
      const store = await open();
      const { booking: stored } = await accept(store, { state: 'held', reason: 'approval' });
      const person = { ref: stored.ref, from: ['held'], actor: 'person', by: 'Sam' } as const;

      const results = await Promise.all([
        move(store, { ...person, to: 'queued' }),
        move(store, { ...person, to: 'dropped' }),
      ]);

      const states = results.map((result) => result?.state);
      const { state } = (await store.bookings.get(stored.ref)) ?? {};
      expect([
        ['queued', undefined],
        [undefined, 'dropped'],
      ]).toContainEqual(states);
      expect(states).toContain(state);
    });

    it('stores a person’s corrections with the move, and logs what changed', async () => {
      const store = await open();
      const { booking: stored } = await accept(store, {
        state: 'held',
        reason: 'invalid_field',
        message: 'No time.',
      });

      const queued = await move(store, {
        ref: stored.ref,
        from: ['held'],
        to: 'queued',
        actor: 'person',
        by: 'Sam',
        reason: null,
        edit: { appointment_time: '11:15', doctor_id: null },
      });

      expect(queued).toMatchObject({
        state: 'queued',
        reason: null,
        message: null,
        appointment_time: '11:15',
      });
      const last = (await store.changes.after('main', 0, 9)).at(-1);
      expect(last?.previous).toEqual({
        state: 'held',
        reason: 'invalid_field',
        message: 'No time.',
        appointment_time: '10:30',
        doctor_id: 7,
      });
      expect((await store.bookings.events(stored.ref)).at(-1)).toMatchObject({ actor: 'person', by: 'Sam' });
    });
  });

  describe('looking bookings up', () => {
    it('lists them newest first, by clinic, source, state and time', async () => {
      const store = await open();
      const { booking: a } = await accept(store, { received_at: minute(1) });
      const { booking: b } = await accept(store, { received_at: minute(2), source: 'crm', state: 'held' });
      const { booking: c } = await accept(store, { received_at: minute(3), clinic: 'north' });
      const refs = async (filter: Parameters<Store['bookings']['list']>[0]) =>
        (await store.bookings.list(filter)).map(({ ref }) => ref);

      expect(await refs({})).toEqual([c.ref, b.ref, a.ref]);
      expect(await refs({ clinic: 'main' })).toEqual([b.ref, a.ref]);
      expect(await refs({ source: 'crm' })).toEqual([b.ref]);
      expect(await refs({ states: ['queued', 'received'] })).toEqual([c.ref, a.ref]);
      expect(await refs({ states: [] })).toEqual([]);
      expect(await refs({ since: minute(2), limit: 1 })).toEqual([c.ref]);
      expect(await refs({ behind: c, limit: 1 })).toEqual([b.ref]);
      expect(await refs({ behind: b })).toEqual([a.ref]);
    });

    it('names the booking that an appointment already belongs to, made when that was sent', async () => {
      const store = await open();
      const { booking: first } = await accept(store, {});
      const { booking: second } = await accept(store, {});
      const book = (ref: string) =>
        store.bookings.move({
          ...{
            ref,
            attempt: 1,
            from: ['queued', 'unknown'],
            to: 'booked',
            actor: 'daemon',
            by: 'clinic-sync',
          },
          ...{ at: minute(9), appointment_id: 77 },
        });
      for (const { ref } of [first, second]) {
        await store.bookings.claim('main', minute(1), { ref, evidence: {} });
        await store.bookings.interruptSending(minute(2));
      }
      await book(first.ref);

      await expect(book(second.ref)).rejects.toMatchObject({
        kind: 'refused',
        message: `Appointment 77 already belongs to booking ${first.ref}.`,
      });
      expect(await store.bookings.get(second.ref)).toMatchObject({ state: 'unknown', appointment_id: null });
      // Linked at minute 9, made when it was sent: later it would explain another one's appointment away.
      expect(await store.bookings.confirmedBetween('main', minute(0), minute(1))).toBe(1);
    });

    it('keeps figures per source and state for the day, the week and ever, of all clinics and of one', async () => {
      const store = await open();
      await accept(store, { received_at: minute(0) });
      await accept(store, { received_at: minute(16) });
      const { booking: moved } = await accept(store, {
        received_at: minute(31),
        source: 'crm',
        state: 'held',
      });
      await accept(store, { received_at: minute(40), clinic: 'north' });
      const drop = { to: 'dropped', actor: 'person', by: 'Sam', at: minute(50) } as const;
      await store.bookings.move({ ref: moved.ref, attempt: 0, from: ['held'], ...drop });

      expect(await store.bookings.totals(minute(30), minute(15))).toEqual([
        { source: 'crm', state: 'dropped', today: 1, week: 1, all: 1 },
        { source: 'website', state: 'queued', today: 1, week: 2, all: 3 },
      ]);
      expect(await store.bookings.totals(minute(30), minute(15), ['north'])).toEqual([
        { source: 'website', state: 'queued', today: 1, week: 1, all: 1 },
      ]);
    });

    it('counts the leads of one clinic per quarter of an hour, whatever became of them', async () => {
      const store = await open();
      await accept(store, { received_at: minute(0) });
      await accept(store, { received_at: minute(16) });
      const { booking: moved } = await accept(store, { received_at: minute(17), state: 'held' });
      await accept(store, { received_at: minute(40), source: 'crm' });
      await accept(store, { received_at: minute(40), clinic: 'north' });
      const drop = { to: 'dropped', actor: 'person', by: 'Sam', at: minute(50) } as const;
      await store.bookings.move({ ref: moved.ref, attempt: 0, from: ['held'], ...drop });

      expect(await store.bookings.leadsPerQuarter('main', minute(15))).toEqual([
        { source: 'website', at: minute(15), count: 2 },
        { source: 'crm', at: minute(30), count: 1 },
      ]);
    });
  });
}
