import type { AppointmentStatus } from '../clinic/wire.ts';
import type { NewChange } from '../model/change.ts';
import { type JsonObject, normalise } from '../model/json.ts';
import type { Observation, TrackedAppointment } from '../store/store.ts';
import { previousFields } from './diff.ts';

export type Sighting = NonNullable<Observation['seen']>;

/** A status answer as it is stored: the specified fields, and all of it in `raw`. */
export function sightingOf(answer: AppointmentStatus): Sighting {
  const raw = normalise(answer as JsonObject);
  const { status, name, date, time } = raw as AppointmentStatus;
  return { status, name, date, time, raw };
}

/** The first reading is one `updated` without previous; later the status and everything else change apart. */
export function changesOfSighting(before: TrackedAppointment, seen: Sighting): NewChange[] {
  const { status, name, date, time } = seen;
  const change = (type: NewChange['type'], previous: JsonObject | null): NewChange => ({
    type,
    resource: 'appointment',
    id: String(before.appointment_id),
    data: { appointment_id: before.appointment_id, ref: before.ref, status, name, date, time },
    previous,
  });
  if (before.status === null) return [change('appointment.updated', null)];

  const changes: NewChange[] = [];
  if (before.status !== status) changes.push(change('appointment.status_changed', { status: before.status }));
  const others = previousFields(
    { name: before.name, date: before.date, time: before.time },
    { name, date, time },
  );
  if (others) changes.push(change('appointment.updated', others));
  return changes;
}
