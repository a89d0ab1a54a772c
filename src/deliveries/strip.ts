import type { Change } from '../domain/clinics/change.ts';
import {
  isAboutPatients,
  type MirrorNames,
  mirrorNames,
  patientFields,
  withoutPatient,
} from '../domain/patient.ts';
import type { JsonObject } from '../platform/json.ts';
import type { Store } from '../store/store.ts';

/** Shorter values occur by chance in any sentence. */
const SHORTEST_MASKED = 4;

/** Present names of dentists and treatments by clinic, read on first use. */
export function namesOf({ mirror }: Store): (clinic: string) => Promise<MirrorNames> {
  const known = new Map<string, Promise<MirrorNames>>();
  const read = async (clinic: string) =>
    mirrorNames({
      dentists: await mirror.rows('dentists', clinic),
      treatments: await mirror.rows('treatments', clinic),
    });
  return (clinic) => {
    const found = known.get(clinic) ?? read(clinic);
    known.set(clinic, found);
    return found;
  };
}

/** The change for a connector without `include: [patient]`; for `isName` see `withoutPatient`. */
export function strippedChange(change: Change, isName?: MirrorNames): Change {
  if (!isAboutPatients(change.resource)) return change;
  const { data, previous } = change;
  return {
    ...change,
    data: strippedFields(data, {}, isName),
    previous: previous === null ? null : strippedFields(previous, data, isName),
  };
}

/**
 * Fields without the patient's. The clinic's answer to a booking stays, but it may repeat the patient's name, so the
 * patient's values from `fields` and `context` are masked in it.
 */
export function strippedFields<T extends JsonObject | Record<string, unknown>>(
  fields: T,
  context: Record<string, unknown> = {},
  isName?: MirrorNames,
): T {
  const kept = withoutPatient(fields, isName);
  if (typeof fields.message !== 'string') return kept;
  const secrets = [fields, context].flatMap((source) => patientFields.map((field) => source[field]));
  let message = fields.message;
  for (const secret of secrets)
    if (typeof secret === 'string' && secret.length >= SHORTEST_MASKED)
      message = message.replaceAll(secret, '…');
  return { ...kept, message };
}
