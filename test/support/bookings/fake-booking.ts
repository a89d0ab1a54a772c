import type { AcceptedBooking, Memory } from '../../../src/connector.ts';
import type { Booking, Submission } from '../../../src/domain/bookings/booking.ts';
import { sampleBooking } from './sample-booking.ts';

const text = (value: unknown) => (value === undefined || value === null ? null : String(value));

/** What a booking desk made by hand makes of a submission: queued, or held with the problems of its connector. */
export function fakeBooking(
  { source, clinic, submission_id, fields, problems, ask }: Submission,
  { ref, at }: { ref: string; at: string },
): Booking {
  return sampleBooking({
    ref,
    clinic: clinic ?? 'main',
    source,
    submission_id: submission_id ?? null,
    state: problems || ask ? 'held' : 'queued',
    reason: problems ? 'mapping' : ask ? 'approval' : null,
    message: problems?.map(({ field, message }) => `${field} ${message}`).join('; ') ?? ask ?? null,
    patient_name: text(fields.patient_name),
    patient_phone: text(fields.patient_phone),
    phone_e164: null,
    address: text(fields.address),
    appointment_date: text(fields.appointment_date),
    appointment_time: text(fields.appointment_time),
    doctor_id: typeof fields.doctor_id === 'number' ? fields.doctor_id : null,
    doctor: text(fields.doctor),
    treatment_id: typeof fields.treatment_id === 'number' ? fields.treatment_id : null,
    treatment: text(fields.treatment),
    note: text(fields.note),
    attempt: 0,
    received_at: at,
    changed_at: at,
  });
}

export const answered = (booking: Booking, created: boolean): AcceptedBooking => {
  const { ref, state, reason, message, appointment_id, duplicate_of, changed_at } = booking;
  return { ref, state, reason, message, appointment_id, duplicate_of, changed_at, created, own: created };
};

/** A connector's notes; `save` after each change. */
export const notesIn = (notes: Record<string, string>, save = () => {}): Memory => ({
  get: async (key) => notes[key],
  async set(entries) {
    for (const [key, value] of Object.entries(entries)) {
      if (value === undefined) delete notes[key];
      else notes[key] = value;
    }
    save();
  },
  list: async (prefix) => Object.fromEntries(Object.entries(notes).filter(([key]) => key.startsWith(prefix))),
});
