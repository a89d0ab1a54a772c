import type { Json } from '../platform/json.ts';
import type { Change } from './change.ts';
import { isAboutPatients } from './patient.ts';

/** What may be told of a change: no patient data. */
export interface ChangeFacts {
  /** What a treatment or a dentist is called; null for everything else. */
  name: string | null;
  /** The changed fields; of records about patients only their names, and states. */
  fields: { name: string; before?: string; after?: string }[];
}

const LONGEST_VALUE = 40;
/** Fields of records about patients that say nothing about a patient. */
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

/** A value in a few characters. */
export function valueText(value: Json | undefined): string {
  if (value === null || value === undefined) return '–';
  const whole = typeof value === 'object' ? '…' : String(value);
  return whole.length > LONGEST_VALUE ? `${whole.slice(0, LONGEST_VALUE)}…` : whole;
}
