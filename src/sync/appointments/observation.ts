import type { AppointmentStatus } from '../../clinic/clinic.ts';
import type { NewChange } from '../../domain/change.ts';
import { type JsonObject, normalise } from '../../platform/json.ts';
import type { Observation, TrackedAppointment } from '../../store/ports/appointments.ts';
import { previousFields } from '../diff.ts';
import { isSameValue } from '../spelling.ts';

type ObservedStatus = NonNullable<Observation['seen']>;

/**
 * A status answer in its stored form: the specified fields, and the whole answer in `raw`. Fields missing from the
 * answer keep their value from an earlier answer or from the booking.
 */
export function observedIn(answer: AppointmentStatus, before: TrackedAppointment): ObservedStatus {
  const { status, name, date, time, raw } = normalise(answer as unknown as JsonObject) as AppointmentStatus &
    JsonObject;
  const isKnown = time === null || (before.time !== null && isSameValue('time', before.time, time));
  return {
    status,
    name: name ?? before.name,
    date: date ?? before.date,
    time: isKnown ? before.time : time,
    raw,
  };
}

/**
 * The first reading changes the status from null. Other fields that differ are a second change, except on a first
 * reading, which has nothing to compare with.
 */
export function changesOfObservation(before: TrackedAppointment, seen: ObservedStatus): NewChange[] {
  const { status, name, date, time } = seen;
  const change = (type: NewChange['type'], previous: JsonObject | null): NewChange => ({
    type,
    resource: 'appointment',
    id: String(before.appointment_id),
    data: { appointment_id: before.appointment_id, ref: before.ref, status, name, date, time },
    previous,
  });
  const changes: NewChange[] = [];
  if (before.status !== status) changes.push(change('appointment.status_changed', { status: before.status }));
  const others =
    before.status !== null &&
    previousFields({ name: before.name, date: before.date, time: before.time }, { name, date, time });
  if (others) changes.push(change('appointment.updated', others));
  return changes;
}
