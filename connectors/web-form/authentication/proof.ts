import type { IntakeRefusal, IntakeRequest } from '../../../src/connector.ts';
import { sameSecret } from '../../../src/platform/constant-time.ts';

/** One way for a request to prove where it comes from. */
export interface Proof {
  /** The setting it needs; a proof without its setting is not accepted at all. */
  readonly needs: 'token' | 'secret';
  /** For people: what a request has to carry. */
  readonly carries: string;
  /** Does the request bring this kind of proof, right or wrong? */
  offered(request: IntakeRequest): boolean;
  /** Undefined when the proof is right. `nowMs` is the wall clock. */
  fault(request: IntakeRequest, key: string, nowMs: number): IntakeRefusal | undefined;
}

export interface Keys {
  token?: string | undefined;
  secret?: string | undefined;
}

export const unauthorized = (message: string, hint: string): IntakeRefusal => ({
  kind: 'refused',
  status: 401,
  message,
  hint,
});

/**
 * Refuses unless one proof that is configured is right. A proof that is offered decides: a wrong signature is not
 * made good by anything else in the request.
 */
export function proofFault(
  proofs: readonly Proof[],
  request: IntakeRequest,
  keys: Keys,
  nowMs: number,
): IntakeRefusal | undefined {
  const usable = proofs.filter(({ needs }) => keys[needs] !== undefined);
  const proof = usable.find((one) => one.offered(request)) ?? usable[0];
  const key = proof && keys[proof.needs];
  if (proof === undefined || key === undefined)
    return unauthorized('This connector cannot check who is sending', 'Set its token or its secret.');
  return proof.fault(request, key, nowMs);
}

/** `Authorization: Bearer TOKEN` (RFC 6750). */
export const bearer: Proof = {
  needs: 'token',
  carries: '`Authorization: Bearer TOKEN`',
  offered: ({ headers }) => headers.authorization !== undefined,
  fault({ headers }, token) {
    const [scheme, ...rest] = headers.authorization?.split(' ') ?? [];
    const given = scheme?.toLowerCase() === 'bearer' ? rest.join(' ').trim() || undefined : undefined;
    if (given !== undefined && sameSecret(given, token)) return undefined;
    const hint = 'Send `Authorization: Bearer TOKEN` with this connector’s token.';
    if (headers.authorization === undefined) return unauthorized('The Authorization header is missing', hint);
    const message = given === undefined ? 'The Authorization header names no Bearer' : 'The token is wrong';
    return unauthorized(message, hint);
  },
};

/** The token as the last part of the address, for tools that can send neither a header nor a signature. */
export const pathToken: Proof = {
  needs: 'token',
  carries: 'the token in the address: `/in/CONNECTOR/TOKEN`',
  offered: ({ path }) => path !== '',
  fault({ path }, token) {
    // A reading of a booking's state has its reference behind the token.
    const given = path.split('/')[0] ?? '';
    if (sameSecret(given, token)) return undefined;
    const message = given === '' ? 'The address has no token' : 'The token in the address is wrong';
    return unauthorized(message, 'The address is /in/, the connector’s name, a slash and its token.');
  },
};
