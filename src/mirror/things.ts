import { hash } from 'node:crypto';
import type { Clinic } from '../clinic/clinic.ts';
import { Dentist, Organization, Treatment, Website } from '../clinic/wire.ts';
import { canonical, isNormal, type Json, type JsonObject, normalise } from '../model/json.ts';
import type { ListPoll, Statistics, Thing } from '../model/resource.ts';

/** One complete, verified answer of the clinic. */
export interface Reading {
  things: Thing[];
  /** The organization's figures; a series of their own (specification 2.2). */
  statistics?: Statistics;
}

interface Shape {
  id: string;
  name: string;
  fields: readonly string[];
}

/** Which field names a thing, and which fields the specification gives it. */
const shapes: Record<ListPoll, Shape> = {
  organization: {
    id: 'care_id',
    name: 'name',
    fields: Object.keys(Organization.shape).filter((field) => field !== 'statistics'),
  },
  website: { id: 'care_id', name: 'clinic_name', fields: Object.keys(Website.shape) },
  treatments: { id: 'treatment_id', name: 'treatment_name', fields: Object.keys(Treatment.shape) },
  dentists: { id: 'doctor_id', name: 'doctor_name', fields: Object.keys(Dentist.shape) },
};

/** An object of the wire as a thing: what is specified becomes `fields`, everything stays in `raw`. */
export function toThing(poll: ListPoll, received: object): Thing {
  const shape = shapes[poll];
  const text = canonical(received as JsonObject);
  // Nearly all of a long list is normal already, and copying it would cost more than all the rest.
  const normal = isNormal(text);
  const raw = normal ? (received as JsonObject) : normalise(received as JsonObject);
  const fields: JsonObject = {};
  for (const field of shape.fields) fields[field] = raw[field] ?? null;
  return { id: String(raw[shape.id]), fields, raw, hash: hashOf(normal ? text : canonical(raw)) };
}

/** What people call it. */
export function nameOf(poll: ListPoll, thing: Thing | undefined): string | null {
  const name = thing?.fields[shapes[poll].name];
  return typeof name === 'string' ? name : null;
}

/** Equal content, equal hash, whatever the order of keys. */
export const contentHash = (content: Json): string => hashOf(canonical(content));

const hashOf = (text: string): string => hash('sha256', text, 'base64url');

/** Reads one resource completely, or throws as `Clinic` does. */
export async function readThings(clinic: Clinic, poll: ListPoll, signal: AbortSignal): Promise<Reading> {
  if (poll === 'organization') {
    const organization = await clinic.organization(signal);
    const { total_users, total_patients, total_appointments, total_doctors } = organization.statistics;
    return {
      things: [toThing(poll, organization)],
      statistics: { total_users, total_patients, total_appointments, total_doctors },
    };
  }
  const received = poll === 'website' ? [await clinic.website(signal)] : await clinic[poll](signal);
  return { things: received.map((one) => toThing(poll, one)) };
}
