import { describe, expect, it } from 'vitest';
import { bookingRefPattern } from '../../../src/domain/bookings/booking-ref.ts';
import type { Store } from '../../../src/store/store.ts';
import { accept } from './booking-samples.ts';
import { booking, judge, minute, type OpenStore, QUARTER_HOUR_MS } from './samples.ts';

const everythingOf = async (store: Store) => ({
  bookings: await store.bookings.list({}),
  changes: await store.changes.after('main', 0, 99),
  latest: await store.changes.latest('main'),
  head: await store.changes.head('main'),
  totals: await store.bookings.totals(minute(0), minute(0)),
  next: await store.bookings.nextSendable('main', minute(9), 9),
});
export function describeAccepting(open: OpenStore): void {
  describe('accepting a booking', () => {
    it('stores it with a ref of its own, its events and its changes', async () => {
      const store = await open();

      const { booking: stored, result } = await accept(store, { note: 'Window seat' });

      expect(result).toBe('new');
      expect(stored.ref).toMatch(bookingRefPattern);
      expect(stored).toMatchObject({
        state: 'queued',
        attempt: 0,
        merged: 0,
        note: 'Window seat',
        evidence: null,
      });
      expect(await store.bookings.get(stored.ref)).toEqual(stored);
      expect(await store.bookings.events(stored.ref)).toMatchObject([
        { from: null, to: 'received', actor: 'daemon', by: 'website', at: minute(0) },
        { from: 'received', to: 'queued', at: minute(0) },
      ]);
      expect(await store.changes.after('main', 0, 9)).toMatchObject([
        { type: 'booking.received', id: stored.ref, data: { state: 'received' }, previous: null },
        {
          type: 'booking.queued',
          id: stored.ref,
          data: { state: 'queued' },
          previous: { state: 'received' },
        },
      ]);
    });

    it('rehearses it to the same judgement, and stores nothing, takes no number and counts nothing', async () => {
      const store = await open();
      const sent = booking();
      const first = await store.bookings.accept(sent, judge);
      const before = await everythingOf(store);
      const limits = {
        limits: [
          { by: 'source' as const, within_ms: QUARTER_HOUR_MS, at_most: 1, message: 'One is enough.' },
        ],
        over: () => ({ state: 'held' as const, reason: 'source_limit', message: 'One is enough.' }),
      };

      const rehearsed = await Promise.all([
        store.bookings.rehearse(booking(), judge),
        store.bookings.rehearse(booking({ phone_e164: sent.phone_e164 }), judge),
        store.bookings.rehearse(sent, judge),
        store.bookings.rehearse(booking(), judge, limits),
      ]);

      expect(rehearsed).toEqual([
        { result: 'new', state: 'queued', reason: null, ref: null },
        { result: 'new', state: 'held', reason: 'duplicate_suspect', ref: first.booking.ref },
        { result: 'same', state: 'queued', reason: null, ref: first.booking.ref },
        { result: 'new', state: 'held', reason: 'source_limit', ref: null },
      ]);
      expect(await everythingOf(store)).toEqual(before);
      expect((await store.bookings.list({})).map(({ ref }) => ref)).toEqual([first.booking.ref]);
    });

    it('keeps what is only for us out of the change log', async () => {
      const store = await open();

      await accept(store);

      const [received] = await store.changes.after('main', 0, 1);
      expect(received?.data).toHaveProperty('patient_name');
      for (const field of ['phone_e164', 'evidence', 'not_before', 'content_hash'])
        expect(received?.data).not.toHaveProperty(field);
    });

    it('answers a repeated submission with the first booking, however long ago it was', async () => {
      const store = await open();
      const same = { submission_id: 'again', content_hash: 'h' };
      const { booking: first } = await accept(store, same);

      const repeated = await accept(store, { ...same, received_at: minute(9_999) });
      const elsewhere = await accept(store, { submission_id: 'again', source: 'crm' });

      expect(repeated).toEqual({ booking: first, result: 'same' });
      expect(elsewhere.result).toBe('new');
      expect(await store.bookings.list({})).toHaveLength(2);
    });

    it('stores submissions that arrive at the same moment each once, in the order they came', async () => {
      const store = await open();
      const many = Array.from({ length: 40 }, (_, i) =>
        booking({ submission_id: `s${i % 20}`, content_hash: `h${i % 20}` }),
      );

      const results = await Promise.all(many.map((one) => store.bookings.accept(one, judge)));

      expect(results.map(({ result }) => result)).toEqual([
        ...Array(20).fill('new'),
        ...Array(20).fill('same'),
      ]);
      expect(await store.bookings.list({})).toHaveLength(20);
      expect(await store.changes.latest('main')).toBe(40);
    });

    it('lets one that cannot be stored fail alone', async () => {
      const store = await open();
      const broken = booking({ doctor_id: Number.NaN });

      const results = await Promise.allSettled(
        [booking(), broken, booking()].map((one) => store.bookings.accept(one, judge)),
      );

      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await store.bookings.list({})).toHaveLength(2);
      expect((await store.changes.after('main', 0, 9)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    });
  });
}
