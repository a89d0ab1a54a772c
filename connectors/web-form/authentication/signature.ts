import { createHmac, randomUUID } from 'node:crypto';
import type { IntakeRequest } from '../../../src/connector.ts';
import { sameSecret } from '../../../src/platform/constant-time.ts';
import { MINUTE } from '../../../src/platform/duration.ts';
import { type Proof, unauthorized } from './proof.ts';

/** Older or later signatures are refused, against replay. */
const TOLERANCE_MS = 5 * MINUTE;

interface Signed {
  /** One of them must be valid; a sender that rotates its secret sends two. */
  signatures: readonly string[];
  /** What was signed: parts of the request, with the body as received. */
  content: (string | Buffer)[];
  /** Milliseconds since the epoch; absent where the tool sends no time. */
  atMs?: number;
}

type Headers = Record<string, string>;

interface SignatureScheme {
  /** The header with the signature, in lower case. */
  header: string;
  encoding: 'hex' | 'base64';
  /** Undefined when the headers do not have the tool's format. */
  read(signature: string, request: IntakeRequest): Signed | undefined;
  /** The inverse of `read`: what to sign at a time, and the headers to send; `value` takes the finished signature. */
  write(body: string, atMs: number): { content: string[]; value(mac: string): string; headers?: Headers };
  /** The possible keys of a secret; default: the secret's bytes. */
  keys?(secret: string): Buffer[];
}

/** HMAC-SHA256 over the raw body, in one tool's format. Missing or malformed parts are refused. */
export function signature({ header, encoding, read, write, keys = ownBytes }: SignatureScheme): Proof {
  const macOf = (key: Buffer, content: readonly (string | Buffer)[]) => {
    const hmac = createHmac('sha256', key);
    for (const part of content) hmac.update(part);
    return hmac.digest(encoding);
  };
  const hint =
    'Check that this connector’s secret is the one set at the tool, and that both clocks are right.';
  return {
    needs: 'secret',
    carries: `a signature in the header ${header}`,
    offered: ({ headers }) => headers[header] !== undefined,
    prove(body, secret, nowMs) {
      const { content, value, headers } = write(body, nowMs);
      const [key = Buffer.alloc(0)] = keys(secret);
      return { headers: { ...headers, [header]: value(macOf(key, content)) } };
    },
    fault(request, secret, nowMs) {
      const given = request.headers[header];
      if (given === undefined || given === '') return unauthorized('The signature is missing', hint);
      const signed = read(given, request);
      if (signed === undefined) return unauthorized('The signature cannot be read', hint);
      // Negated, so that NaN is refused.
      if (signed.atMs !== undefined && !(Math.abs(nowMs - signed.atMs) <= TOLERANCE_MS))
        return unauthorized('The signature is too old, or from the future', hint);
      const right = keys(secret).some((key) => {
        const expected = macOf(key, signed.content);
        return signed.signatures.some((one) => sameSecret(one, expected));
      });
      return right ? undefined : unauthorized('The signature is not valid', hint);
    },
  };
}

const ownBytes = (secret: string) => [Buffer.from(secret, 'utf8')];

/** A signature of the body alone, after a fixed prefix. */
export const bodySignature = (header: string, encoding: 'hex' | 'base64', prefix = ''): Proof =>
  signature({
    header,
    encoding,
    read: (given, { body }) =>
      given.startsWith(prefix) ? { signatures: [given.slice(prefix.length)], content: [body] } : undefined,
    write: (body) => ({ content: [body], value: (mac) => `${prefix}${mac}` }),
  });

/** `t=1700000000,v1=…` with the first of `names` that is present; the time, a dot and the body are signed. */
export const timedSignature = (header: string, ...names: readonly string[]): Proof =>
  signature({
    header,
    encoding: 'hex',
    read(given, { body }) {
      // Reversed, so that a repeated name keeps its first value.
      const parts = new Map(given.split(',').reverse().map(nameAndValue));
      const at = parts.get('t');
      const mac = names.map((name) => parts.get(name)).find(Boolean);
      return at && mac ? { signatures: [mac], content: [`${at}.`, body], atMs: seconds(at) } : undefined;
    },
    write(body, atMs) {
      const at = inSeconds(atMs);
      return { content: [`${at}.`, body], value: (mac) => `t=${at},${names[0]}=${mac}` };
    },
  });

function nameAndValue(pair: string): [name: string, value: string] {
  const [name = '', ...value] = pair.split('=');
  return [name.trim(), value.join('=').trim()];
}

/** Whole seconds since the epoch in milliseconds; NaN for other text. */
const seconds = (text: string): number => (/^\d{1,12}$/.test(text) ? Number(text) * 1_000 : Number.NaN);
const inSeconds = (ms: number): string => String(Math.floor(ms / 1_000));
export const milliseconds = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN);

/** https://www.standardwebhooks.com: signs id, time and body. The secret is `whsec_` and base64, or any text. */
export const standardWebhooks: Proof = signature({
  header: 'webhook-signature',
  encoding: 'base64',
  read(given, { headers, body }) {
    const id = headers['webhook-id'];
    const at = headers['webhook-timestamp'];
    if (!id || !at) return undefined;
    const signatures = given.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
    return { signatures, content: [`${id}.${at}.`, body], atMs: seconds(at) };
  },
  write(body, atMs) {
    const [id, at] = [`msg_${randomUUID()}`, inSeconds(atMs)];
    return {
      content: [`${id}.${at}.`, body],
      value: (mac) => `v1,${mac}`,
      headers: { 'webhook-id': id, 'webhook-timestamp': at },
    };
  },
  keys(secret) {
    const encoded = secret.replace(/^whsec_/, '');
    const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? [Buffer.from(encoded, 'base64')] : [];
    // Libraries disagree about a secret without the prefix: some decode base64, some do not.
    return secret.startsWith('whsec_') ? decoded : [Buffer.from(secret, 'utf8'), ...decoded];
  },
});
