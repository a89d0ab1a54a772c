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

/** The same fields without a person in them. */
export function withoutPatient<T extends JsonObject | Record<string, unknown>>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !isPatientField.has(key))) as T;
}
