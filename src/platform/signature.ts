import { createHmac, createSecretKey } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The key behind a secret: `whsec_` and base64 as the Standard Webhooks specification writes it, else the text's own
 * bytes. Undefined when it starts with `whsec_` but no base64 follows.
 */
export function signingKey(secret: string): Buffer | undefined {
  if (!secret.startsWith(PREFIX)) return Buffer.from(secret, 'utf8');
  const encoded = secret.slice(PREFIX.length);
  return BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : undefined;
}

export type SignedHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/**
 * Headers of one attempt (Standard Webhooks 1.0): the id stays over retries, the timestamp is the attempt's own.
 * With two keys there are two signatures, so that a receiver may change over to the other secret at any moment.
 */
export function signer(
  keys: readonly Buffer[],
): (event: { id: string; body: string; nowMs: number }) => SignedHeaders {
  const secrets = keys.map((key) => createSecretKey(key));
  return ({ id, body, nowMs }) => {
    const timestamp = String(Math.floor(nowMs / 1000));
    const signed = `${id}.${timestamp}.${body}`;
    const signatures = secrets.map(
      (key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
    return {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    };
  };
}
