import { hash } from 'node:crypto';
import type { Clinic, Received, UnreadableRecord } from '../clinic/clinic.ts';
import type { ClinicRecord, ListPoll, Statistics } from '../domain/clinics/resource.ts';
import { canonical, isNormal, type Json, normalise } from '../platform/json.ts';
import { withStableAddresses } from '../platform/network/stable-url.ts';

/** One complete answer of the clinic. */
export interface ListReading {
  records: ClinicRecord[];
  unreadable: readonly UnreadableRecord[];
  /** The organization's figures; recorded as a separate series (specification 2.2). */
  statistics?: Statistics;
  /** As in `Listing`. */
  digest?: string;
  isSame?: boolean;
}

export const nameField: Record<ListPoll, string> = {
  organization: 'name',
  website: 'clinic_name',
  treatments: 'treatment_name',
  dentists: 'doctor_name',
};

/** Its display name. */
export function recordNameOf(poll: ListPoll, record: ClinicRecord | undefined): string | null {
  const name = record?.fields[nameField[poll]];
  return typeof name === 'string' ? name : null;
}

function toRecord({ id, fields, raw }: Received): ClinicRecord {
  const text = canonical(raw);
  // Most records of a long list are already normal, and copying would cost more than everything else here.
  if (isNormal(text)) return { id, fields, raw, ...hashes(text) };
  const normal = normalise(raw);
  return { id, fields: normalise(fields), raw: normal, ...hashes(canonical(normal)) };
}

/** Raised when the same answer is read as other fields: then every record is written anew. */
const READING = '2 ';

/** Signatures in web addresses are new in each answer: no change, but worth keeping. */
function hashes(text: string): { hash: string; isSigned?: true } {
  const stable = withStableAddresses(text);
  return { hash: hashOf(READING + stable), ...(stable !== text && { isSigned: true }) };
}

/** Equal for equal content, whatever the order of keys. */
export const recordHash = (content: Json): string => hashOf(canonical(content));

const hashOf = (text: string): string => hash('sha256', text, 'base64url');

/** Reads one resource completely, or throws as `Clinic` does. `known`: digest of an answer that need not be parsed. */
export async function readRecords(
  clinic: Clinic,
  poll: ListPoll,
  signal: AbortSignal,
  known?: string,
): Promise<ListReading> {
  const isList = poll === 'treatments' || poll === 'dentists';
  const { records, ...rest } = await (isList ? clinic[poll](signal, known) : clinic[poll](signal));
  return { ...rest, records: records.map(toRecord) };
}
