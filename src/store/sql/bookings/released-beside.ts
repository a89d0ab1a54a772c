import type { Booking } from '../../../domain/bookings/booking.ts';
import type { Trx } from '../database.ts';
import { type BookingRow, jsonColumns, toBooking } from './booking-rows.ts';

/**
 * Notes a release on what waits of the same submission, in the same transaction: a decision made on a page that does not
 * show it is refused.
 */
export async function noteReleasedBeside(trx: Trx, released: Booking): Promise<void> {
  const { ref, clinic, source, submission_id, changed_at } = released;
  if (submission_id === null) return;
  const waiting: BookingRow[] = await trx
    .selectFrom('bookings')
    .selectAll()
    .where('source', '=', source)
    .where('submission_id', '=', submission_id)
    .where('clinic', '=', clinic)
    .where('state', '=', 'held')
    .where('ref', '<>', ref)
    .execute();
  for (const booking of waiting.map(toBooking)) {
    const evidence = { ...booking.evidence, released_beside: changed_at };
    await trx
      .updateTable('bookings')
      .set({ evidence: jsonColumns({ ...booking, evidence }).evidence })
      .where('ref', '=', booking.ref)
      .execute();
  }
}
