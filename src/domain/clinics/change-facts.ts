import type { Json } from '../../platform/json.ts';
import { isAboutPatients } from '../patient.ts';
import type { Change } from './change.ts';

/** The facts of a change that may be sent in a message: no patient data. */
interface ChangeFacts {
  /** The name of a treatment or dentist; null for everything else. */
  name: string | null;
  /** The changed fields; for records about patients, values only of those that reveal nothing. */
  fields: { name: string; before?: string; after?: string }[];
}

const LONGEST_VALUE = 40;
/** Fields of records about patients that reveal nothing about the patient. */
const harmless = ['status', 'state'];

export function changeFacts({ resource, data, previous }: Change): ChangeFacts {
  const aboutPatients = isAboutPatients(resource);
  const name = aboutPatients ? null : (data.treatment_name ?? data.doctor_name ?? null);
  const fields = Object.entries(previous ?? {}).map(([field, before]) =>
    aboutPatients && !harmless.includes(field)
      ? { name: field }
      : { name: field, before: valueText(before), after: valueText(data[field]) },
  );
  return { name: name === null ? null : String(name), fields };
}

/** A value, shortened to a few characters. */
export function valueText(value: Json | undefined): string {
  if (value === null || value === undefined) return '–';
  const whole = typeof value === 'object' ? '…' : String(value);
  return whole.length > LONGEST_VALUE ? `${whole.slice(0, LONGEST_VALUE)}…` : whole;
}
