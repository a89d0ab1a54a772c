import { describe, expect, it } from 'vitest';
import { accept, move, sending } from './booking-samples.ts';
import { created, minute, type OpenStore, treatment } from './samples.ts';

/** What pages, connectors and messages ask of a store, beside the work itself. */
export function describeLooking(open: OpenStore): void {
  describe('looking something up', () => {
    it('finds what came lately into some states', async () => {
      const store = await open();
      const { booking: early } = await accept(store);
      const { booking: late } = await accept(store);
      await accept(store);
      await move(store, { ref: early.ref, from: ['queued'], to: 'held', reason: 'approval', at: minute(1) });
      await move(store, { ref: late.ref, from: ['queued'], to: 'held', reason: 'approval', at: minute(9) });

      const found = await store.bookings.changedSince(['held', 'rejected'], minute(5));

      expect(found.map(({ ref }) => ref)).toEqual([late.ref]);
    });

    it('finds the bookings of a phone number in one clinic, the newest first, and no more than asked for', async () => {
      const store = await open();
      const phone_e164 = '+8801711111111';
      const refs: string[] = [];
      for (const [n, time] of ['09:00', '10:00', '11:00'].entries()) {
        const fields = { phone_e164, appointment_time: time, received_at: minute(n) };
        refs.unshift((await accept(store, fields)).booking.ref);
      }
      await accept(store, { phone_e164, clinic: 'north' });
      await accept(store);

      const found = await store.bookings.ofPhone({ clinic: 'main', phone_e164 }, 2);

      expect(found.map(({ ref }) => ref)).toEqual(refs.slice(0, 2));
    });

    it('finds the bookings of a clinic for a time, whatever became of them', async () => {
      const store = await open();
      const slot = { appointment_date: '2026-04-02', appointment_time: '16:45' };
      const { booking: first } = await accept(store, slot);
      const { booking: dropped } = await accept(store, slot);
      await move(store, { ref: dropped.ref, from: ['queued'], to: 'dropped', actor: 'person', by: 'Sam' });
      await accept(store, { ...slot, clinic: 'north' });
      await accept(store, { ...slot, appointment_time: '16:30' });

      const found = await store.bookings.atTime('main', slot.appointment_date, slot.appointment_time);

      expect(found.map(({ ref }) => ref).toSorted()).toEqual([first.ref, dropped.ref].toSorted());
    });

    it('finds booked ones that differ from what was asked for', async () => {
      const store = await open();
      const booked = async (appointment_id: number) => {
        const { ref } = await sending(store);
        await move(store, { ref, from: ['sending'], to: 'booked', appointment_id });
        return ref;
      };
      const differing = await booked(501);
      const matching = await booked(502);
      await store.bookings.note({ ref: differing, attempt: 1, evidence: { mismatch: ['time'] } });
      await store.bookings.note({ ref: matching, attempt: 1, evidence: { mismatch: [] } });

      expect((await store.bookings.differing()).map(({ ref }) => ref)).toEqual([differing]);
    });

    it('finds what came from a source: by reference, merged ones included, and by its own id', async () => {
      const store = await open();
      const { booking: own } = await accept(store, { source: 'sheet', submission_id: 'row 7' });
      const content_hash = 'the same';
      const { booking: shared } = await accept(store, { source: 'website', content_hash });
      const { booking: others } = await accept(store, { source: 'website' });
      await accept(store, {
        ...{ source: 'sheet', submission_id: 'row 8', received_at: minute(1) },
        ...{ patient_name: shared.patient_name, phone_e164: shared.phone_e164 },
      });
      const refs = [own.ref, shared.ref, others.ref];

      const byRef = await store.bookings.ofSource('main', 'sheet', { refs });
      const byId = await store.bookings.ofSource('main', 'sheet', { submission_ids: ['row 7', 'row 9'] });

      expect(byRef.map(({ ref }) => ref).toSorted()).toEqual([own.ref, shared.ref].toSorted());
      expect(byId.map(({ ref }) => ref)).toEqual([own.ref]);
    });

    it('counts the appointments that are followed in each clinic', async () => {
      const store = await open();
      await store.appointments.track('main', [1, 2, 3], minute(0));
      await store.appointments.track('north', [1], minute(0));
      await store.appointments.untrack('main', [2], minute(1));

      expect(Object.fromEntries(await store.appointments.pendingCounts())).toEqual({ main: 2, north: 1 });
    });

    it('reads rows by their ids, those of one clinic', async () => {
      const store = await open();
      const { booking } = await accept(store);
      const { booking: elsewhere } = await accept(store, { clinic: 'north' });
      await store.appointments.track('main', [11, 12], minute(0));

      const appointments = await store.mirror.rowsById('appointments', 'main', ['12', '99']);
      const bookings = await store.mirror.rowsById('bookings', 'main', [booking.ref, elsewhere.ref]);

      expect(appointments.map(({ appointment_id }) => Number(appointment_id))).toEqual([12]);
      expect(bookings.map(({ ref }) => ref)).toEqual([booking.ref]);
    });

    it('reads the newest figures of an organization, oldest first', async () => {
      const store = await open();
      const figures = (total_patients: number) => ({
        ...{ total_users: 1, total_patients, total_appointments: 5, total_doctors: 1 },
      });
      for (const n of [1, 2, 3])
        await store.mirror.record({
          ...{ clinic: 'main', poll: 'organization', at: minute(n), upserts: [], removals: [], changes: [] },
          statistics: figures(n),
        });
      await store.mirror.record({
        ...{ clinic: 'main', poll: 'treatments', at: minute(4), upserts: [treatment(1)], removals: [] },
        changes: [created(treatment(1))],
      });

      const found = await store.mirror.statistics('main', 2);

      expect(found.map(({ total_patients }) => total_patients)).toEqual([2, 3]);
    });
  });
}
