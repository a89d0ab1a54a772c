import type { AppointmentStatus } from '../../clinic/wire.ts';
import type { Booking } from '../../model/booking.ts';
import { fold } from '../../model/fold.ts';
import { readDate, readTime } from '../slot.ts';

/** What we asked for beside what the clinic has. Of the clinic's name only whether it is the same one: it may be anybody's. */
export interface Comparison {
  appointment_id: number;
  asked: { name: string | null; date: string | null; time: string | null };
  clinic: { date: string; time: string; status: string };
  name_matches: boolean;
  date_matches: boolean;
  time_matches: boolean;
}

export function compare(booking: Booking, appointment_id: number, seen: AppointmentStatus): Comparison {
  const date = readDate(seen.date) ?? seen.date;
  const time = readTime(seen.time) ?? seen.time;
  return {
    appointment_id,
    asked: {
      name: booking.patient_name,
      date: booking.appointment_date,
      time: booking.appointment_time,
    },
    clinic: { date, time, status: seen.status },
    name_matches: fold(seen.name) === fold(booking.patient_name ?? ''),
    date_matches: date === booking.appointment_date,
    time_matches: time === booking.appointment_time,
  };
}

export const isSame = ({ name_matches, date_matches, time_matches }: Comparison): boolean =>
  name_matches && date_matches && time_matches;

/** The differences as stored and shown; no name in them. */
export function differences(comparison: Comparison): string[] {
  const { asked, clinic } = comparison;
  return [
    ...(comparison.name_matches ? [] : ['The patient’s name at the clinic is another one.']),
    ...(comparison.date_matches ? [] : [`We asked for ${asked.date}; the clinic has ${clinic.date}.`]),
    ...(comparison.time_matches ? [] : [`We asked for ${asked.time}; the clinic has ${clinic.time}.`]),
  ];
}
