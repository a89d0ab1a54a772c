import type { Instant } from '../../platform/clock.ts';
import type { JsonObject } from '../../platform/json.ts';

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
  'appointment.missing',
  'booking.received',
  'booking.held',
  'booking.queued',
  'booking.booked',
  'booking.rejected',
  'booking.unknown',
  'booking.expired',
  'booking.dropped',
  'health.trouble',
  'health.recovered',
  'needs_you.opened',
  'needs_you.settled',
  'lead.converted',
  'lead.conversion_retracted',
] as const;
export type ChangeType = (typeof changeTypes)[number];

/** What is also announced to users; recorded only if a connector wants it. */
export type AnnouncedType = Extract<ChangeType, `health.${string}` | `needs_you.${string}`>;

/** The clinic's own resources, bookings, and announcements. */
export const changedResources = [
  'organization',
  'website',
  'treatment',
  'dentist',
  'appointment',
  'booking',
  'lead',
  'health',
  'need',
] as const;
export type ChangedResource = (typeof changedResources)[number];

/** A change without its position in the log. */
export interface NewChange {
  type: ChangeType;
  resource: ChangedResource;
  /** The API's id as text; for a booking, its ref. */
  id: string;
  /** The fields after the change; before it for a removal. */
  data: JsonObject;
  /** Former values of the changed fields only; null for a new record. */
  previous: JsonObject | null;
}

/** One row of the change log. */
export interface Change extends NewChange {
  clinic: string;
  /** Gap-free per clinic, from 1, in commit order. */
  sequence: number;
  at: Instant;
  /** Part of what there was at the start of a connector, at whose sequence it is: nothing happened now. */
  snapshot?: true;
}
