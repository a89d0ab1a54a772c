import type { BookingDoor } from '../../../src/connector.ts';
import type { Booking } from '../../../src/model/booking.ts';
import { Failure } from '../../../src/model/failure.ts';
import type { HandMadeDesk } from '../csv/kit.ts';

export interface FragileDesk extends HandMadeDesk {
  /** The next booking is taken, and the process dies before it hears of it. */
  dieOnce(): void;
}

/** A booking desk that merges nothing: whatever is handed over twice under another id is a second booking. */
export function newDesk(ledger: Booking[], now: () => string): FragileDesk {
  let dying = false;
  const notes: Record<string, string> = {};
  const bookings: Booking[] = [];
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const door: BookingDoor = {
    async accept(submission) {
      const { submission_id = null, fields, clinic = 'main', source } = submission;
      const known = bookings.find((one) => one.submission_id === submission_id);
      const booking: Booking = known ?? {
        ref: `CS-${String(ledger.length).padStart(6, '0')}`,
        clinic,
        source,
        submission_id,
        state: 'queued',
        reason: null,
        message: null,
        patient_name: text(fields.patient_name),
        patient_phone: text(fields.patient_phone),
        phone_e164: null,
        address: null,
        appointment_date: text(fields.appointment_date),
        appointment_time: text(fields.appointment_time),
        doctor_id: null,
        doctor: null,
        treatment_id: null,
        treatment: null,
        note: null,
        appointment_id: null,
        attempt: 0,
        not_before: null,
        sending_since: null,
        merged: 0,
        duplicate_of: null,
        evidence: null,
        received_at: now(),
        changed_at: now(),
      };
      if (!known) {
        bookings.push(booking);
        ledger.push(booking);
      }
      if (dying) {
        dying = false;
        throw new Failure({ kind: 'transient', message: 'The process was killed.' });
      }
      const { ref, state, reason, message, appointment_id, duplicate_of, changed_at } = booking;
      return { ref, state, reason, message, appointment_id, duplicate_of, changed_at, created: !known };
    },
    validate: async () => [],
    find: async () => undefined,
  };
  return {
    bookings,
    submissions: [],
    dieOnce() {
      dying = true;
    },
    door,
    move: (ref, change) =>
      void Object.assign(bookings.find((one) => one.ref === ref) ?? {}, change, { changed_at: now() }),
    memory: {
      get: async (key) => notes[key],
      async set(entries) {
        for (const [key, value] of Object.entries(entries)) {
          if (value === undefined) delete notes[key];
          else notes[key] = value;
        }
      },
      list: async (prefix) =>
        Object.fromEntries(Object.entries(notes).filter(([key]) => key.startsWith(prefix))),
    },
  };
}
