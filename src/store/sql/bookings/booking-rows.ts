import type { Booking, BookingState, Evidence } from '../../../model/booking.ts';
import type { Db } from '../database.ts';
import { fromJson } from '../database.ts';
import type { Stored } from '../schema.ts';

export type BookingRow = Stored<'bookings'>;

export function toBooking({ content_hash, booked_at, ...row }: BookingRow): Booking {
  return { ...row, state: row.state as BookingState, evidence: fromJson<Evidence>(row.evidence) };
}

export async function findBooking(trx: Db, ref: string): Promise<Booking | undefined> {
  const row = await trx.selectFrom('bookings').selectAll().where('ref', '=', ref).executeTakeFirst();
  return row && toBooking(row);
}
