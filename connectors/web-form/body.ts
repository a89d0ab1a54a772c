import { isUtf8 } from 'node:buffer';
import { finished } from 'node:stream/promises';
import { TextDecoder } from 'node:util';
import { Busboy } from '@fastify/busboy';
import type { IntakeRefusal, IntakeRequest } from '../../src/connector.ts';
import { isObject, type Json, type JsonObject, parsedJson } from '../../src/platform/json.ts';
import { isListOfAnswers } from './mapping/field-lists.ts';
import { noFields } from './mapping/fields.ts';

export type ParsedBody =
  /**
   * `text`: the body is neither JSON nor a form, and this is its only field. `repeated`: names that JSON has twice.
   * `loose`: the whole body of a form in which an unencoded `&` cut an answer.
   */
  | { ok: true; body: JsonObject; text?: string; repeated?: readonly string[]; loose?: string }
  | { ok: false; refusal: IntakeRefusal };

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
const bodyKinds = Object.keys(names) as BodyKind[];

/**
 * Parses a request's body into one object without a prototype, in its declared charset. A repeated field becomes a
 * list, file parts are dropped, and whatever is neither JSON nor a form becomes the field `text`. Undecodable bytes
 * become U+FFFD. Of a sender that has proven itself, everything is taken; `accepted` limits what strangers may send.
 */
