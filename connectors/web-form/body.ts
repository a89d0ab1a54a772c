import type { IntakeRefusal, IntakeRequest } from '../../src/connector.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';

const MAX_FIELDS = 100;
const MAX_FIELD_BYTES = 32_768;

export type ParsedBody = { ok: true; fields: JsonObject } | { ok: false; refusal: IntakeRefusal };

const refuse = (status: 400 | 415, message: string, hint: string): ParsedBody => ({
  ok: false,
  refusal: { kind: 'refused', status, message, hint },
});

/**
 * A request's body as flat fields, whatever a form tool calls its content: JSON, urlencoded or multipart. A field that
 * occurs several times becomes a list; file parts are dropped. The result has no prototype, so `__proto__` is a name
 * like any other.
 */
export async function parseBody({
  headers,
  body,
}: Pick<IntakeRequest, 'headers' | 'body'>): Promise<ParsedBody> {
  const type = (headers['content-type'] ?? '').toLowerCase().split(';')[0]?.trim() ?? '';
  if (body.length === 0)
    return refuse(400, 'The body is empty', 'Send the form’s fields as JSON or as a form.');
  if (type === 'application/x-www-form-urlencoded')
    return limited(entries(new URLSearchParams(body.toString('utf8'))));
  if (type === 'multipart/form-data') return multipart(headers['content-type'] ?? '', body);
  if (type === 'application/json' || type.endsWith('+json') || type === 'text/plain' || type === '')
    return json(body);
  return refuse(
    415,
    `The content type ${type.slice(0, 60)} is not understood`,
    'Send application/json, application/x-www-form-urlencoded or multipart/form-data.',
  );
}

function json(body: Buffer): ParsedBody {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return refuse(400, 'The body is not JSON', 'Check the form tool’s request format: it must send JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(400, 'The body is JSON but no object', 'Send one object with the form’s fields.');
  }
  return limited(Object.entries(value as JsonObject));
}

async function multipart(contentType: string, body: Buffer): Promise<ParsedBody> {
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData();
    return limited(
      entries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    );
  } catch {
    return refuse(400, 'The multipart body is cut or damaged', 'Send it again.');
  }
}

/** Repeated names become lists, as in a group of checkboxes. */
function entries(pairs: Iterable<[string, string]>): [string, Json][] {
  const fields = new Map<string, Json>();
  for (const [name, value] of pairs) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : [before, value].flat());
  }
  return [...fields];
}

function limited(pairs: readonly [string, Json][]): ParsedBody {
  if (pairs.length > MAX_FIELDS) {
    return refuse(400, `The body has more than ${MAX_FIELDS} fields`, 'Send only the fields of the booking.');
  }
  const fields: JsonObject = Object.create(null);
  for (const [name, value] of pairs) {
    if (typeof value === 'string' && Buffer.byteLength(value) > MAX_FIELD_BYTES) {
      return refuse(
        400,
        `The field ${name.slice(0, 60)} is longer than ${MAX_FIELD_BYTES} bytes`,
        'Shorten it.',
      );
    }
    fields[name] = value;
  }
  return { ok: true, fields };
}
