import type { Instant } from '../../../platform/clock.ts';
import type { Trx } from '../database.ts';
import { findBooking, jsonColumns, VISITORS } from './booking-rows.ts';
import { changedVisits } from './changed-visits.ts';

/**
 * Call when a read shows a change of a booking's visit, after it is stored. If the visit was cancelled or moved, and a
 * lead was merged into the booking after `readAt`, when the visit still stood, a user is asked: that lead may have been a
 * new request.
 */
export async function noteAskedAgain(
  trx: Trx,
  { ref, readAt, at }: { ref: string; readAt: Instant; at: Instant },
): Promise<void> {
  const booking = await findBooking(trx, ref);
  if (booking?.state !== 'booked' || booking.merged === 0) return;
  const again = await lastMerged(trx, ref);
  if (again === undefined || again < readAt) return;
  if (!(await changedVisits(trx, [booking])).has(ref)) return;
  const { mismatch = [], ...evidence } = booking.evidence ?? {};
  const sentence = `The visit was cancelled or moved, and the patient asked for it again at ${again.slice(0, 16).replace('T', ' ')} UTC, perhaps because of that.`;
  const noted = { ...evidence, verification: 'asked_again' as const, mismatch: [...mismatch, sentence] };
  await trx
    .updateTable('bookings')
    .set({ ...jsonColumns({ ...booking, evidence: noted }), verified_at: at })
    .where('ref', '=', ref)
    .execute();
}

async function lastMerged(trx: Trx, ref: string): Promise<Instant | undefined> {
  const row = await trx
    .selectFrom('merged_submissions')
    .select((of) => of.fn.max('at').as('at'))
    .where('ref', '=', ref)
    .where('source', '<>', VISITORS)
    .executeTakeFirst();
  return row?.at ?? undefined;
}
