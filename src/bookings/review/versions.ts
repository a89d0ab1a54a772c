import type { Booking } from '../../domain/booking.ts';
import { instant } from '../../platform/clock.ts';
import type { BookingParts } from '../parts.ts';

type Reading = Pick<BookingParts, 'store'>;

/** The other bookings made of the same submission, newest first, and the one that this booking changes. */
export async function otherVersions({ store }: Reading, booking: Booking): Promise<Booking[]> {
  const { ref, clinic, source, submission_id, duplicate_of, changed_fields } = booking;
  if (submission_id === null) return [];
  const own = await store.bookings.ofSource(clinic, source, { submission_ids: [submission_id] });
  const isElsewhere =
    duplicate_of !== null && changed_fields.length > 0 && own.every((one) => one.ref !== duplicate_of);
  const first = isElsewhere ? await store.bookings.get(duplicate_of) : undefined;
  return [...own.filter((one) => one.ref !== ref), ...(first === undefined ? [] : [first])];
}

/** Notes a release on what waits beside it, so that a decision made without knowing of it is refused. */
export async function tellOtherVersions(
  parts: Reading & Pick<BookingParts, 'clock'>,
  released: Booking,
): Promise<void> {
  if (released.state !== 'queued') return;
  const evidence = { released_beside: instant(parts.clock.now()) };
  for (const { ref, attempt, state } of await otherVersions(parts, released))
    if (state === 'held') await parts.store.bookings.note({ ref, attempt, evidence });
}
