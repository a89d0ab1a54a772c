import { describe, expect, it } from 'vitest';
import type { Booking } from '../../../src/domain/bookings/booking.ts';
import { seenOf } from '../../../src/domain/bookings/booking-seen.ts';
import { instant, toMs } from '../../../src/platform/clock.ts';
import type { BookingMove } from '../../../src/store/ports/bookings.ts';
import type { Store } from '../../../src/store/store.ts';
import { accept, move, sending } from './booking-samples.ts';
import { claimNext, minute, type OpenStore } from './samples.ts';

const until = instant(toMs(minute(5)) + 10_000);
const undoOf = (ref: string, after: Booking) => ({ ref, seen: seenOf(after), by: 'Mina', at: minute(5) });

async function decided(
  store: Store,
  before: Booking,
  wanted: Partial<BookingMove> & Pick<BookingMove, 'to'>,
) {
  const after = await move(store, {
    ref: before.ref,
    from: [before.state],
    actor: 'person',
    by: 'Mina',
    undo: { until, booking: before },
    ...wanted,
  });
  expect.assert(after);
  return after;
}

const held = { state: 'held', reason: 'outside_hours', message: 'The clinic is closed.' } as const;

export function describeUndo(open: OpenStore): void {
  describe('a decision based on what a person saw', () => {
    it('does nothing once the state, the attempt or the evidence is another', async () => {
      const store = await open();
      const { booking } = await accept(store, held);
      const { ref } = await sending(store, { submission_id: 'sent' });
      const unknown = await move(store, { ref, from: ['sending'], to: 'unknown', reason: 'timeout' });
      expect.assert(unknown);
      const asSeen = { from: ['held'], to: 'dropped', actor: 'person', seen: seenOf(booking) } as const;

      await store.bookings.note({ ref, attempt: 1, evidence: { matching_ids: [7] } });
      const late = await move(store, {
        ref,
        from: ['unknown'],
        to: 'dropped',
        actor: 'person',
        seen: seenOf(unknown),
      });
      const noted = await store.bookings.note({
        ref,
        attempt: 1,
        seen: seenOf(unknown),
        evidence: { absent: true },
      });
      const first = await move(store, { ref: booking.ref, ...asSeen });
      const second = await move(store, { ref: booking.ref, ...asSeen, to: 'queued' });

      expect([late, noted, second]).toEqual([undefined, false, undefined]);
      expect(first?.state).toBe('dropped');
      expect(await store.bookings.get(ref)).toMatchObject({
        state: 'unknown',
        evidence: { matching_ids: [7] },
      });
    });
  });

  describe('taking a decision back', () => {
    it.each(['dropped', 'queued', 'held'] as const)('holds what was %s as it was before', async (to) => {
      const store = await open();
      const { booking } = await accept(store, held);
      const after = await decided(store, booking, {
        to,
        reason: null,
        message: 'No',
        edit: { patient_name: 'Somebody', doctor_id: 9 },
        evidence: { absent: true },
        acknowledged_duplicates: ['CS-OTHER1'],
      });

      const undone = await store.bookings.undo(undoOf(booking.ref, after));

      expect(undone).toEqual({ ...booking, changed_at: minute(5) });
      expect(await store.bookings.get(booking.ref)).toEqual(undone);
      expect((await store.bookings.events(booking.ref)).at(-1)).toMatchObject({
        from: to,
        to: 'held',
        by: 'Mina',
      });
      expect((await store.changes.after('main', 0, 99)).at(-1)).toMatchObject({ type: 'booking.held' });
    });

    it('has what had been queued, refused or expired wait for an approval', async () => {
      const store = await open();
      const { booking } = await accept(store, { state: 'queued' });

      const after = await decided(store, booking, { to: 'dropped' });
      const undone = await store.bookings.undo(undoOf(booking.ref, after));

      expect(undone).toMatchObject({ state: 'held', reason: 'approval' });
      expect(await claimNext(store, 'main', minute(9))).toBeUndefined();
    });

    it('works once, and only while the time lasts', async () => {
      const store = await open();
      const { booking } = await accept(store, held);
      const after = await decided(store, booking, { to: 'dropped' });
      const wanted = undoOf(booking.ref, after);

      const late = await store.bookings.undo({ ...wanted, at: instant(toMs(until) + 1) });
      const offered = await store.bookings.undoable(booking.ref, minute(5));
      const inTime = await store.bookings.undo({ ...wanted, at: until });
      const again = await store.bookings.undo({ ...wanted, at: until });

      expect([late, again]).toEqual([undefined, undefined]);
      expect([offered, inTime?.state]).toEqual([wanted.seen, 'held']);
      expect(await store.bookings.undoable(booking.ref, minute(5))).toBeUndefined();
    });

    it('touches nothing that has been sent, or that anything else has changed', async () => {
      const store = await open();
      const { booking } = await accept(store, held);
      const after = await decided(store, booking, { to: 'queued' });
      const claimed = await claimNext(store, 'main', minute(5));
      const sent = claimed && undoOf(booking.ref, claimed);

      const undone = [
        await store.bookings.undo(undoOf(booking.ref, after)),
        sent && (await store.bookings.undo(sent)),
      ];

      expect(undone).toEqual([undefined, undefined]);
      expect((await store.bookings.get(booking.ref))?.state).toBe('sending');
    });

    it('does not bring back a dropped booking that may be at the clinic', async () => {
      const store = await open();
      const { ref } = await sending(store);
      const unknown = await move(store, { ref, from: ['sending'], to: 'unknown', reason: 'timeout' });
      expect.assert(unknown);

      const after = await decided(store, unknown, { to: 'dropped' });

      expect(await store.bookings.undoable(ref, minute(5))).toBeUndefined();
      expect(await store.bookings.undo(undoOf(ref, after))).toBeUndefined();
    });

    it('does nothing after an erasure, and leaves nothing of the person behind', async () => {
      const store = await open();
      const { booking } = await accept(store, held);
      const after = await decided(store, booking, { to: 'dropped' });

      await store.erase({ refs: [booking.ref] }, minute(5), 'Mina');

      expect(await store.bookings.undoable(booking.ref, minute(5))).toBeUndefined();
      expect(await store.bookings.undo(undoOf(booking.ref, after))).toBeUndefined();
      expect((await store.bookings.get(booking.ref))?.patient_name).toBeNull();
    });
  });
}
