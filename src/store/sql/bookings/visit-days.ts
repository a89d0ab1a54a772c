import type { Booking } from '../../../domain/bookings/booking.ts';
import type { Db } from '../database.ts';
import { toBooking } from './booking-rows.ts';

interface VisitDays {
  clinics: readonly string[];
  from: string;
  to: string;
}

/**
 * Reads only these days, by two indexes that the search for duplicates needs anyway: `bookings_slot` for what was asked
 * for, `appointments_at_time` for where the clinic has it now.
 */
export async function findVisits(
  db: Db,
  { clinics, from, to }: VisitDays,
  limit: number,
): Promise<Booking[]> {
  const bookings = () => db.selectFrom('bookings').selectAll();
  const asked = await bookings()
    .where('clinic', 'in', clinics)
    .where('appointment_date', '>=', from)
    .where('appointment_date', '<=', to)
    .orderBy('appointment_date')
    .orderBy('appointment_time')
    .limit(limit)
    .execute();
  const shown = db
    .selectFrom('appointments')
    .select('ref')
    .where('clinic', 'in', clinics)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .where('ref', 'is not', null)
    .orderBy('date')
    .orderBy('time')
    .limit(limit);
  const moved = await bookings().where('ref', 'in', shown).execute();
  return [...new Map([...asked, ...moved].map((row) => [row.ref, toBooking(row)])).values()];
}
