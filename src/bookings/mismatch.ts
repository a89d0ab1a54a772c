import type { Booking } from '../model/booking.ts';
import type { Store } from '../store/store.ts';

const MEMORY = 'bookings';

/** Booked appointments that are not what was asked for, until a person has seen it. Kept apart, so that asking is cheap. */
export async function flagMismatch(store: Store, ref: string, mismatch: string[]): Promise<void> {
  await store.memory.set(MEMORY, { [`mismatch:${ref}`]: 'open' });
  await store.bookings.note(ref, { mismatch });
}

export const clearMismatch = async (store: Store, ref: string): Promise<void> => {
  await store.memory.set(MEMORY, { [`mismatch:${ref}`]: undefined });
  await store.bookings.note(ref, { mismatch: [] });
};

export async function mismatched(store: Store): Promise<Booking[]> {
  const refs = Object.keys(await store.memory.list(MEMORY, 'mismatch:'));
  const bookings = await Promise.all(refs.map((key) => store.bookings.get(key.slice('mismatch:'.length))));
  return bookings.filter((booking) => booking !== undefined);
}
