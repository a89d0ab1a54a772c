import type { Booking, BookingState } from '../../../model/booking.ts';
import { isSamePhone, PHONE_TAIL } from '../../../model/phone.ts';
import type { Db } from '../database.ts';
import { prepared } from '../prepared.ts';

export interface SameSlot {
  ref: string;
  state: BookingState;
}

type Slot = Pick<Booking, 'clinic' | 'phone_e164' | 'appointment_date' | 'appointment_time'>;

/** Bookings that are or may become an appointment for this phone at this time, the earliest first. */
export async function sameSlot(db: Db, slot: Slot): Promise<SameSlot[]> {
  const { clinic, phone_e164: phone, appointment_date: date, appointment_time: time } = slot;
  if (phone === null || date === null || time === null) return [];
  const rows = await atSlot(db, { clinic, date, time, tail: phone.slice(-PHONE_TAIL) });
  // Put in order here: with `ORDER BY` and a bound value SQLite plans the statement anew for every value.
  return rows
    .filter((row) => isSamePhone(row.phone_e164 ?? '', phone))
    .sort((a, b) => (a.received_at < b.received_at ? -1 : 1))
    .map(({ ref, state }) => ({ ref, state: state as BookingState }));
}

const atSlot = prepared<
  { clinic: string; date: string; time: string; tail: string },
  { ref: string; state: string; phone_e164: string | null; received_at: string }
>(['clinic', 'date', 'time', 'tail'], (db, { clinic, date, time, tail }) =>
  db
    .selectFrom('bookings')
    .select(['ref', 'state', 'phone_e164', 'received_at'])
    .where('clinic', '=', clinic)
    .where('appointment_date', '=', date)
    .where('appointment_time', '=', time)
    .where((row) => row(row.fn<string>('substr', ['phone_e164', row.val(-PHONE_TAIL)]), '=', tail))
    .where('state', 'not in', ['rejected', 'expired', 'dropped']),
);
