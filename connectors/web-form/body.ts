import { finished } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { IntakeRefusal, IntakeRequest } from '../../src/connector.ts';
import type { Json, JsonObject } from '../../src/platform/json.ts';
import { noFields } from './mapping/fields.ts';

export type ParsedBody = { ok: true; body: JsonObject } | { ok: false; refusal: IntakeRefusal };

const refuse = (status: 400 | 415, message: string, hint: string): ParsedBody => ({
  ok: false,
  refusal: { kind: 'refused', status, message, hint },
});

const names = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  text: 'text/plain',
} as const;
export type BodyKind = keyof typeof names;
export const bodyKinds = Object.keys(names) as BodyKind[];

/**
 * Parses a request's body into one object without a prototype. A repeated field becomes a list, file parts are dropped,
 * and text that is not JSON becomes the field `text`.
 */
export async function parseBody(
  { headers, body }: Pick<IntakeRequest, 'headers' | 'body'>,
  accepted: readonly BodyKind[] = ['json'],
): Promise<ParsedBody> {
  const contentType = headers['content-type'] ?? '';
  const kind = kindOf(contentType);
  if (kind === undefined || !accepted.includes(kind))
    return refuse(
      415,
      'The content type is not one that this connector takes',
      `Send ${accepted.map((one) => names[one]).join(' or ')}.`,
    );
  if (body.length === 0)
    return refuse(400, 'The body is empty', 'Send the form’s fields as the content type says.');
  if (kind === 'form') return { ok: true, body: collect(new URLSearchParams(body.toString('utf8'))) };
  if (kind === 'multipart') return multipart(contentType, body);
  const parsed = json(body);
  return kind === 'text' && !parsed.ok ? { ok: true, body: lines(body.toString('utf8')) } : parsed;
}

function kindOf(contentType: string): BodyKind | undefined {
  const type = contentType.toLowerCase().split(';')[0]?.trim() ?? '';
  // Senders without a content type send JSON.
  if (type.endsWith('+json') || type === '') return 'json';
  return bodyKinds.find((kind) => names[kind] === type);
}

function json(body: Buffer): ParsedBody {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return refuse(400, 'The body is not JSON', 'Check the form tool’s request format: it must send JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(400, 'The body is JSON but no object', 'Send one object with the form’s fields.');
  return { ok: true, body: Object.assign(noFields(), value) };
}

async function multipart(contentType: string, body: Buffer): Promise<ParsedBody> {
  try {
    const texts: [string, string][] = [];
    // Not `Response.formData`: it rejects a body with the boundary's letters inside a value.
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldNameSize: body.length, fieldSize: body.length },
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    });
    parser.on('field', (name, value) => texts.push([name, value]));
    parser.end(body);
    await finished(parser);
    return { ok: true, body: collect(texts) };
  } catch {
    return refuse(400, 'The multipart body is cut or damaged', 'Send it again.');
  }
}

/**
 * Parses the body of a sample saved to a file, which has lost its content type: it is guessed unless the text is JSON or
 * the command was given a content type.
 */
export function parseSaved(request: IntakeRequest): Promise<ParsedBody> {
  const type = request.headers['content-type'];
  const text = request.body.toString('utf8').trimStart();
  if ((type !== undefined && type !== 'application/json') || /^[[{\uFEFF]/.test(text))
    return parseBody(request, bodyKinds);
  const [, boundary] = /^--([^\r\n]+)/.exec(text) ?? [];
  const looks = boundary
    ? `multipart/form-data; boundary=${boundary}`
    : /^[^\s=&]+=/.test(text)
      ? names.form
      : names.text;
  // An editor adds a line end to the last value.
  const body = boundary ? request.body : Buffer.from(text.trimEnd());
  return parseBody({ body, headers: { 'content-type': looks } }, bodyKinds);
}

const LONGEST_NAME = 60;

/** Reads `Name: value` lines; the whole text becomes the field `text`. */
function lines(text: string): JsonObject {
  const pairs = text.split('\n').flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim();
    const value = line.slice(colon + 1).trim();
    return name === '' || name.length > LONGEST_NAME || value === '' ? [] : [[name, value]];
  });
  return collect([...pairs, ['text', text]]);
}

/** Repeated names become lists, as for checkboxes. */
function collect(pairs: Iterable<[string, string]>): JsonObject {
  const fields = noFields();
  for (const [name, value] of pairs) {
    const before: Json | undefined = fields[name];
    if (before === undefined) fields[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else fields[name] = [before, value];
  }
  return fields;
}
