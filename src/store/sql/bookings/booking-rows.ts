import type { Booking, BookingKind, BookingState, Evidence } from '../../../domain/bookings/booking.ts';
import type { ClickIdKind } from '../../../domain/campaign.ts';
import { type Db, fromJson } from '../database.ts';
import type { Stored } from '../schema.ts';

export type StoredBookingRow = Stored<'bookings'>;

export function toBooking({
  content_hash,
  submission_hash,
  booked_at,
  completed_at,
  retracted_at,
  fee,
  currency,
  lost_at,
  ...row
}: StoredBookingRow): Booking {
  return {
    ...row,
    kind: row.kind as BookingKind,
    state: row.state as BookingState,
    click_id_kind: row.click_id_kind as ClickIdKind | null,
    unreadable_fields: listOf(row.unreadable_fields),
    acknowledged_duplicates: listOf(row.acknowledged_duplicates),
    changed_fields: listOf(row.changed_fields),
    evidence: fromJson<Evidence>(row.evidence),
  };
}

const listOf = (json: string) => fromJson<string[]>(json) ?? [];

/** The list and object columns of a booking in stored form. */
export const jsonColumns = (booking: Booking) => ({
  unreadable_fields: JSON.stringify(booking.unreadable_fields),
  acknowledged_duplicates: JSON.stringify(booking.acknowledged_duplicates),
  changed_fields: JSON.stringify(booking.changed_fields),
  evidence: booking.evidence === null ? null : JSON.stringify(booking.evidence),
});

export async function selectBooking(db: Db, ref: string): Promise<Booking | undefined> {
  const row = await db.selectFrom('bookings').selectAll().where('ref', '=', ref).executeTakeFirst();
  return row && toBooking(row);
}

/** No connector has this name: a visitor's reference is stored like a merged submission. */
export const VISITORS = '';

/** The booking that a visitor's submission was merged into, by the reference given to the visitor. */
export async function findByVisitorRef(db: Db, given: string): Promise<Booking | undefined> {
  const row = await db
    .selectFrom('merged_submissions')
    .select('ref')
    .where('source', '=', VISITORS)
    .where('submission_id', '=', given)
    .executeTakeFirst();
  return row && (await selectBooking(db, row.ref));
}
