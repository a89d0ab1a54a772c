import { describe, expect, it } from 'vitest';
import { accept, move, sending, types } from './booking-samples.ts';
import { booking, claimNext, judge, minute, type OpenStore } from './samples.ts';

export function describeSending(open: OpenStore): void {
  describe('sending a booking', () => {
    it('moves nothing that has changed since it was read', async () => {
      const store = await open();
      const { booking: read } = await store.bookings.accept(booking({ state: 'held' }), judge);
      const move = { ref: read.ref, attempt: 0, from: ['held'], by: 'somebody' } as const;
      const corrected = { appointment_date: '2026-04-01' };
      await store.bookings.move({ ...move, to: 'held', actor: 'person', at: minute(1), edit: corrected });

      const expired = await store.bookings.move({
        ...move,
        as_of: read.changed_at,
        to: 'expired',
        actor: 'daemon',
        at: minute(2),
      });

      expect(expired).toBeUndefined();
      expect(await store.bookings.get(read.ref)).toMatchObject({ state: 'held', ...corrected });
    });

    it('claims the oldest that may be sent, and no other while it is on the wire', async () => {
      const store = await open();
      await accept(store, { received_at: minute(2) });
      const { booking: oldest } = await accept(store, { received_at: minute(1) });
      await accept(store, { received_at: minute(0), not_before: minute(30) });

      const claimed = await claimNext(store, 'main', minute(10));
      const second = await claimNext(store, 'main', minute(10));
      await accept(store, { clinic: 'north' });
      const elsewhere = await claimNext(store, 'north', minute(10));

      expect(claimed).toMatchObject({
        ref: oldest.ref,
        state: 'sending',
        attempt: 1,
        sending_since: minute(10),
      });
      expect(second).toBeUndefined();
      expect(elsewhere).toBeDefined();
    });

    it('gives the wire to one of many who ask at the same moment', async () => {
      const store = await open();
      for (let i = 0; i < 5; i += 1) await accept(store);

      const claims = await Promise.all(Array.from({ length: 5 }, () => claimNext(store, 'main', minute(1))));

      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    });

    it('claims the one that is asked for, with the facts about the attempt', async () => {
      const store = await open();
      await accept(store, { received_at: minute(0) });
      const { booking: wanted } = await accept(store, { received_at: minute(1) });
      const waiting = await accept(store, { not_before: minute(30) });

      const early = await store.bookings.claim('main', minute(2), { ref: waiting.booking.ref, evidence: {} });
      const claimed = await store.bookings.claim('main', minute(2), {
        ref: wanted.ref,
        evidence: { body_hash: 'abc' },
      });

      expect(early).toBeUndefined();
      expect(claimed).toMatchObject({ ref: wanted.ref, evidence: { sent_at: minute(2), body_hash: 'abc' } });
    });

    it('claims one that waits for a time when the clock was set back behind the start of its wait', async () => {
      const store = await open();
      const { booking: waiting } = await accept(store, { received_at: minute(20), not_before: minute(30) });

      const inTime = await claimNext(store, 'main', minute(25));
      const setBack = await claimNext(store, 'main', minute(1));

      expect(inTime).toBeUndefined();
      expect(setBack?.ref).toBe(waiting.ref);
    });

    it('begins each attempt without the evidence of the one before', async () => {
      const store = await open();
      const { ref } = await sending(store);
      await store.bookings.note({ ref, attempt: 1, evidence: { body_hash: 'first', probed_ids: [1] } });
      await move(store, {
        ref,
        from: ['sending'],
        to: 'unknown',
        reason: 'timeout',
        evidence: { verdict: 'none' },
      });
      const unknown = await store.bookings.get(ref);
      await move(store, { ref, from: ['unknown'], to: 'queued', actor: 'person', by: 'Sam' });

      const again = await claimNext(store, 'main', minute(9));

      expect(unknown).toMatchObject({
        reason: 'timeout',
        sending_since: minute(1),
        evidence: { sent_at: minute(1), body_hash: 'first', probed_ids: [1], verdict: 'none' },
      });
      expect(again).toMatchObject({ attempt: 2, evidence: { sent_at: minute(9) } });
      expect(again?.evidence).not.toHaveProperty('probed_ids');
    });

    it('takes no word about an attempt that is not the present one', async () => {
      const store = await open();
      const { ref } = await sending(store);
      await move(store, { ref, from: ['sending'], to: 'unknown', reason: 'timeout' });
      await move(store, { ref, from: ['unknown'], to: 'queued', actor: 'person', by: 'Sam' });
      await claimNext(store, 'main', minute(9));
      await move(store, { ref, from: ['sending'], to: 'unknown', reason: 'timeout' });
      const second = await store.bookings.get(ref);

      const found = await move(store, {
        ...{ ref, attempt: 1, from: ['unknown'], to: 'booked', appointment_id: 501 },
      });
      const noted = await store.bookings.note({ ref, attempt: 1, evidence: { verdict: 'none' } });

      expect([found, noted]).toEqual([undefined, false]);
      expect(await store.bookings.get(ref)).toEqual(second);
    });

    it('offers what may be sent in its order, what the clinic keeps refusing last', async () => {
      const store = await open();
      const refused = await sending(store, { received_at: minute(0) });
      await move(store, { ref: refused.ref, from: ['sending'], to: 'queued', refusals: 1 });
      const { booking: waiting } = await accept(store, { received_at: minute(0), not_before: minute(30) });
      const { booking: fresh } = await accept(store, { received_at: minute(2) });

      const offered = await store.bookings.nextSendable('main', minute(9), 10);
      const first = await store.bookings.nextSendable('main', minute(9), 1);

      expect(offered.map(({ ref }) => ref)).toEqual([fresh.ref, refused.ref]);
      expect(first.map(({ ref }) => ref)).toEqual([fresh.ref]);
      expect(await store.bookings.nextDue('main', minute(9))).toBe(waiting.not_before);
      expect(await store.bookings.nextDue('main', minute(30))).toBeUndefined();
    });

    it('knows our numbers around a send, and what has not been compared yet', async () => {
      const store = await open();
      for (const [appointment_id, at] of [
        [501, minute(5)],
        [505, minute(7)],
        [509, minute(9)],
      ] as const) {
        const { ref } = await sending(store);
        await move(store, { ref, from: ['sending'], to: 'booked', appointment_id, at });
        if (appointment_id === 505)
          await store.bookings.note({ ref, attempt: 1, evidence: {}, verified_at: at });
      }
      const numbers = store.bookings;

      expect(await numbers.highestOwnId('main')).toBe(509);
      expect(await numbers.highestOwnId('north')).toBeUndefined();
      expect(await numbers.firstOwnIdAfter('main', 501, minute(6))).toBe(505);
      expect(await numbers.firstOwnIdAfter('main', 501, minute(7))).toBe(509);
      expect(await numbers.ownIdsBetween('main', 501, 509, 10)).toEqual([505]);
      expect(await numbers.ownIdsBetween('main', 501, null, 1)).toEqual([505]);
      expect(await numbers.confirmedBetween('main', minute(5), minute(9))).toBe(2);
      expect((await numbers.unverified('main')).map((one) => one.appointment_id).sort()).toEqual([501, 509]);
    });

    it('makes every booking on the wire unknown at start, and nothing else', async () => {
      const store = await open();
      const first = await sending(store);
      const second = await sending(store, { clinic: 'north' });
      const { booking: queued } = await accept(store);

      const interrupted = await store.bookings.interruptSending(minute(9));

      expect(interrupted.map(({ ref }) => ref).sort()).toEqual([first.ref, second.ref].sort());
      expect(interrupted).toMatchObject([{ state: 'unknown', reason: 'interrupted' }, { state: 'unknown' }]);
      expect((await store.bookings.get(queued.ref))?.state).toBe('queued');
      expect(await types(store)).toContain('booking.unknown');
    });

    it('leaves what another clinic has on the wire alone when one clinic starts again', async () => {
      const store = await open();
      const own = await sending(store, { clinic: 'north' });
      const other = await sending(store);

      const interrupted = await store.bookings.interruptSending(minute(9), 'north');

      expect(interrupted.map(({ ref }) => ref)).toEqual([own.ref]);
      expect((await store.bookings.get(other.ref))?.state).toBe('sending');
    });
  });
}
