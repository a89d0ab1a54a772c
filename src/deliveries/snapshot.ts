import type { Change, ChangeType, NewChange } from '../domain/clinics/change.ts';
import { type ListPoll, resourceOf } from '../domain/clinics/resource.ts';
import type { Row } from '../domain/clinics/tables.ts';
import type { Instant } from '../platform/clock.ts';
import type { JsonObject } from '../platform/json.ts';
import type { Store } from '../store/store.ts';

const types: Record<ListPoll, ChangeType> = {
  organization: 'organization.updated',
  website: 'website.updated',
  treatments: 'treatment.created',
  dentists: 'dentist.created',
};

const PORTION = 500;

/**
 * All of the clinic's present records as changes of one sequence, in portions, because many years of appointments do
 * not fit in memory. Without bookings: a receiver might act on them again, for example write to the patient.
 */
export async function* snapshot(
  store: Store,
  { clinic, sequence, at }: { clinic: string; sequence: number; at: Instant },
): AsyncGenerator<Change[]> {
  const placed = (changes: readonly NewChange[]) =>
    changes.map((change): Change => ({ ...change, clinic, sequence, at, snapshot: true }));
  for (const poll of Object.keys(types) as ListPoll[]) {
    const ids = [...(await store.mirror.hashes(clinic, poll)).keys()];
    const things = await store.mirror.records(clinic, poll, ids);
    yield placed(
      [...things.values()].map(({ id, fields }) => ({
        ...{ type: types[poll], resource: resourceOf[poll] },
        ...{ id, data: fields, previous: null },
      })),
    );
  }
  for (let last: Row | undefined; ; ) {
    const rows = await store.mirror.page('appointments', clinic, PORTION, last);
    yield placed(rows.map(followed));
    last = rows.at(-1);
    if (rows.length < PORTION) return;
  }
}

function followed(row: Row): NewChange {
  const { appointment_id = null, status = null, name = null, date = null, time = null, ref = null } = row;
  const data: JsonObject = { appointment_id, status, name, date, time, ref };
  const id = String(appointment_id);
  return { type: 'appointment.tracked', resource: 'appointment', id, data, previous: null };
}
