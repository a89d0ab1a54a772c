import { fold } from '../../platform/text/fold.ts';
import { isSamePhone } from '../phone.ts';
import type { Booking } from './booking.ts';

/** What a visitor submits. */
type Content = Pick<
  Booking,
  | 'clinic'
  | 'patient_name'
  | 'patient_phone'
  | 'phone_e164'
  | 'appointment_date'
  | 'appointment_time'
  | 'doctor'
  | 'doctor_id'
  | 'treatment'
  | 'treatment_id'
  | 'address'
  | 'note'
> & { kind: string };

const words: Record<string, string> = {
  patient_name: 'name',
  patient_phone: 'phone number',
  appointment_date: 'date',
  appointment_time: 'time',
  doctor: 'dentist',
  doctor_id: 'dentist’s number',
  treatment: 'treatment',
  treatment_id: 'treatment’s number',
};

/** Field names for display: `name, date and time`. */
export function fieldWords(fields: readonly string[]): string {
  const named = fields.map((field) => words[field] ?? field);
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

/** The fields in which two leads differ, ignoring case, spaces and the format of phone numbers. */
export function differingFields(one: Content, other: Content): string[] {
  const differs: Record<string, boolean> = {
    clinic: one.clinic !== other.clinic,
    kind: one.kind !== other.kind,
    patient_name: fold(one.patient_name ?? '') !== fold(other.patient_name ?? ''),
    patient_phone: !samePhone(one, other),
    appointment_date: one.appointment_date !== other.appointment_date,
    appointment_time: one.appointment_time !== other.appointment_time,
    doctor: !sameChoice([one.doctor, one.doctor_id], [other.doctor, other.doctor_id]),
    treatment: !sameChoice([one.treatment, one.treatment_id], [other.treatment, other.treatment_id]),
    address: fold(one.address ?? '') !== fold(other.address ?? ''),
    note: fold(one.note ?? '') !== fold(other.note ?? ''),
  };
  return Object.keys(differs).filter((field) => differs[field]);
}

/** What a repetition says beyond the first: a dentist, treatment, note or address that the first lacks. */
export function newFields(first: Content, again: Content): string[] {
  const isSaid = (field: string) =>
    field === 'doctor' || field === 'treatment'
      ? again[field] !== null || again[`${field}_id`] !== null
      : (field === 'note' || field === 'address') && again[field] !== null;
  return differingFields(first, again).filter(isSaid);
}

/** The same lead twice: one that is merged if it comes within a day, and says nothing beyond the first. */
export const isRepetition = (first: Content, again: Content): boolean =>
  first.patient_name !== null &&
  first.phone_e164 !== null &&
  differingFields(first, again).every((field) => mayBeLeftOut.has(field)) &&
  newFields(first, again).length === 0;

const mayBeLeftOut: ReadonlySet<string> = new Set(['doctor', 'treatment', 'address', 'note']);

function samePhone(one: Content, other: Content): boolean {
  if (one.phone_e164 !== null && other.phone_e164 !== null)
    return isSamePhone(one.phone_e164, other.phone_e164);
  return fold(one.patient_phone ?? '') === fold(other.patient_phone ?? '');
}

type Choice = readonly [name: string | null, id: number | null];

/** Compares names where both have one, because the number may have been mapped in between. */
function sameChoice([name, id]: Choice, [otherName, otherId]: Choice): boolean {
  if (name !== null && otherName !== null) return fold(name) === fold(otherName);
  return id === otherId && (id !== null || name === otherName);
}

/** The hash of what was sent, of a stored hash. */
export const sentHash = (stored: string): string => stored.replace(/#\d+$/, '');

/** A content is stored under its hash, and numbered when it comes again after it was dropped for another. */
export function storedHash(sent: string, before: readonly (string | null)[]): string {
  const numbers = before.map((stored) => Number(/#(\d+)$/.exec(stored ?? '')?.[1] ?? 1));
  return numbers.length === 0 ? sent : `${sent}#${Math.max(...numbers) + 1}`;
}
