import type { AppointmentStatus } from '../clinic/clinic.ts';
import type { Booking } from '../domain/booking.ts';
import { readDate, readTime } from '../domain/date-time.ts';
import { fold } from '../platform/fold.ts';

/** What we asked for beside what the clinic has. Of the clinic's name only whether it is the same one: it may be anybody's. */
export interface Comparison {
  appointment_id: number;
  asked: { name: string | null; date: string | null; time: string | null };
  clinic: { date: string | null; time: string | null; status: string };
  /** Null: the clinic does not say. */
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

/** The differences as stored and shown; no name in them. */
export function differences(comparison: Comparison): string[] {
  const { asked, clinic } = comparison;
  return [
    ...(comparison.name_matches !== false ? [] : ['The patient’s name at the clinic is another one.']),
    ...(comparison.date_matches !== false
      ? []
      : [`We asked for ${asked.date}; the clinic has ${clinic.date}.`]),
    ...(comparison.time_matches !== false
      ? []
      : [`We asked for ${asked.time}; the clinic has ${clinic.time}.`]),
  ];
}
