import { digitsOf } from '../../../src/domain/bookings/search-terms.ts';
import { fold } from '../../../src/platform/text/fold.ts';
import type { BookingRow } from './read-row.ts';

/** The fill handle counts in small steps. */
const LARGEST_STEP = 9;
/** At the end of a phone number, the same however it is written. */
const DIGITS = 8;

/**
 * Whether a row looks filled down from another: the same name, and a phone that counts up; or, when both were
 * ticked together, the same phone with a day or hour that counts up. A number at the end of a name counts along. Pure.
 */
export function isFilledDown(from: BookingRow, row: BookingRow, areTogether: boolean): boolean {
  const [upper, lower] = [from, row].map((one) => ({
    stem: ladderStemOf(one),
    count: Number(nameOf(one).slice(ladderStemOf(one).length)),
    phone: Number(digitsOf(String(one.fields.patient_phone ?? '')).slice(-DIGITS)),
    at: Date.parse(`${one.fields.appointment_date}T${one.fields.appointment_time}Z`),
  }));
  if (upper === undefined || lower === undefined || upper.stem !== lower.stem) return false;
  const phoneStep = lower.phone - upper.phone;
  const nameStep = lower.count - upper.count;
  if (nameStep !== 0 && nameStep !== phoneStep) return false;
  if (phoneStep > 0) return phoneStep <= LARGEST_STEP;
  return areTogether && phoneStep === 0 && lower.at > upper.at;
}

const nameOf = ({ fields }: BookingRow): string => fold(String(fields.patient_name ?? ''));

/** The name without a number at its end. */
export const ladderStemOf = (row: BookingRow): string => nameOf(row).replace(/\d{1,9}$/, '');
