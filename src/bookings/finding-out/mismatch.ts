import type { Booking, Evidence } from '../../model/booking.ts';
import type { Instant } from '../../model/clock.ts';
import type { Store } from '../../store/store.ts';

const MEMORY = 'bookings';

/**
 * Booked appointments that are not what was asked for, until a person has seen it. Kept apart from the evidence, so that
 * asking is cheap; raised before the evidence is written: a flag without a difference shows nothing, a difference without
 * a flag would be shown to nobody.
 */
export const raiseFlag = (store: Store, ref: string): Promise<void> =>
  store.memory.set(MEMORY, { [`mismatch:${ref}`]: 'open' });

export const lowerFlag = (store: Store, ref: string): Promise<void> =>
  store.memory.set(MEMORY, { [`mismatch:${ref}`]: undefined });

/** A person has seen the difference: nothing is compared any more. */
export async function acknowledgeMismatch(
  store: Store,
  { ref, attempt }: Booking,
  by: string,
  at: Instant,
): Promise<void> {
  await lowerFlag(store, ref);
  const evidence: Evidence = { mismatch: [], verification: 'acknowledged', seen_by: by };
  await store.bookings.note({ ref, attempt, evidence, verified_at: at });
}

export async function mismatched(store: Store): Promise<Booking[]> {
  const refs = Object.keys(await store.memory.list(MEMORY, 'mismatch:'));
  const bookings = await Promise.all(refs.map((key) => store.bookings.get(key.slice('mismatch:'.length))));
  return bookings.filter((booking) => booking !== undefined);
}
