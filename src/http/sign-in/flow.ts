import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from '../../platform/constant-time.ts';
import { MINUTE } from '../../platform/duration.ts';
import { localPath } from '../answers.ts';

/** One way to the provider and back. */
export interface Flow {
  /** Comes back with the answer. */
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). */
  verifier: string;
  /** The page that was asked for. */
  next: string;
}

/** Time to sign in at the provider. */
export const FLOW_MS = 15 * MINUTE;

/** The browser's, or a new one. */
export const flowKey = (cookie = ''): string =>
  /^[\w-]{43}$/.test(cookie) ? cookie : randomBytes(32).toString('base64url');

/**
 * Everything follows from the browser's key and the state, and nothing is kept: any daemon can end what another began,
 * every tab has a state of its own, and in another browser none is valid.
 */
export function beginFlow(key: string, next: string, now: number): Flow {
  const about = Buffer.from(next).toString('base64url');
  const body = `${randomBytes(16).toString('base64url')}.${(now + FLOW_MS).toString(36)}.${about}`;
  return { ...secretsOf(key, body), state: `${body}.${derived(key, 'state', body)}`, next };
}

/** Undefined for a state of another browser, and for one that is too old. */
export function flowOf(key: string, state: string, now: number): Flow | undefined {
  const at = state.lastIndexOf('.');
  const [body, proof] = [state.slice(0, Math.max(at, 0)), state.slice(at + 1)];
  if (key === '' || !sameSecret(proof, derived(key, 'state', body))) return undefined;
  const [, until = '', about = ''] = body.split('.');
  if (Number.parseInt(until, 36) <= now) return undefined;
  return { ...secretsOf(key, body), state, next: localPath(Buffer.from(about, 'base64url').toString()) };
}

const secretsOf = (key: string, body: string) => ({
  nonce: derived(key, 'nonce', body),
  verifier: derived(key, 'verifier', body),
});

const derived = (key: string, what: string, body: string): string =>
  createHmac('sha256', key).update(`${what} ${body}`).digest('base64url');
