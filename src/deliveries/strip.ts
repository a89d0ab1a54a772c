import type { Change } from '../model/change.ts';
import type { JsonObject } from '../model/json.ts';
import { isAboutPatients, patientFields, withoutPatient } from '../model/patient.ts';

/** Shorter values occur in any sentence by chance. */
const SHORTEST_MASKED = 4;

/** The change as a connector may see it that was not given `include: [patient]`. */
export function strippedChange(change: Change): Change {
  if (!isAboutPatients(change.resource)) return change;
  const { data, previous } = change;
  return {
    ...change,
    data: strippedFields(data),
    previous: previous === null ? null : strippedFields(previous, data),
  };
}

/**
 * Fields without the patient's; `context` has more of the same thing's values. What the clinic answered to a booking is
 * kept for the reader, but it may repeat the patient's name back, so the name is taken out of it.
 */
export function strippedFields<T extends JsonObject | Record<string, unknown>>(
  fields: T,
  context: Record<string, unknown> = {},
): T {
  const kept = withoutPatient(fields);
  if (typeof fields.message !== 'string') return kept;
  const secrets = [fields, context].flatMap((source) => patientFields.map((field) => source[field]));
  let message = fields.message;
  for (const secret of secrets)
    if (typeof secret === 'string' && secret.length >= SHORTEST_MASKED)
      message = message.replaceAll(secret, '…');
  return { ...kept, message };
}
