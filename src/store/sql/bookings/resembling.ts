import { type RawBuilder, sql } from 'kysely';
import {
  CORRECTION_MS,
  type LeadIdentity,
  resembling,
  SAME_NAME_MS,
} from '../../../domain/bookings/resemblance.ts';
import { PHONE_TAIL } from '../../../domain/phone.ts';
import { instant, toMs } from '../../../platform/clock.ts';
import { fold } from '../../../platform/text/fold.ts';
import type { ResemblingBooking } from '../../ports/bookings.ts';
import type { Db } from '../database.ts';
import { ending, tableIn } from '../dialects.ts';
import { lookUp } from '../look-up.ts';
import { type StoredBookingRow, toBooking } from './booking-rows.ts';

interface Wanted {
  clinic: string;
  date: string;
  time: string;
  /** Empty if unknown. */
  phone: string;
  tail: string;
  /** Around its arrival: a day, and some minutes. */
  day_before: string;
  day_after: string;
  just_before: string;
  just_after: string;
}

/** The key of `rowsNear`; undefined without a date and time, since it can then resemble nothing. */
function wantedNear(lead: LeadIdentity): Wanted | undefined {
  const { clinic, phone_e164, appointment_date: date, appointment_time: time, received_at } = lead;
  if (date === null || time === null || phone_e164 === null) return undefined;
  const at = (ms: number) => instant(toMs(received_at) + ms);
  return {
    ...{ clinic, date, time, phone: phone_e164, tail: phone_e164.slice(-PHONE_TAIL) },
    ...{ day_before: at(-SAME_NAME_MS), day_after: at(SAME_NAME_MS) },
    ...{ just_before: at(-CORRECTION_MS), just_after: at(CORRECTION_MS) },
  };
}

/**
 * Bookings that a lead may resemble: for its date and time, or whose visit the clinic moved there, with the same
 * ending of the phone number or from the same day; and those of its phone number from the same minutes. `resembling`
 * selects those that do. One may be found several times.
 */
const near = <R>(columns: RawBuilder<unknown>) =>
  lookUp<Wanted, R & { at_slot: number }>(
    [
      ...(['clinic', 'date', 'time', 'phone', 'tail'] as const),
      ...(['day_before', 'day_after', 'just_before', 'just_after'] as const),
    ],
    (db) => {
      const bookings = sql`${tableIn(db, 'bookings')} as bookings`;
      const mayBe = sql`state not in ('rejected', 'expired') and (${ending(db, 'phone_e164', PHONE_TAIL)} = tail
        or (phone_e164 is not null and received_at between day_before and day_after))`;
      return sql`select ${columns}, 1 as at_slot from wanted cross join ${bookings}
      where bookings.clinic = wanted.clinic and appointment_date = wanted.date
        and appointment_time = wanted.time and ${mayBe}
    union all select ${columns}, 1 as at_slot
      from wanted cross join ${tableIn(db, 'appointments')} as visits cross join ${bookings}
      where visits.clinic = wanted.clinic and visits.date = wanted.date
        and visits.time in (wanted.time, wanted.time || ':00')
        and bookings.clinic = visits.clinic and bookings.appointment_id = visits.appointment_id and ${mayBe}
    union all select ${columns}, 0 as at_slot from wanted cross join ${bookings}
      where bookings.clinic = wanted.clinic and phone_e164 = wanted.phone
        and received_at between just_before and just_after and state not in ('rejected', 'expired')`;
    },
  );
const rowsNear = near<StoredBookingRow>(sql`bookings.*`);
type Named = Pick<StoredBookingRow, 'ref' | 'patient_name' | 'phone_e164'>;
const namedNear = near<Named>(sql`bookings.ref, patient_name, phone_e164`);

/** Only those that may resemble one of the leads, so that a flood for one time does not read all of itself. */
export async function refsNear(db: Db, leads: readonly LeadIdentity[]): Promise<Named[]> {
  const found = await namedNear(
    db,
    leads.flatMap((lead) => wantedNear(lead) ?? []),
  );
  if (found.length === 0) return found;
  const tailOf = ({ phone_e164 }: Pick<Named, 'phone_e164'>) => phone_e164?.slice(-PHONE_TAIL);
  const tails = new Set(leads.map(tailOf));
  const names = new Set(
    leads.flatMap(({ patient_name }) => (patient_name === null ? [] : fold(patient_name))),
  );
  return found.filter((row) => tails.has(tailOf(row)) || names.has(fold(row.patient_name ?? '')));
}

/** What `resembling` of the port promises. */
export async function findResembling(db: Db, lead: LeadIdentity): Promise<ResemblingBooking[]> {
  const wanted = wantedNear(lead);
  if (wanted === undefined) return [];
  const found = await rowsNear(db, [wanted]);
  const atSlot = new Set(found.flatMap(({ ref, at_slot }) => (at_slot === 1 ? ref : [])));
  const bookings = [...new Map(found.map(({ at_slot: _at, ...row }) => [row.ref, toBooking(row)])).values()];
  return resembling(lead, bookings, ({ ref }) => atSlot.has(ref)).map(({ booking, resembles }) => ({
    ...{ ref: booking.ref, state: booking.state, resembles },
    moved:
      resembles !== 'other_slot' &&
      (booking.appointment_date !== wanted.date || booking.appointment_time !== wanted.time),
  }));
}

/** Those neither held nor listed: a user must see them before this booking is sent too. */
export async function othersResembling(
  db: Db,
  booking: LeadIdentity & { ref: string },
  named: readonly string[],
): Promise<ResemblingBooking[]> {
  const others = (await findResembling(db, booking)).filter(({ ref }) => ref !== booking.ref);
  return others.filter(({ ref, state }) => state !== 'held' && !named.includes(ref));
}
