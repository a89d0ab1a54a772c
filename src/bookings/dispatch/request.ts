import type { Booking, BookingRequest } from '../../domain/bookings/booking.ts';
import { noteWithRef } from '../../domain/bookings/booking-ref.ts';

/**
 * The body of POST /appointments/book (specification 4.7). Undefined when a required field is missing, or when a
 * dentist or treatment has a name but no number: without the number the clinic would pick one itself.
 */
export function requestOf(booking: Booking): BookingRequest | undefined {
  const { patient_name, patient_phone, appointment_date, appointment_time } = booking;
  if (
    patient_name === null ||
    patient_phone === null ||
    appointment_date === null ||
    appointment_time === null
  )
    return undefined;
  if (booking.doctor !== null && booking.doctor_id === null) return undefined;
  if (booking.treatment !== null && booking.treatment_id === null) return undefined;
  return {
    patient_name,
    patient_phone,
    appointment_date,
    appointment_time,
    ...(booking.address === null ? {} : { address: booking.address }),
    ...(booking.doctor_id === null ? {} : { doctor_id: booking.doctor_id }),
    ...(booking.treatment_id === null ? {} : { treatment_id: booking.treatment_id }),
    note: noteWithRef(booking.ref, booking.note),
  };
}
