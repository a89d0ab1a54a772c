import type { Booking, NumberField } from '../../domain/bookings/booking.ts';
import { fold } from '../../platform/text/fold.ts';
import { moveAsDaemon } from '../booking-parts.ts';
import { type Mapped, mapChoice } from '../intake/mapping.ts';
import type { Fault } from '../intake/read-fields.ts';
import { heldMessage } from '../messages.ts';
import type { Dispatch } from './dispatch.ts';

const lists = {
  doctor: { facts: 'dentists', resource: 'dentist', name: 'doctor_name' },
  treatment: { facts: 'treatments', resource: 'treatment', name: 'treatment_name' },
} as const;
type Kind = keyof typeof lists;

/**
 * Catches bookings that were mapped before the clinic renumbered its list. What has a name gets the number that the
 * name has now; a number without a name is asked about once it has another name. Both, so that nothing is sent under a
 * number that means something else by now.
 */
export async function isRenumbered(d: Dispatch, booking: Booking): Promise<boolean> {
  const edit: Partial<Record<NumberField, number>> = {};
  const faults: Fault[] = [];
  for (const kind of ['doctor', 'treatment'] as const) {
    const id = booking[`${kind}_id`];
    if (id === null) continue;
    const mapped = await mappedNow(d, kind, booking);
    if (mapped.kind === 'fault') faults.push(mapped.fault);
    else if (mapped.kind === 'id' && mapped.id !== id) edit[`${kind}_id`] = mapped.id;
  }
  const as_of = booking.changed_at;
  if (faults.length > 0)
    await moveAsDaemon(d, booking, {
      ...{ to: 'held', as_of, reason: 'mapping', message: heldMessage('mapping', faults) },
    });
  else if (Object.keys(edit).length > 0) await moveAsDaemon(d, booking, { to: 'queued', as_of, edit });
  else return false;
  return true;
}

async function mappedNow(d: Dispatch, kind: Kind, booking: Booking): Promise<Mapped> {
  const { [kind]: name, [`${kind}_id` as const]: id } = booking;
  const candidates = (await d.facts.of(d.settings))[lists[kind].facts];
  const mapped = mapChoice(kind, { id, name }, candidates);
  if (mapped.kind !== 'fault' && name === null && id !== null && (await isRenamed(d, kind, booking)))
    return { kind: 'fault', fault: { field: `${kind}_id`, message: renamed(kind, id), reason: 'mapping' } };
  return mapped.kind === 'fault' && name !== null ? mapChoice(kind, { id: null, name }, candidates) : mapped;
}

/** Whether the number has another name than when it was sent or a person last decided about the booking. */
async function isRenamed({ store, key }: Dispatch, kind: Kind, booking: Booking): Promise<boolean> {
  const { resource, name } = lists[kind];
  const nameIn = (change: { data: unknown } | undefined) => {
    const { [name]: value }: Record<string, unknown> = Object(change?.data);
    return typeof value === 'string' ? fold(value) : undefined;
  };
  const history = await store.changes.history(key, resource, String(booking[`${kind}_id`]));
  const latest = nameIn(history.at(-1));
  if (history.every((change) => nameIn(change) === latest)) return false;
  const events = await store.bookings.events(booking.ref);
  const since = events.findLast(({ actor }) => actor === 'person')?.at ?? booking.received_at;
  const former = nameIn(history.findLast(({ at }) => at <= since));
  return former !== undefined && former !== latest;
}

const renamed = (kind: Kind, id: number): string =>
  `The clinic has given the number ${id} to another ${lists[kind].resource} since this booking came.`;
