import type { IntakeRefusal, IntakeRequest } from '../../../src/connector.ts';
import { sameSecret } from '../../../src/platform/constant-time.ts';

/** One way to authenticate a request. */
export interface Proof {
  /** The required setting; without it, this proof is not accepted. */
  readonly needs: 'token' | 'secret';
  /** What a request must carry, for people. */
  readonly carries: string;
  /** True when the request carries this kind of proof, right or wrong. */
  offered(request: IntakeRequest): boolean;
  /** What the tool would add to a request with this body. */
  prove(body: string, key: string, nowMs: number): Proven;
  /** Undefined when the proof is valid. `nowMs` is the wall clock. */
  fault(request: IntakeRequest, key: string, nowMs: number): IntakeRefusal | undefined;
}

export interface Proven {
  headers?: Record<string, string>;
  path?: string;
}

export interface ProofKeys {
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
 * Refuses unless a configured proof is valid. The first proof that the request offers decides, so a valid one cannot
 * make up for a wrong signature.
 */
export function proofFault(
  proofs: readonly Proof[],
  request: IntakeRequest,
  keys: ProofKeys,
  nowMs: number,
): IntakeRefusal | undefined {
  const usable = proofs.filter(({ needs }) => keys[needs] !== undefined);
  const proof = usable.find((one) => one.offered(request)) ?? usable[0];
  const key = proof && keys[proof.needs];
  if (proof === undefined || key === undefined)
    return unauthorized('This connector cannot check who is sending', 'Set its token or its secret.');
  return proof.fault(request, key, nowMs);
}

/** A proof that `proofFault` accepts, made with the first configured key. */
export function proven(proofs: readonly Proof[], body: string, keys: ProofKeys, nowMs: number): Proven {
  for (const proof of proofs) {
    const key = keys[proof.needs];
    if (key !== undefined) return proof.prove(body, key, nowMs);
  }
  return {};
}

/** `Authorization: Bearer TOKEN` (RFC 6750). */
export const bearer: Proof = {
  needs: 'token',
  carries: '`Authorization: Bearer TOKEN`',
  offered: ({ headers }) => headers.authorization !== undefined,
  prove: (_body, token) => ({ headers: { authorization: `Bearer ${token}` } }),
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

/** The token at the end of the address, for tools that can send neither headers nor signatures. */
export const pathToken: Proof = {
  needs: 'token',
  carries: 'the token in the address: `/in/CONNECTOR/TOKEN`',
  offered: ({ path }) => path !== '',
  prove: (_body, token) => ({ path: token }),
  fault({ path }, token) {
    // In a request for a booking's state, the reference follows the token.
    const given = path.split('/')[0] ?? '';
    if (sameSecret(given, token)) return undefined;
    const message = given === '' ? 'The address has no token' : 'The token in the address is wrong';
    return unauthorized(message, 'The address is /in/, the connector’s name, a slash and its token.');
  },
};
