import type { Booking } from '../../model/booking.ts';
import type { Store } from '../../store/store.ts';

const MEMORY = 'bookings';

/**
 * Booked appointments that are not what was asked for, until a person has seen it. Kept apart from the evidence, so that
 * asking is cheap; raised before the evidence is written: a flag without a difference shows nothing, a difference without
 * a flag would be shown to nobody.
 */
export const raiseFlag = (store: Store, ref: string): Promise<void> =>
  store.memory.set(MEMORY, { [`mismatch:${ref}`]: 'open' });

export const clearMismatch = async (store: Store, ref: string, by: string): Promise<void> => {
  await store.memory.set(MEMORY, { [`mismatch:${ref}`]: undefined });
  await store.bookings.note(ref, { mismatch: [], verdict: `The difference was seen by ${by}.` });
};

export async function mismatched(store: Store): Promise<Booking[]> {
  const refs = Object.keys(await store.memory.list(MEMORY, 'mismatch:'));
  const bookings = await Promise.all(refs.map((key) => store.bookings.get(key.slice('mismatch:'.length))));
  return bookings.filter((booking) => booking !== undefined);
}
