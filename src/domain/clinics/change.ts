import * as z from 'zod';
import type { Json } from '../../platform/json.ts';
import { alsoInside, instantSchema, orNull, textSchema } from '../outward.ts';

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

const json: z.ZodType<Json> = z.json().meta({ id: 'Json', description: 'Any JSON value.' });
export const jsonFields = z.record(textSchema, json);

export const change = alsoInside<{
  /** Part of what there was at the start of a connector, at whose sequence it is: nothing happened now. */
  snapshot?: true;
}>()(
  z
    .strictObject({
      clinic: textSchema,
      /** In commit order. */
      sequence: z.int().min(1).meta({ description: 'Without gaps per clinic, from 1.' }),
      at: instantSchema,
      type: z.enum(changeTypes),
      resource: z.enum(changedResources),
      /** The API's id as text; for a booking, its ref. */
      id: textSchema,
      /** The fields after the change; before it for a removal. */
      data: jsonFields,
      /** Null for a new record. */
      previous: orNull(jsonFields).meta({ description: 'Former values of the changed fields.' }),
    })
    .meta({ id: 'Change' }),
);
/** One row of the change log. */
export type Change = z.infer<typeof change>;
/** A change without its position in the log. */
export type NewChange = Pick<Change, 'type' | 'resource' | 'id' | 'data' | 'previous'>;
