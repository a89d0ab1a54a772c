import type { Change } from '../domain/change.ts';
import { isAboutPatients } from '../domain/patient.ts';
import type { Json } from '../platform/json.ts';

const SHOWN = 3;
const LONGEST_VALUE = 40;

/** One change in a few words, without patient data: `Scaling: base_fee 120.00 → 130.00`. */
export function summaryOf({ type, resource, id, data, previous }: Change): string {
  const verb = type.slice(type.indexOf('.') + 1).replace('_', ' ');
  if (type === 'appointment.status_changed')
    return `appointment ${id}: ${text(previous?.status)} → ${text(data.status)}`;
  if (resource === 'booking' && previous?.state !== undefined)
    return `booking ${id}: ${text(previous.state)} → ${text(data.state)}`;
  if (resource === 'need' || resource === 'health') return `${resource} ${verb}: ${text(data.subject)}`;
  // Only field names for records about patients.
  if (isAboutPatients(resource)) {
    const fields = Object.keys(previous ?? {});
    return fields.length === 0
      ? `${resource} ${id} ${verb}`
      : `${resource} ${id} ${verb}: ${fields.join(', ')}`;
  }
  const name = text(data.treatment_name ?? data.doctor_name ?? resource);
  if (previous === null) return `${name} ${verb}`;
  const fields = Object.entries(previous);
  const shown = fields
    .slice(0, SHOWN)
    .map(([field, before]) => `${field} ${text(before)} → ${text(data[field])}`);
  const more = fields.length > SHOWN ? ` and ${fields.length - SHOWN} more` : '';
  return `${name}: ${shown.join(', ')}${more}`;
}

function text(value: Json | undefined): string {
  if (value === null || value === undefined) return '–';
  const whole = typeof value === 'object' ? '…' : String(value);
  return whole.length > LONGEST_VALUE ? `${whole.slice(0, LONGEST_VALUE)}…` : whole;
}
