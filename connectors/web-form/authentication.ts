import { createHash, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { IntakeRefusal, IntakeRequest } from '../../src/connector.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in constant time, also when the lengths differ. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected));

/** `Authorization: Bearer TOKEN` (RFC 6750). */
export function bearerFault(
  { headers }: Pick<IntakeRequest, 'headers'>,
  token: string,
): IntakeRefusal | undefined {
  const given = headers.authorization?.match(/^Bearer +(.+)$/i)?.[1];
  if (given !== undefined && sameSecret(given, token)) return undefined;
  const message = given === undefined ? 'The Authorization header is missing' : 'The token is wrong';
  return {
    kind: 'refused',
    status: 401,
    message,
    hint: 'Send `Authorization: Bearer TOKEN` with this connector’s token.',
  };
}

/** Standard Webhooks signature over the raw bytes; timestamps off by more than five minutes are refused. */
export function signatureFault({ headers, body }: IntakeRequest, secret: string): IntakeRefusal | undefined {
  const named = Object.fromEntries(
    Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  try {
    new Webhook(secret).verify(body, named);
    return undefined;
  } catch {
    const hint = 'Sign with this connector’s secret (Standard Webhooks) and check the sender’s clock.';
    return { kind: 'refused', status: 401, message: 'The webhook signature is not valid', hint };
  }
}
