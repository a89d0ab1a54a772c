import type { AppointmentStatus } from '../clinic/clinic.ts';
import type { Booking, ClinicShows } from '../domain/bookings/booking.ts';
import { readDate, readTime } from '../domain/date-time.ts';
import { fold, foldName } from '../platform/text/fold.ts';

/** The request beside the clinic's record. The name is reduced to match or no match: it may be another patient's. */
export interface Comparison {
  appointment_id: number;
  asked: { name: string | null; date: string | null; time: string | null };
  clinic: { date: string | null; time: string | null; status: string };
  /** Null: not in the clinic's record. */
  name_matches: boolean | null;
  date_matches: boolean | null;
  time_matches: boolean | null;
}

export function compare(booking: Booking, appointment_id: number, seen: AppointmentStatus): Comparison {
  const date = seen.date === null ? null : (readDate(seen.date) ?? seen.date);
  const time = seen.time === null ? null : (readTime(seen.time) ?? seen.time);
  return {
    appointment_id,
    asked: {
      name: booking.patient_name,
      date: booking.appointment_date,
      time: booking.appointment_time,
    },
    clinic: { date, time, status: seen.status },
    name_matches: seen.name === null ? null : fold(seen.name) === fold(booking.patient_name ?? ''),
    date_matches: date === null ? null : date === booking.appointment_date,
    time_matches: time === null ? null : time === booking.appointment_time,
  };
}

export const isSame = ({ name_matches, date_matches, time_matches }: Comparison): boolean =>
  name_matches === true && date_matches === true && time_matches === true;

/** True if the name or the slot agrees, or is missing at the clinic: the front desk may have changed the other. */
export const mayBeSame = ({ name_matches, date_matches, time_matches }: Comparison): boolean =>
  name_matches !== false || (date_matches !== false && time_matches !== false);

/** True if surely another person's: another slot and no word of the name. The front desk may have changed both. */
export function isOther(booking: Booking, appointment_id: number, seen: AppointmentStatus): boolean {
  const words = new Set(foldName(booking.patient_name ?? '').split(' '));
  return (
    !mayBeSame(compare(booking, appointment_id, seen)) &&
    !foldName(seen.name ?? '')
      .split(' ')
      .some((word) => words.has(word))
  );
}

/** Fields of the booking missing from the clinic's record. */
export function leftOut({ name_matches, date_matches, time_matches }: Comparison): string[] {
  const compared = {
    patient_name: name_matches,
    appointment_date: date_matches,
    appointment_time: time_matches,
  };
  return Object.entries(compared).flatMap(([field, matches]) => (matches === null ? field : []));
}

/** The clinic's side as stored with the differences, without the name. */
export const shows = ({ clinic: { date, time }, name_matches }: Comparison): ClinicShows => ({
  ...{ date, time, name_matches },
});

/** The differences as stored and shown, without the name. */
export function differences(comparison: Comparison): string[] {
  const { asked, clinic, name_matches, date_matches, time_matches } = comparison;
  const differs: string[] = [];
  if (name_matches === false) differs.push('The patient’s name at the clinic is different.');
  if (date_matches === false) differs.push(`We asked for ${asked.date}; the clinic has ${clinic.date}.`);
  if (time_matches === false) differs.push(`We asked for ${asked.time}; the clinic has ${clinic.time}.`);
  return differs;
}
