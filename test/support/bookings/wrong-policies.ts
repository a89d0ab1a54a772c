import type { Clinic } from '../../../src/clinic/clinic.ts';
import { unattendedKey } from '../../../src/domain/bookings/counter.ts';
import type { Store } from '../../../src/store/store.ts';

interface Parts {
  store: Store;
  clinic: Clinic;
}

const withBookings = ({ store, clinic }: Parts, bookings: Partial<Store['bookings']>): Parts => ({
  clinic,
  store: { ...store, bookings: { ...store.bookings, ...bookings } },
});
const withBook = ({ store, clinic }: Parts, book: Clinic['book']): Parts => ({
  store,
  clinic: { ...clinic, book },
});
const retriedOn = (cause: string) => (parts: Parts) =>
  withBook(parts, async (request, options) => {
    const outcome = await parts.clinic.book(request, options);
    return outcome.class === 'ambiguous' && outcome.cause === cause
      ? { class: 'never_sent', detail: outcome.detail }
      : outcome;
  });

/** What others do, and what double bookings are made of. Each must be noticed by the judge. */
export const wrongPolicies: Record<string, (parts: Parts) => Parts> = {
  'queues again on restart what was being sent': (parts) =>
    withBookings(parts, {
      async interruptSending(at) {
        const { bookings } = parts.store;
        const sending = await bookings.list({ clinic: parts.clinic.key, states: ['sending'] });
        for (const { ref, attempt } of sending)
          await bookings.move({
            ref,
            attempt,
            from: ['sending'],
            to: 'queued',
            actor: 'daemon',
            by: 'wrong',
            at,
          });
        return [];
      },
    }),
  'records a send after it': (parts) =>
    withBook(parts, async (request, { beforeSend, ...options }) => {
      const outcome = await parts.clinic.book(request, { ...options, beforeSend: () => Promise.resolve() });
      await beforeSend();
      return outcome;
    }),
  'sends again after a reset': retriedOn('connection_lost'),
  'sends again after a 5xx': retriedOn('status_5xx'),
  'counts a success without a number as booked': (parts) => {
    let invented = 900_000;
    return withBook(parts, async (request, options) => {
      const outcome = await parts.clinic.book(request, options);
      if (outcome.class !== 'no_id') return outcome;
      invented += 1;
      return { class: 'booked', appointment_id: invented, message: '' };
    });
  },
  'does not look for duplicates': (parts) =>
    withBookings(parts, {
      accept: (booking, judge) =>
        parts.store.bookings.accept(
          { ...booking, submission_id: null, content_hash: null, submission_hash: null, phone_e164: null },
          judge,
        ),
    }),
  'does not look who else came before it releases one': (parts) =>
    withBookings(parts, { move: ({ beside: _beside, ...move }) => parts.store.bookings.move(move) }),
};

/** Goes on with a database that was put back as if it were the newest. */
export const skipsTheCounterComparison = ({ store, clinic }: Parts): Parts => ({
  clinic,
  store: {
    ...store,
    keyValue: {
      ...store.keyValue,
      get: async (scope, key) =>
        key === unattendedKey(clinic.key) ? undefined : await store.keyValue.get(scope, key),
    },
  },
});
