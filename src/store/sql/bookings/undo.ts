import type { Booking, BookingState } from '../../../domain/bookings/booking.ts';
import { seenOf } from '../../../domain/bookings/booking-seen.ts';
import { type Instant, instant, toMs } from '../../../platform/clock.ts';
import { HOUR } from '../../../platform/duration.ts';
import type { BookingVerbs, Undo } from '../../ports/bookings.ts';
import { type Db, deletedBy, type Trx } from '../database.ts';
import { selectBooking } from './booking-rows.ts';

/** States in which nothing exists at the clinic: nothing was sent, or everything sent was certainly refused. */
const surelyNotSent: readonly BookingState[] = ['received', 'held', 'queued', 'rejected', 'expired'];

/** Stores the booking as it was before a decision that may be undone. Any later move invalidates the row. */
export async function keepUndo(trx: Trx, after: Booking, { until, booking }: Undo): Promise<void> {
  const row = { seen: seenOf(after), until_at: until, booking: JSON.stringify(booking) };
  await trx
    .insertInto('undos')
    .values({ ref: after.ref, ...row })
    .onConflict((conflict) => conflict.column('ref').doUpdateSet(row))
    .execute();
}

/** The booking after an undo; undefined if it has changed since, was sent or erased, or the time is over. */
export async function undone(
  trx: Trx,
  { ref, seen, at }: Parameters<BookingVerbs['undo']>[0],
): Promise<{ now: Booking; back: Booking } | undefined> {
  const found = await readUndo(trx, ref, at);
  if (found === undefined || found.seen !== seen) return undefined;
  const { now, before } = found;
  const isHeld = before.state === 'held';
  return {
    now,
    back: {
      ...before,
      merged: now.merged,
      state: 'held',
      reason: isHeld ? before.reason : 'approval',
      not_before: null,
      sending_since: null,
      changed_at: at,
    },
  };
}

/** What can be undone now. */
export async function readUndo(db: Db, ref: string, at: Instant) {
  const kept = await db.selectFrom('undos').selectAll().where('ref', '=', ref).executeTakeFirst();
  const now = await selectBooking(db, ref);
  if (kept === undefined || now === undefined || kept.until_at < at) return undefined;
  const before = JSON.parse(kept.booking) as Booking;
  const wasSent = now.attempt !== before.attempt || !surelyNotSent.includes(before.state);
  return wasSent || seenOf(now) !== kept.seen ? undefined : { seen: kept.seen, now, before };
}

/** An undo must not bring an erased person back. */
export const forgetUndo = async (trx: Trx, ref: string): Promise<void> =>
  void (await trx.deleteFrom('undos').where('ref', '=', ref).execute());

/** Deletes rows that expired over an hour ago, or that a clock set back left in the future. */
export function deleteUndos(trx: Trx, now: Instant): Promise<number> {
  const [before, after] = [instant(toMs(now) - HOUR), instant(toMs(now) + HOUR)];
  return deletedBy(
    trx
      .deleteFrom('undos')
      .where((row) => row.or([row('until_at', '<', before), row('until_at', '>', after)])),
  );
}
