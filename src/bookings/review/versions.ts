import type { Booking } from '../../domain/bookings/booking.ts';
import type { BookingParts } from '../booking-parts.ts';

/** The other bookings made of the same submission, newest first, and the one that this booking changes. */
export async function otherVersions(
  { store }: Pick<BookingParts, 'store'>,
  booking: Booking,
): Promise<Booking[]> {
  const { ref, clinic, source, submission_id, duplicate_of, changed_fields } = booking;
  const own =
    submission_id === null
      ? []
      : await store.bookings.ofSource(clinic, source, { submission_ids: [submission_id] });
  const isElsewhere =
    duplicate_of !== null && changed_fields.length > 0 && own.every((one) => one.ref !== duplicate_of);
  const first = isElsewhere ? await store.bookings.get(duplicate_of) : undefined;
  return [...own.filter((one) => one.ref !== ref), ...(first === undefined ? [] : [first])];
}
