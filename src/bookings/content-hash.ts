import { hash } from 'node:crypto';
import type { BookingKind } from '../domain/bookings/booking.ts';
import { canonical, type Json } from '../platform/json.ts';
import { fold } from '../platform/text/fold.ts';
import type { BookingFields } from './intake/read-fields.ts';

export const hashOf = (value: Json): string => hash('sha256', canonical(value), 'hex');

/**
 * Equal for two submissions of one lead. Covers name, phone, date, time, dentist and treatment as submitted, not as
 * mapped, because the mirror may learn a name in between.
 */
export function contentHash(clinic: string, draft: BookingFields, e164: string | null): string {
  const { patient_name, patient_phone, appointment_date, appointment_time } = draft;
  return hashOf([
    clinic,
    fold(patient_name ?? ''),
    e164 ?? fold(patient_phone ?? ''),
    appointment_date,
    appointment_time,
    draft.doctor === null ? draft.doctor_id : fold(draft.doctor),
    draft.treatment === null ? draft.treatment_id : fold(draft.treatment),
  ]);
}

/**
 * Equal only for an identical resubmission: `contentHash` ignores note and address, and does not tell a booking from
 * its cancellation.
 */
export const submissionHash = (
  contentHash: string,
  { note, address }: BookingFields,
  kind: BookingKind,
): string =>
  hashOf([contentHash, fold(note ?? ''), fold(address ?? ''), ...(kind === 'booking' ? [] : [kind])]);
