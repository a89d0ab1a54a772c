import type { ChangedResource } from './change.ts';
import type { JsonObject } from './json.ts';

/** Fields that are about a person, wherever they occur in bookings and appointments. */
export const patientFields = [
  'patient_name',
  'patient_phone',
  'phone_e164',
  'name',
  'phone',
  'address',
  'note',
  'raw',
] as const;

const isPatientField = new Set<string>(patientFields);

/** True when things of this resource carry patient data (an organization's own name and phone are not). */
export const isAboutPatients = (resource: ChangedResource): boolean =>
  resource === 'appointment' || resource === 'booking';

type Fields = Record<string, unknown>;

const isNumber = (value: unknown) => typeof value === 'number';
const isWritten = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);

/** What a visitor typed and nobody has made sense of may be anything, a name in the wrong box too. */
const understood: Record<string, (fields: Fields) => boolean> = {
  doctor: ({ doctor_id }) => isNumber(doctor_id),
  treatment: ({ treatment_id }) => isNumber(treatment_id),
  appointment_date: ({ appointment_date }) => isWritten(/^\d{4}-\d{2}-\d{2}$/)(appointment_date),
  appointment_time: ({ appointment_time }) => isWritten(/^\d{2}:\d{2}$/)(appointment_time),
};

/** The same fields without a person in them: theirs are gone, those that could hide one are null. */
export function withoutPatient<T extends JsonObject | Fields>(fields: T): T {
  const kept = Object.entries(fields).filter(([key]) => !isPatientField.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, understood[key]?.(fields) === false ? null : value]),
  ) as T;
}
