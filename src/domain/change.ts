import type { Instant } from '../platform/clock.ts';
import type { JsonObject } from '../platform/json.ts';

export const changeTypes = [
  'organization.updated',
  'website.updated',
  'treatment.created',
  'treatment.updated',
  'treatment.removed',
  'dentist.created',
  'dentist.updated',
  'dentist.removed',
  'appointment.tracked',
  'appointment.status_changed',
  'appointment.updated',
  'booking.received',
  'booking.held',
  'booking.queued',
  'booking.booked',
  'booking.rejected',
  'booking.unknown',
  'booking.expired',
  'booking.dropped',
] as const;
export type ChangeType = (typeof changeTypes)[number];

/** The clinic's own resources, and bookings. */
export type ChangedResource =
  | 'organization'
  | 'website'
  | 'treatment'
  | 'dentist'
  | 'appointment'
  | 'booking';

/** A change without its place in the log. */
export interface NewChange {
  type: ChangeType;
  resource: ChangedResource;
  /** The API's id as text; a booking's is its ref. */
  id: string;
  /** The fields after the change; before it for a removal. */
  data: JsonObject;
  /** The former values of the changed fields only; null when there was nothing before. */
  previous: JsonObject | null;
}

/** One row of the change log. */
export interface Change extends NewChange {
  clinic: string;
  /** Gap-free per clinic, from 1, in commit order. */
  sequence: number;
  at: Instant;
}
