import { bookingEntity } from '../../../domain/bookings/booking.ts';
import type { ChangedResource } from '../../../domain/clinics/change.ts';
import { namesWith } from '../../../domain/fields.ts';
import type { JsonObject } from '../../../platform/json.ts';
import { parseJson } from '../database.ts';

/**
 * Fields that stay when a person is erased: numbers and terms of the clinic and our own, and times. Lists what stays,
 * so that a field added later is erased by default.
 */
const kept: Partial<Record<ChangedResource, ReadonlySet<string>>> = {
  booking: new Set([
    ...namesWith(bookingEntity, ({ stays }) => stays),
    ...['booked_at', 'completed_at', 'retracted_at', 'fee', 'currency'],
  ]),
  lead: new Set([
    ...['ref', 'source', 'appointment_id', 'treatment_id', 'doctor_id', 'received_at', 'booked_at'],
    ...['completed_at', 'retracted_at', 'value', 'currency', 'outcome'],
  ]),
  appointment: new Set([
    ...['clinic', 'ref', 'appointment_id', 'status', 'date', 'time', 'status_changed_at', 'next_due_at'],
    ...['done', 'first_seen_at', 'changed_at', 'seen_at', 'removed_at'],
  ]),
};

/** Formats to check, because a visitor may have typed anything instead. */
const shapes: Record<string, RegExp> = {
  appointment_date: /^\d{4}-\d{2}-\d{2}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  appointment_time: /^\d{2}:\d{2}$/,
  time: /^\d{2}:\d{2}(:\d{2})?$/,
};

/** Resources of the change log that contain personal data. */
export type Personal = 'booking' | 'appointment' | 'lead';

export const isPersonal = (resource: ChangedResource): resource is Personal => kept[resource] !== undefined;

/** Whether this value of a personal resource stays when its person is erased. */
export function staysErased(resource: Personal, field: string, value: unknown): boolean {
  if (kept[resource]?.has(field) !== true) return false;
  const shape = shapes[field];
  return shape === undefined || (typeof value === 'string' && shape.test(value));
}

export function erasedFields(resource: Personal, fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => staysErased(resource, key, value)),
  );
}

/** Drops the hash of what was sent, which could be reversed by guessing, and the answer, which may quote it. */
export function erasedEvidence(stored: string | null): string | null {
  if (stored === null) return null;
  const { body_hash: _hash, answer: _answer, ...facts } = parseJson(stored);
  return JSON.stringify(facts);
}
