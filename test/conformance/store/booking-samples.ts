import { expect } from 'vitest';
import { judgeWithin } from '../../../src/bookings/duplicates/judge-lead.ts';
import type { BookingMove, NewBooking } from '../../../src/store/ports/bookings.ts';
import type { Store } from '../../../src/store/store.ts';
import { booking, claimNext, minute, QUARTER_HOUR_MS } from './samples.ts';

export const accept = (store: Store, fields: Partial<NewBooking> = {}) =>
  store.bookings.accept(booking(fields), judgeWithin(QUARTER_HOUR_MS));

/** A move of the present attempt, unless it says which. */
export const move = async (
  store: Store,
  wanted: Partial<BookingMove> & Pick<BookingMove, 'ref' | 'from' | 'to'>,
) => {
  const attempt = (await store.bookings.get(wanted.ref))?.attempt ?? 0;
  return store.bookings.move({ attempt, actor: 'daemon', by: 'daemon', at: minute(5), ...wanted });
};

/** A booking on the wire. */
export async function sending(store: Store, fields: Partial<NewBooking> = {}) {
  await accept(store, fields);
  const claimed = await claimNext(store, fields.clinic ?? 'main', minute(1));
  expect.assert(claimed, 'the booking was claimed');
  return claimed;
}

export const types = async (store: Store) =>
  (await store.changes.after('main', 0, 99)).map(({ type }) => type);
