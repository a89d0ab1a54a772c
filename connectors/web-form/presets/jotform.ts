import { type Json, type JsonObject, parsedJson } from '../../../src/platform/json.ts';
import { whenInParts } from '../../../src/reading/when-parts.ts';
import { pathToken } from '../authentication/proof.ts';
import { noFields } from '../mapping/fields.ts';
import { idAt, objectAt, type Preset, putUnder } from './preset.ts';

/** Jotform webhooks: multipart, the answers as JSON in `rawRequest` under names such as `q3_fullName`. */
export const jotform: Preset = {
  title: 'Jotform',
  proven: {
    level: 'source',
    by: 'Jotform’s own receiver (jotform/api-use-cases at e7718f51, myCRM) and the fields of its pages',
  },
  proofs: [pathToken],
  bodies: ['multipart', 'form'],
  read(body) {
    const answers = Object.entries(rawRequest(body)).filter(([key]) => /^q\d+_/.test(key));
    const fields = noFields();
    for (const [key, value] of answers) fields[key] = answerOf(value);
    for (const [key] of answers) putUnder(fields, [key.replace(/^q\d+_/, '')], fields[key]);
    return { kind: 'booking', fields, id: idAt(body.submissionID) };
  },
  write(fields, submissionID) {
    const answers = Object.entries(fields).map(([name, value], index) => [
      /^q\d+_/.test(name) ? name : `q${index + 1}_${name}`,
      value,
    ]);
    return { rawRequest: JSON.stringify(Object.fromEntries(answers)), submissionID };
  },
};

/** Also without it, as who passes a submission on sends the answers themselves. */
const rawRequest = ({ rawRequest: raw, ...rest }: JsonObject): JsonObject =>
  objectAt(typeof raw === 'string' ? (parsedJson(raw) as Json | undefined) : (raw ?? rest));

/** Joins dates, times, phones and appointments, which Jotform splits into parts. */
const answerOf = (value: Json): Json => {
  const { full } = objectAt(value);
  return typeof full === 'string' ? full : (whenInParts(value) ?? value);
};
