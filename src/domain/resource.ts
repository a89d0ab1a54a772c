import type { JsonObject } from '../platform/json.ts';

/** A kind of thing the clinic has. The first word of an event type. */
export const resources = ['organization', 'website', 'treatment', 'dentist', 'appointment'] as const;
export type Resource = (typeof resources)[number];

/** What is polled on a schedule of its own; also the names used in configuration and on the command line. */
export const polls = ['organization', 'website', 'treatments', 'dentists', 'appointments'] as const;
export type Poll = (typeof polls)[number];

/** Polls whose answer is the complete set of a resource, so that absence means removal. */
export type ListPoll = Exclude<Poll, 'appointments'>;

export const resourceOf: Record<Poll, Resource> = {
  organization: 'organization',
  website: 'website',
  treatments: 'treatment',
  dentists: 'dentist',
  appointments: 'appointment',
};

/**
 * One thing of the clinic as the API gave it, normalised. `fields` holds exactly the fields the specification names
 * (organization without `statistics`); `raw` is the whole object with any extra fields.
 */
export interface Thing {
  id: string;
  fields: JsonObject;
  raw: JsonObject;
  /** Hash of `raw`: equal hash, nothing to do. */
  hash: string;
}

/** Figures of the organization; a row is kept per change of any of them (specification 2.2). */
export const statistics = ['total_users', 'total_patients', 'total_appointments', 'total_doctors'] as const;
/** Null: the clinic's answer did not have that one. */
export type Statistics = Record<(typeof statistics)[number], number | null>;
