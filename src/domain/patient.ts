import type { JsonObject } from '../platform/json.ts';
import { fold } from '../platform/text/fold.ts';
import { bookingEntity } from './bookings/booking.ts';
import type { ChangedResource } from './clinics/change.ts';
import { namesWith } from './fields.ts';

/** Fields about a person: a booking's, and an appointment's by the API's names. */
export const patientFields = [
  ...namesWith(bookingEntity, ({ from }) => from === 'patient'),
  ...['name', 'phone', 'raw'],
];

const isPatientField = new Set(patientFields);

/** Whether this resource contains patient data; an organization's own name and phone number are not. */
export const isAboutPatients = (resource: ChangedResource): resource is 'appointment' | 'booking' =>
  resource === 'appointment' || resource === 'booking';

type Fields = Record<string, unknown>;

/** Whether this text is the name of a dentist or treatment at the clinic. */
export type MirrorNames = (kind: 'doctor' | 'treatment', text: string) => boolean;

/** The names in a clinic's `dentists` and `treatments`, including removed ones; ignores case and spaces. */
export function mirrorNames(mirror: {
  dentists: readonly Fields[];
  treatments: readonly Fields[];
}): MirrorNames {
  const folded = (rows: readonly Fields[], column: string) =>
    new Set(rows.map((row) => fold(String(row[column] ?? ''))));
  const names = {
    doctor: folded(mirror.dentists, 'doctor_name'),
    treatment: folded(mirror.treatments, 'treatment_name'),
  };
  return (kind, text) => names[kind].has(fold(text));
}

const isWritten = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value);

/**
 * Visitors can type anything here, even a name or an illness in the wrong field, so the text is shown only if it is a
 * name from the mirror, with or without a number.
 */
const understood: Record<string, (value: unknown, isName: MirrorNames) => boolean> = {
  doctor: (value, isName) => typeof value === 'string' && isName('doctor', value),
  treatment: (value, isName) => typeof value === 'string' && isName('treatment', value),
  appointment_date: (value) => isWritten(value, /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
  appointment_time: (value) => isWritten(value, /^([01]\d|2[0-3]):[0-5]\d$/),
  submission_id: () => false,
};

/**
 * The fields without patient data: `patientFields` are removed, and free text that could identify a person becomes
 * null. Without `isName`, names of dentists and treatments count as free text.
 */
export function withoutPatient<T extends JsonObject | Fields>(
  fields: T,
  isName: MirrorNames = () => false,
): T {
  const kept = Object.entries(fields).filter(([key]) => !isPatientField.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, understood[key]?.(value, isName) === false ? null : value]),
  ) as T;
}
