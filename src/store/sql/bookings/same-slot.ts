import type { Booking, BookingState, Evidence } from '../../../domain/booking.ts';
import { isSamePhone, PHONE_TAIL } from '../../../domain/phone.ts';
import { type Db, fromJson } from '../database.ts';
import { ending } from '../dialects.ts';
import { prepared } from '../prepared.ts';

export interface SameSlot {
  ref: string;
  state: BookingState;
  patient_name: string | null;
  received_at: string;
}

type Slot = Pick<Booking, 'clinic' | 'phone_e164' | 'appointment_date' | 'appointment_time'>;

/** Bookings that are or may become an appointment for this phone at this time, the earliest first. */
export async function sameSlot(db: Db, slot: Slot): Promise<SameSlot[]> {
  const { clinic, phone_e164: phone, appointment_date: date, appointment_time: time } = slot;
  if (phone === null || date === null || time === null) return [];
  const rows = await atSlot(db, { clinic, date, time, tail: phone.slice(-PHONE_TAIL) });
  // Sorted here: with `ORDER BY` and a bound value SQLite plans the statement again for every value.
  return rows
    .filter((row) => isSamePhone(row.phone_e164 ?? '', phone) && mayBeThere(row))
    .sort((a, b) => a.received_at.localeCompare(b.received_at))
    .map(({ ref, state, patient_name, received_at }) => ({
      ref,
      state: state as BookingState,
      patient_name,
      received_at,
    }));
}

/** Those neither held nor named: a person must see them before this booking is sent too. */
export async function othersAtSlot(
  db: Db,
  booking: Slot & { ref: string },
  named: readonly string[],
): Promise<SameSlot[]> {
  const others = (await sameSlot(db, booking)).filter(({ ref }) => ref !== booking.ref);
  return others.filter(({ ref, state }) => state !== 'held' && !named.includes(ref));
}

/** Dropping a booking of unknown outcome, or one from an older copy, does not state that it is absent. */
function mayBeThere({ state, evidence }: Pick<Row, 'state' | 'evidence'>): boolean {
  if (state !== 'dropped') return true;
  const { sent_at, restored, absent } = fromJson<Evidence>(evidence) ?? {};
  return (sent_at !== undefined || restored === true) && absent !== true;
}

interface Row {
  ref: string;
  state: string;
  patient_name: string | null;
  phone_e164: string | null;
  received_at: string;
  evidence: string | null;
}

const atSlot = prepared<{ clinic: string; date: string; time: string; tail: string }, Row>(
  ['clinic', 'date', 'time', 'tail'],
  (db, { clinic, date, time, tail }) =>
    db
      .selectFrom('bookings')
      .select(['ref', 'state', 'patient_name', 'phone_e164', 'received_at', 'evidence'])
      .where('clinic', '=', clinic)
      .where('appointment_date', '=', date)
      .where('appointment_time', '=', time)
      .where(ending(db, 'phone_e164', PHONE_TAIL), '=', tail)
      .where('state', 'not in', ['rejected', 'expired']),
);
