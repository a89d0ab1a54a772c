import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { bodySignature } from '../authentication/signature.ts';
import { noFields } from '../mapping/fields.ts';
import { at, idAt, objectAt, objectsAt, type Preset, putUnder, unknownEvent } from './preset.ts';

/** Typeform webhooks: answers by `ref`, and by the question's title. */
export const typeform: Preset = {
  title: 'Typeform',
  proven: {
    level: 'documentation',
    by: 'Typeform’s reference of webhooks; the answers also as in its own client (Typeform/js-api-client at bfd8cba4)',
  },
  proofs: [bodySignature('typeform-signature', 'base64', 'sha256=')],
  read(body) {
    if (body.event_type === 'form_response_partial')
      return { kind: 'ignored', event: 'form_response_partial', message: 'Only whole responses are taken' };
    if (body.event_type !== 'form_response') return unknownEvent(body);
    const response = objectAt(body.form_response);
    return { kind: 'booking', fields: answersOf(response), id: idAt(response.token) };
  },
  write(fields, token) {
    const answers = Object.entries(fields).map(([name, text]) => ({
      ...{ type: 'text', text },
      field: { id: name, ref: name },
    }));
    return { event_type: 'form_response', form_response: { token, answers } };
  },
};

function answersOf(response: JsonObject): JsonObject {
  const titles = new Map<string | undefined, string | undefined>();
  // Parts of a question, such as those of contact information, are in its properties.
  for (const question of objectsAt(objectAt(response.definition).fields))
    for (const one of [question, ...objectsAt(objectAt(question.properties).fields)])
      titles.set(idAt(one.id), idAt(one.title));

  const fields = noFields();
  const labelled: [string | undefined, Json][] = [];
  for (const answer of objectsAt(response.answers)) {
    const field = objectAt(answer.field);
    const value = answerOf(answer);
    putUnder(fields, [idAt(field.ref) ?? idAt(field.id)], value);
    labelled.push([titles.get(idAt(field.id)), value]);
  }
  // Refs first, so that a title cannot replace one.
  for (const [title, value] of labelled) putUnder(fields, [title], value);
  for (const [name, value] of Object.entries(objectAt(response.hidden))) putUnder(fields, [name], value);
  return fields;
}

/** The answer's type names the key of its value: `{"type":"choice","choice":{"label":"Cleaning"}}`. */
function answerOf(answer: JsonObject): Json {
  const value = at(answer, idAt(answer.type) ?? '') ?? null;
  const choice = objectAt(value);
  return at(choice, 'labels') ?? at(choice, 'label') ?? at(choice, 'other') ?? value;
}
