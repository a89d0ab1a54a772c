import type { JsonObject } from '../../platform/json.ts';

/** The clinic's resources; the first part of an event type. */
const resources = ['organization', 'website', 'treatment', 'dentist', 'appointment'] as const;
export type Resource = (typeof resources)[number];

/** Each has its own schedule. Also their names in configuration and on the command line. */
export const polls = ['organization', 'website', 'treatments', 'dentists', 'appointments'] as const;
export type Poll = (typeof polls)[number];

/** Polls that return the complete set of a resource, so that absence means removal. */
export type ListPoll = Exclude<Poll, 'appointments'>;

export const resourceOf: Record<Poll, Resource> = {
  organization: 'organization',
  website: 'website',
  treatments: 'treatment',
  dentists: 'dentist',
  appointments: 'appointment',
};

/**
 * One object of the API, normalised. `fields`: exactly those named in the specification (organization without
 * `statistics`); `raw`: the whole object with any extra fields.
 */
export interface ClinicRecord {
  id: string;
  fields: JsonObject;
  raw: JsonObject;
  /** Hash of `raw` without the signatures in its web addresses; equal means unchanged. */
  hash: string;
  /** It has such signatures, which are new in each answer. */
  isSigned?: true;
}

/** Figures of the organization (specification 2.2), stored as one row per change. */
export const statistics = ['total_users', 'total_patients', 'total_appointments', 'total_doctors'] as const;
/** Null where the clinic gave none. */
export type Statistics = Record<(typeof statistics)[number], number | null>;
