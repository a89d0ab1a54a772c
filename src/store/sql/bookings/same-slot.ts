import { type RawBuilder, sql } from 'kysely';
import type { Booking, BookingState, Evidence } from '../../../domain/booking.ts';
import { isSamePhone, PHONE_TAIL } from '../../../domain/phone.ts';
import type { SameSlot } from '../../ports/bookings.ts';
import { type Db, fromJson } from '../database.ts';
import { ending, tableIn } from '../dialects.ts';
import { lookUp } from '../look-up.ts';
import type { BookingRow } from './booking-rows.ts';

export type Slot = Pick<Booking, 'clinic' | 'phone_e164' | 'appointment_date' | 'appointment_time'>;

interface WantedSlot {
  clinic: string;
  date: string;
  time: string;
  tail: string;
}

/** The key of `rowsAtSlot`; undefined if a part is missing, since nothing can then be at the same slot. */
export function wantedSlot(slot: Slot): WantedSlot | undefined {
  const { clinic, phone_e164: phone, appointment_date: date, appointment_time: time } = slot;
  if (phone === null || date === null || time === null) return undefined;
  return { clinic, date, time, tail: phone.slice(-PHONE_TAIL) };
}

/**
 * Bookings for these dates and times, or whose visit the clinic moved there, whose phone numbers have the same ending;
 * `besides` selects those that matter. A visit that stands as asked for is found twice.
 */
const atSlot = <R>(columns: RawBuilder<unknown>) =>
  lookUp<WantedSlot, R>(['clinic', 'date', 'time', 'tail'], (db) => {
    const bookings = sql`${tableIn(db, 'bookings')} as bookings`;
    const hasPhone = sql`${ending(db, 'phone_e164', PHONE_TAIL)} = tail and state not in ('rejected', 'expired')`;
    return sql`select ${columns} from wanted cross join ${bookings}
      where bookings.clinic = wanted.clinic and appointment_date = wanted.date
        and appointment_time = wanted.time and ${hasPhone}
    union all select ${columns} from wanted cross join ${tableIn(db, 'appointments')} as visits cross join ${bookings}
      where visits.clinic = wanted.clinic and visits.date = wanted.date
        and visits.time in (wanted.time, wanted.time || ':00')
        and bookings.clinic = visits.clinic and bookings.appointment_id = visits.appointment_id and ${hasPhone}`;
  });
const rowsAtSlot = atSlot<BookingRow>(sql`bookings.*`);
export const refsAtSlot = atSlot<Pick<BookingRow, 'ref'>>(sql`bookings.ref`);

/** Those that are or may become an appointment for this phone, earliest first. */
export const besides = (phone: string, rows: readonly BookingRow[]): BookingRow[] =>
  rows
    .filter((row) => isSamePhone(row.phone_e164 ?? '', phone) && mayBeThere(row))
    .sort((a, b) => (a.received_at < b.received_at ? -1 : a.received_at > b.received_at ? 1 : 0));

/** Bookings that are or may become an appointment for this phone at this time, earliest first. */
export async function sameSlot(db: Db, slot: Slot): Promise<SameSlot[]> {
  const wanted = wantedSlot(slot);
  if (wanted === undefined) return [];
  const found = new Map((await rowsAtSlot(db, [wanted])).map((row) => [row.ref, row]));
  return besides(slot.phone_e164 ?? '', [...found.values()]).map((row) => ({
    ref: row.ref,
    state: row.state as BookingState,
    moved: row.appointment_date !== wanted.date || row.appointment_time !== wanted.time,
  }));
}

/** Those neither held nor listed: a user must see them before this booking is sent too. */
export async function othersAtSlot(
  db: Db,
  booking: Slot & { ref: string },
  named: readonly string[],
): Promise<SameSlot[]> {
  const others = (await sameSlot(db, booking)).filter(({ ref }) => ref !== booking.ref);
  return others.filter(({ ref, state }) => state !== 'held' && !named.includes(ref));
}

/** Dropping a booking of unknown outcome, or one from an older copy, does not state that it is absent. */
function mayBeThere({ state, evidence }: Pick<BookingRow, 'state' | 'evidence'>): boolean {
  if (state === 'rejected' || state === 'expired') return false;
  if (state !== 'dropped') return true;
  const { sent_at, restored, absent } = fromJson<Evidence>(evidence) ?? {};
  return (sent_at !== undefined || restored === true) && absent !== true;
}
