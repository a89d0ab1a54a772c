import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { signature } from '../authentication/signature.ts';
import { noFields } from '../mapping/fields.ts';
import type { Preset } from './preset.ts';
import { idAt, objectAt, objectsAt, putUnder } from './shape.ts';

/** Tally webhooks: answers by key and by label; choices come as ids, with the list of options beside them. */
export const tally: Preset = {
  title: 'Tally',
  proofs: [
    signature({
      header: 'tally-signature',
      encoding: 'base64',
      read: (given, { body }) => ({ signatures: [given], content: [body] }),
    }),
  ],
  bodies: ['json'],
  labels: true,
  read(body) {
    if (body.eventType !== 'FORM_RESPONSE') return { kind: 'ignored', message: 'Only responses are taken' };
    const data = objectAt(body.data);
    const answers = objectsAt(data.fields);
    const fields = noFields();
    for (const answer of answers) putUnder(fields, [idAt(answer.key)], answerOf(answer));
    for (const answer of answers) putUnder(fields, [idAt(answer.label)], answerOf(answer));
    return { kind: 'booking', fields, id: idAt(data.responseId) ?? idAt(data.submissionId) };
  },
};

function answerOf({ value = null, options }: JsonObject): Json {
  const texts = new Map(objectsAt(options).map((option) => [idAt(option.id), idAt(option.text)]));
  if (texts.size === 0) return value;
  const chosen = [value].flat().map((one) => texts.get(idAt(one)) ?? one);
  return chosen.length === 1 ? (chosen[0] ?? null) : chosen;
}
