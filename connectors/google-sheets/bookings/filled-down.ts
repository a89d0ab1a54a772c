import { digitsOf } from '../../../src/domain/bookings/search-terms.ts';
import { fold } from '../../../src/platform/text/fold.ts';
import type { BookingRow } from './read-row.ts';

/** The fill handle counts in small steps. */
const LARGEST_STEP = 9;
/** At the end of a phone number, the same however it is written. */
const DIGITS = 8;

/**
 * Whether a row looks filled down from another: the same name, and a phone that counts up; or, when both were
 * ticked together, the same phone with a day or hour that counts up. Pure.
 */
export function isFilledDown(from: BookingRow, row: BookingRow, areTogether: boolean): boolean {
  const [upper, lower] = [from, row].map(({ fields }) => ({
    name: fold(String(fields.patient_name ?? '')),
    phone: Number(digitsOf(String(fields.patient_phone ?? '')).slice(-DIGITS)),
    at: Date.parse(`${fields.appointment_date}T${fields.appointment_time}Z`),
  }));
  if (upper === undefined || lower === undefined || upper.name !== lower.name) return false;
  const phoneStep = lower.phone - upper.phone;
  if (phoneStep > 0) return phoneStep <= LARGEST_STEP;
  return areTogether && phoneStep === 0 && lower.at > upper.at;
}
