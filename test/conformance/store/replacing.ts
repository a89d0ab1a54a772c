import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { accept, move } from './booking-samples.ts';
import { claimNext, minute, type OpenStore } from './samples.ts';

/** Ends a booking without sending it. */
const end = (store: Store, ref: string, to: 'dropped' | 'expired') =>
  store.bookings.move({
    ref,
    attempt: 0,
    from: ['queued'],
    to,
    actor: to === 'dropped' ? 'person' : 'daemon',
    by: 'somebody',
    at: minute(5),
  });

/** What happens to bookings that resemble another, once a person or the daemon decides about one of them. */
export function describeReplacing(open: OpenStore): void {
  describe('a booking beside one that it resembles', () => {
    it('takes a booking in another one’s place in one step, unless that one was sent meanwhile', async () => {
      const store = await open();
      const phone_e164 = '+8801711111111';
      const { booking: first } = await accept(store, { phone_e164 });
      const { booking: second } = await accept(store, { phone_e164 });
      const { booking: third } = await accept(store, {
        phone_e164,
        appointment_time: '12:00',
        state: 'held',
      });
      const by = { attempt: 0, actor: 'person', by: 'Mina', at: minute(1), from: ['held'] } as const;
      const unsent = ['received', 'held', 'queued'] as const;
      const instead_of = { ref: first.ref, from: unsent };

      const taken = await store.bookings.move({
        ...by,
        ref: second.ref,
        to: 'queued',
        beside: [],
        instead_of,
      });
      await claimNext(store, 'main', minute(2));
      const late = await store.bookings.move({
        ...{ ...by, ref: third.ref, to: 'queued' },
        instead_of: { ref: second.ref, from: unsent },
      });

      expect(taken?.state).toBe('queued');
      expect(await store.bookings.get(first.ref)).toMatchObject({ state: 'dropped' });
      expect(late).toBeUndefined();
      expect(await store.bookings.get(second.ref)).toMatchObject({ state: 'sending' });
    });

    it('takes no notice of a resembling booking that will never be an appointment', async () => {
      const store = await open();
      const phone_e164 = '+8801711111111';
      const { booking: first } = await accept(store, { phone_e164 });
      await end(store, first.ref, 'expired');

      const { booking: second } = await accept(store, { phone_e164 });

      expect(second.state).toBe('queued');
    });

    it('considers a booking that was dropped while it may exist, until a person says that it does not', async () => {
      const store = await open();
      const phone_e164 = '+8801711111111';
      const { booking: first } = await accept(store, { phone_e164 });
      const slot = { ...first, ref: 'CS-000000' };
      await claimNext(store, 'main', minute(1));
      await store.bookings.interruptSending(minute(2));
      const by = { ref: first.ref, attempt: 1, actor: 'person', by: 'Mina', at: minute(3) } as const;

      await store.bookings.move({ ...by, from: ['unknown'], to: 'dropped' });
      const dropped = await store.bookings.resembling(slot);
      await store.bookings.note({ ref: first.ref, attempt: 1, evidence: { absent: true } });

      expect(dropped).toEqual([{ ref: first.ref, state: 'dropped', resembles: 'slot', moved: false }]);
      expect(await store.bookings.resembling(slot)).toEqual([]);
    });

    it('holds a further change beside the one that was taken, not beside what was dropped for it', async () => {
      const store = await open();
      const send = (time: string, at: number) =>
        accept(store, {
          ...{ submission_id: 'edited', content_hash: time, submission_hash: time },
          ...{ appointment_time: time, received_at: minute(at) },
        });
      const { booking: first } = await send('10:00', 0);
      const { booking: second } = await send('11:00', 1);
      await move(store, {
        ...{ ref: second.ref, from: ['held'], to: 'queued', actor: 'person', by: 'Sam', beside: [] },
        instead_of: { ref: first.ref, from: ['queued'] },
      });

      const { booking: third } = await send('12:00', 2);

      expect(third).toMatchObject({ reason: 'changed_submission', duplicate_of: second.ref });
      expect(third.message).toContain(second.ref);
    });

    it('moves nothing beside another that is not held and not named', async () => {
      const store = await open();
      const phone_e164 = '+8801711111111';
      const { booking: first } = await accept(store, { phone_e164 });
      const { booking: second } = await accept(store, { phone_e164, received_at: minute(1) });
      const { booking: third } = await accept(store, { phone_e164, received_at: minute(2) });
      const move = {
        attempt: 0,
        from: ['held'],
        to: 'queued',
        actor: 'person',
        by: 'Mina',
        at: minute(1),
      } as const;

      const untold = await store.bookings.move({ ...move, ref: second.ref, beside: [] });
      const told = await store.bookings.move({ ...move, ref: second.ref, beside: [first.ref] });
      const since = await store.bookings.move({ ...move, ref: third.ref, beside: [first.ref] });

      expect([untold, told?.state, since]).toEqual([undefined, 'queued', undefined]);
      expect(third.message).toContain(`${first.ref} and ${second.ref}`);
    });
  });
}
