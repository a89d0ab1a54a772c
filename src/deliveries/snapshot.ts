import type { Change, ChangeType, NewChange } from '../model/change.ts';
import type { Instant } from '../model/clock.ts';
import type { JsonObject } from '../model/json.ts';
import { type ListPoll, resourceOf } from '../model/resource.ts';
import type { Store } from '../store/store.ts';

const types: Record<ListPoll, ChangeType> = {
  organization: 'organization.updated',
  website: 'website.updated',
  treatments: 'treatment.created',
  dentists: 'dentist.created',
};

/**
 * Everything the clinic has now, as the changes that would bring an empty receiver here, all at one sequence. Bookings
 * are not in it: they are requests of the past, and a receiver may act on them (write to the patient).
 */
export async function snapshot(
  store: Store,
  { clinic, sequence, at }: { clinic: string; sequence: number; at: Instant },
): Promise<Change[]> {
  const changes: NewChange[] = [];
  for (const poll of Object.keys(types) as ListPoll[]) {
    const ids = [...(await store.mirror.hashes(clinic, poll)).keys()];
    const things = await store.mirror.things(clinic, poll, ids);
    for (const { id, fields } of things.values())
      changes.push({ type: types[poll], resource: resourceOf[poll], id, data: fields, previous: null });
  }
  for (const { appointment_id, status, name, date, time, ref } of await store.appointments.list(clinic)) {
    const data: JsonObject = { appointment_id, status, name, date, time, ref };
    const id = String(appointment_id);
    changes.push({ type: 'appointment.tracked', resource: 'appointment', id, data, previous: null });
  }
  return changes.map((change) => ({ ...change, clinic, sequence, at }));
}
