import { createHmac, createSecretKey } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The key of a secret: the decoded base64 after `whsec_` (Standard Webhooks), else the bytes of the text itself.
 * Undefined when `whsec_` is not followed by base64.
 */
export function signingKey(secret: string): Buffer | undefined {
  if (!secret.startsWith(PREFIX)) return Buffer.from(secret, 'utf8');
  const encoded = secret.slice(PREFIX.length);
  return BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : undefined;
}

type SignedHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/**
 * Headers of one attempt (Standard Webhooks 1.0): retries keep the id but have their own timestamp. Two keys give two
 * signatures, so that a receiver can switch secrets at any moment.
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
