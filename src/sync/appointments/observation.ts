import type { AppointmentStatus } from '../../clinic/clinic.ts';
import type { NewChange } from '../../domain/clinics/change.ts';
import { isSameValue } from '../../domain/clinics/spelling.ts';
import type { Instant } from '../../platform/clock.ts';
import { type JsonObject, normalise } from '../../platform/json.ts';
import type { Observation, TrackedAppointment } from '../../store/ports/appointments.ts';
import { previousFields } from '../diff.ts';

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
  const changes: NewChange[] = [];
  const change = (type: NewChange['type'], previous: JsonObject) =>
    changes.push(changeOf(type, before, { status, name, date, time }, previous));
  if (before.status !== status) change('appointment.status_changed', { status: before.status });
  if (before.status === null) return changes;
  const former = { name: before.name, date: before.date, time: before.time };
  const others = previousFields(former, { name, date, time });
  const isBack = before.removed_at !== null;
  if (others || isBack)
    change('appointment.updated', { ...others, ...(isBack && { removed_at: before.removed_at }) });
  return changes;
}

/** The clinic no longer has it. */
export const missingChange = (before: TrackedAppointment, at: Instant): NewChange => {
  const { status, name, date, time } = before;
  const fields = { status, name, date, time, removed_at: at };
  return changeOf('appointment.missing', before, fields, { removed_at: null });
};

const changeOf = (
  type: NewChange['type'],
  { appointment_id, ref }: TrackedAppointment,
  fields: JsonObject,
  previous: JsonObject,
): NewChange => ({
  ...{ type, resource: 'appointment', id: String(appointment_id) },
  data: { appointment_id, ref, ...fields },
  previous,
});
