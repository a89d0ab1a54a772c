import type { Change, ChangeType } from '../../src/domain/clinics/change.ts';
import type { Json, JsonObject } from '../../src/platform/json.ts';

/** `*` matches any run of characters; all other characters match themselves. */
export function typeMatcher(pattern: string): (type: ChangeType) => boolean {
  const source = pattern.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*');
  const whole = new RegExp(`^${source}$`);
  return (type) => whole.test(type);
}

export type Conditions = Record<
  string,
  string | number | boolean | null | readonly (string | number | boolean | null)[]
>;

/** Compares as text, so that `treatment_id: 7` and `treatment_id: "7"` mean the same; a missing field is null. */
export function meets(data: JsonObject, where: Conditions): boolean {
  return Object.entries(where).every(([field, wanted]) => {
    const value = String(data[field] ?? null);
    return (Array.isArray(wanted) ? wanted : [wanted]).some((one) => String(one) === value);
  });
}

/** The API's name for the id of each resource; bookings are known by their ref. */
const idFields: Record<Change['resource'], string | undefined> = {
  organization: undefined,
  website: undefined,
  treatment: 'treatment_id',
  dentist: 'doctor_id',
  appointment: 'appointment_id',
  booking: 'ref',
  health: 'subject',
  need: 'subject',
  lead: 'ref',
};

function onlyId({ resource, id, data }: Change): JsonObject {
  const field = idFields[resource];
  if (field === undefined) return {};
  const value: Json = data[field] ?? id;
  return { [field]: value };
}

/** The body, rendered once: these exact bytes are signed, stored and resent. */
export function eventBody(change: Change, thin: boolean): string {
  const { type, at, clinic, sequence, snapshot, data, previous } = change;
  // An event without a clinic is in no clinic's log.
  const place = clinic === '' ? { clinic: null } : { clinic, sequence };
  return JSON.stringify({
    type,
    timestamp: at,
    ...place,
    ...(snapshot && { snapshot }),
    data: thin ? onlyId(change) : data,
    previous: thin ? null : previous,
  });
}
