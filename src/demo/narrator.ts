import type { Change } from '../domain/clinics/change.ts';
import type { Json } from '../platform/json.ts';

/** A change as one readable sentence. Pure. */
export function changeSentenceOf({ type, resource, id, data, previous }: Change, currency: string): string {
  // An appointment's `name` is the patient's.
  const own = resource === 'appointment' ? `${id}` : data.name;
  const name = textOf(data.treatment_name ?? data.doctor_name ?? own);
  if (type === 'treatment.updated' && previous?.base_fee !== undefined) {
    return `${name}: fee ${currency}${textOf(previous.base_fee)} → ${currency}${textOf(data.base_fee)}`;
  }
  if (type === 'appointment.tracked') return `appointment ${id} is followed from now on`;
  if (type === 'appointment.status_changed') {
    const before = previous?.status;
    return (
      `appointment ${id}: ` +
      `${before === null || before === undefined ? 'is' : `${textOf(before)} →`} ` +
      `${textOf(data.status)}`
    );
  }
  if (type.startsWith('booking.')) {
    const where = data.appointment_id ? ` as appointment ${textOf(data.appointment_id)}` : '';
    return `booking ${id} ${type.slice('booking.'.length)}${where}`;
  }
  const fields = Object.keys(previous ?? {});
  const what = type.replace('.', ' ');
  return `${what}${name ? `: ${name}` : ''}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`;
}

const textOf = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : String(value);
