import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { bodySignature } from '../authentication/signature.ts';
import { noFields } from '../mapping/fields.ts';
import { idAt, objectAt, objectsAt, type Preset, putUnder, unknownEvent } from './preset.ts';

/** Tally webhooks: answers by key and by label; ids of choices are resolved by the list of options. */
export const tally: Preset = {
  title: 'Tally',
  proven: {
    level: 'source',
    by: 'Tally’s own node for n8n (tallyforms/n8n-nodes-tallyforms at a1b0872c); the signature from its guide',
  },
  proofs: [bodySignature('tally-signature', 'base64')],
  read(body) {
    if (body.eventType !== 'FORM_RESPONSE') return unknownEvent(body);
    const data = objectAt(body.data);
    const answers = objectsAt(data.fields);
    const fields = noFields();
    for (const answer of answers) putUnder(fields, [idAt(answer.key)], answerOf(answer));
    for (const answer of answers) putUnder(fields, [idAt(answer.label)], answerOf(answer));
    return { kind: 'booking', fields, id: idAt(data.responseId) ?? idAt(data.submissionId) };
  },
  write(fields, responseId) {
    const answers = Object.entries(fields).map(([name, value]) => ({ key: name, label: name, value }));
    return { eventType: 'FORM_RESPONSE', data: { responseId, fields: answers } };
  },
};

function answerOf({ value = null, options }: JsonObject): Json {
  const texts = new Map(objectsAt(options).map((option) => [idAt(option.id), idAt(option.text)]));
  if (texts.size === 0) return value;
  const chosen = [value].flat().map((one) => texts.get(idAt(one)) ?? one);
  return chosen.length === 1 ? (chosen[0] ?? null) : chosen;
}