export async function parseBody(
  { headers, body }: Pick<IntakeRequest, 'headers' | 'body'>,
  accepted?: readonly BodyKind[],
): Promise<ParsedBody> {
  const contentType = headers['content-type'] ?? '';
  const kind = kindOf(contentType);
  if (accepted && (kind === undefined || !accepted.includes(kind))) return parseUntyped(kind, body, accepted);
  const decoder = decoderFor(contentType);
  const text = decoder.decode(body);
  if (text.trim() === '')
    return refuse(400, 'The body is empty', 'Send the form’s fields as the content type says.');
  if (kind === 'multipart') {
    const fields = await multipart(contentType, body);
    if (fields !== undefined) return { ok: true, body: fields };
    return accepted ? refuse(400, 'The multipart body is cut or damaged', 'Send it again.') : asWritten(text);
  }
  // `curl -d '{…}'` without a content type declares JSON as a form.
  if (kind !== 'form' || (!accepted && /^\s*(?:\[\s*)?\{\s*["}]/.test(text))) return json(text);
  const fields = fieldsOfPairs(formPairs(body, decoder));
  return { ok: true, ...(accepted ? { body: fields } : wholeForm(fields, text)) };
}

/** Something on the way may have changed or dropped the type of a form. */
async function parseUntyped(
  kind: BodyKind | undefined,
  body: Buffer,
  accepted: readonly BodyKind[],
): Promise<ParsedBody> {
  const looks = formTypeOf(body.toString('latin1').trimStart());
  if (looks !== undefined && looks.kind !== kind && accepted.includes(looks.kind))
    return parseBody({ headers: { 'content-type': looks.type }, body }, accepted);
  return refuse(
    415,
    'The content type is not one that this connector takes',
    `Send ${accepted.map((one) => names[one]).join(' or ')}.`,
  );
}

/** The fields of a form, or the JSON that is its only field. */
function wholeForm(fields: JsonObject, text: string): { body: JsonObject; loose?: string } {
  const within = onlyObject(fields);
  if (within !== undefined && within !== fields) return { body: Object.assign(noFields(), within) };
  return { body: fields, ...(hasLoosePieces(text) && { loose: text.replaceAll('+', ' ') }) };
}

/** Pieces between two `&` that are no field: the rest of an answer. */
const hasLoosePieces = (text: string): boolean =>
  text.split('&').some((piece) => piece.trim() !== '' && !piece.includes('='));

const utf8 = new TextDecoder();

/** UTF-8 unless a known charset is declared. */
function decoderFor(contentType: string): TextDecoder {
  const [, charset] = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType) ?? [];
  if (charset === undefined) return utf8;
  try {
    return new TextDecoder(charset);
  } catch {
    return utf8;
  }
}

/** URLSearchParams supports only UTF-8. */
function formPairs(body: Buffer, decoder: TextDecoder): Iterable<[string, string]> {
  if (decoder.encoding === 'utf-8') return new URLSearchParams(body.toString('utf8'));
  const decoded = (part: string) => {
    const bytes = part
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    const buffer = Buffer.from(bytes, 'latin1');
    // Browsers encode a page in UTF-8 as that, whatever is declared on the way.
    return (isUtf8(buffer) ? utf8 : decoder).decode(buffer);
  };
  const parts = body.toString('latin1').split('&').filter(Boolean);
  return parts.map((part): [string, string] => {
    const [name = '', ...value] = part.split('=');
    return [decoded(name), decoded(value.join('='))];
  });
}

function kindOf(contentType: string): BodyKind | undefined {
  const type = contentType.toLowerCase().split(';')[0]?.trim() ?? '';
  // Senders without a content type send JSON.
  if (/[+/](?:x-)?json$/.test(type) || type === '') return 'json';
  return bodyKinds.find((kind) => names[kind] === type);
}

function json(text: string): ParsedBody {
  let value: object | undefined;
  try {
    value = onlyObject(JSON.parse(text));
  } catch {
    value = undefined;
  }
  if (value === undefined) return asWritten(text);
  return {
    ok: true,
    body: Object.assign(noFields(), value),
    repeated: hasEachOnce(text, value) ? [] : repeatedNames(text),
  };
}

/** The sender may not send it again: a person gets all of it. */
const asWritten = (text: string): ParsedBody => ({ ok: true, body: fieldsOfPairs([['text', text]]), text });

/**
 * One object, also as the only one of a list, as a list of its answers, or as JSON in a string that is all there is.
 */
function onlyObject(value: unknown): object | undefined {
  if (isListOfAnswers(value)) return { answers: value };
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const [text, ...more] = isObject(one as Json) ? Object.values(one as object) : [one];
  const within: unknown = typeof text === 'string' && more.length === 0 ? parsedJson(text) : undefined;
  if (isObject(within as Json)) return within as object;
  return isObject(one as Json) ? (one as object) : undefined;
}

/** Whether the object is flat, with as many names as colons behind a quotation mark: it has each once. */
const hasEachOnce = (text: string, value: object): boolean =>
  Object.values(value).every((one) => typeof one !== 'object') &&
  text.match(/"\s*:/g)?.length === Object.keys(value).length;

/** Names that one object of valid JSON has twice, of which `JSON.parse` silently keeps the last. */
function repeatedNames(text: string): string[] {
  const open: Set<string>[] = [];
  const repeated = new Set<string>();
  for (const [token, string, isName] of text.matchAll(/("(?:[^"\\]|\\.)*"?)(\s*:)?|[{}]/gs)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (string !== undefined && isName !== undefined) {
      const name: string = string.includes('\\') ? JSON.parse(string) : string.slice(1, -1);
      if (open.at(-1)?.has(name)) repeated.add(name);
      open.at(-1)?.add(name);
    }
  }
  return [...repeated];
}

/** Undefined when it is cut or damaged. */
async function multipart(contentType: string, body: Buffer): Promise<JsonObject | undefined> {
  try {
    const texts: [string, string][] = [];
    // Not `Response.formData`, which rejects a body whose boundary occurs inside a value.
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldNameSize: body.length, fieldSize: body.length },
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    });
    parser.on('field', (name, value) => texts.push([name, value]));
    parser.end(body);
    await finished(parser);
    return fieldsOfPairs(texts);
  } catch {
    return undefined;
  }
}

/**
 * Parses the body of a sample saved to a file, which has lost its content type. It is guessed unless the text is JSON
 * or the command was given one.
 */
export function parseSaved(request: IntakeRequest): Promise<ParsedBody> {
  const type = request.headers['content-type'];
  const text = request.body.toString('utf8').trimStart();
  if ((type !== undefined && type !== 'application/json') || /^[[{\uFEFF]/.test(text))
    return parseBody(request);
  const looks = formTypeOf(text);
  // Editors add a line end to the last value.
  const body = looks?.kind === 'multipart' ? request.body : Buffer.from(text.trimEnd());
  return parseBody({ body, headers: { 'content-type': looks?.type ?? names.text } });
}

/** What a body without a trustworthy content type is, when it looks like a form. */
function formTypeOf(text: string): { kind: 'multipart' | 'form'; type: string } | undefined {
  const [, boundary] = /^--([^\r\n]{1,200})/.exec(text) ?? [];
  if (boundary !== undefined) return { kind: 'multipart', type: `${names.multipart}; boundary=${boundary}` };
  return /^[^\s=&]{1,200}=/.test(text) ? { kind: 'form', type: names.form } : undefined;
}

/** Turns repeated names into lists, as sent by checkboxes. */
export function fieldsOfPairs(pairs: Iterable<[string, string]>): JsonObject {
  const fields = noFields();
  for (const [name, value] of pairs) {
    const before: Json | undefined = fields[name];
    if (before === undefined) fields[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else fields[name] = [before, value];
  }
  return fields;
}
