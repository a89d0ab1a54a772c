import { digitsOf } from '../../../src/domain/search-terms.ts';
import { fold } from '../../../src/platform/fold.ts';
import type { BookingRow } from './read-row.ts';

/** The fill handle counts in small steps. */
const LARGEST_STEP = 9;
/** As many as a number holds exactly. */
const DIGITS = 15;

/**
 * Whether a row looks filled down from the one above it: the same name, and a phone that counts up; or, when both were
 * ticked together, the same phone with a day or hour that counts up. Pure.
 */
export function isFilledDown(above: BookingRow, row: BookingRow, areTogether: boolean): boolean {
  const [upper, lower] = [above, row].map(({ fields }) => ({
    name: fold(String(fields.patient_name ?? '')),
    phone: digitsOf(String(fields.patient_phone ?? '')),
    at: Date.parse(`${fields.appointment_date}T${fields.appointment_time}Z`),
  }));
  if (upper === undefined || lower === undefined || upper.name !== lower.name) return false;
  const phoneStep = stepOf(upper.phone, lower.phone);
  if (phoneStep > 0) return phoneStep <= LARGEST_STEP;
  return areTogether && phoneStep === 0 && lower.at > upper.at;
}

/** NaN for numbers that are not neighbours. */
function stepOf(upper: string, lower: string): number {
  if (upper === lower) return 0;
  const isAlike = upper.length === lower.length && upper.slice(0, -DIGITS) === lower.slice(0, -DIGITS);
  return isAlike ? Number(lower.slice(-DIGITS)) - Number(upper.slice(-DIGITS)) : Number.NaN;
}
