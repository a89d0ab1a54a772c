import type { Booking, BookingRequest } from '../model/booking.ts';
import { noteWithRef } from '../model/booking-ref.ts';
import { Failure } from '../model/failure.ts';

/** The body of POST /appointments/book (specification 4.7). Throws `Failure` refused when a required field is missing. */
export function requestOf(booking: Booking): BookingRequest {
  const { patient_name, patient_phone, appointment_date, appointment_time } = booking;
  if (
    patient_name === null ||
    patient_phone === null ||
    appointment_date === null ||
    appointment_time === null
  )
    throw new Failure({ kind: 'refused', message: `Booking ${booking.ref} is not complete.` });
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
