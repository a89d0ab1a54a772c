import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../model/clock.ts';

/** Somebody who has shown the admin token. */
export interface Visitor {
  /** The name they gave at sign-in; stored with what they do. */
  by: string;
  /** The browser session; null for a request that carried the token itself. */
  session: string | null;
}

/** Who may act. Without an admin token nobody can. */
export interface Access {
  readonly enabled: boolean;
  /** Undefined for everybody who has not shown the token. */
  identify(headers: IncomingHttpHeaders): Visitor | undefined;
  /** The session cookie's value; undefined when the token is wrong. */
  signIn(token: string, name: string): string | undefined;
  signOut(session: string): void;
  /** Goes into every form, so that another site cannot make a signed-in browser act. */
  formToken(session: string): string;
  isFormToken(session: string, given: string): boolean;
}

export const sessionCookie = 'clinic_sync_session';
export const sessionMs = 12 * 60 * 60 * 1_000;
const MAX_NAME = 60;

const digest = (text: string) => createHash('sha256').update(text).digest();
/** Compares in constant time, also when the lengths differ. */
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/**
 * Sessions are signed cookies: a restart of the daemon signs nobody out, another admin token signs everybody out.
 * Those who signed out are remembered until their session would have ended.
 */
export function createAccess({ adminToken, clock }: { adminToken: string; clock: Clock }): Access {
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', adminToken).update(`clinic-sync ${purpose}\n${text}`).digest('base64url');
  const ended = new Map<string, number>();

  const readSession = (cookie: string): Visitor | undefined => {
    const [payload = '', mac = ''] = cookie.split('.');
    if (!same(mac, sign('session', payload))) return undefined;
    const [session = '', until = '', name = ''] = Buffer.from(payload, 'base64url')
      .toString('utf8')
      .split('\n');
    if (Number(until) <= clock.now() || ended.has(session)) return undefined;
    return { by: name, session };
  };

  return {
    enabled: adminToken !== '',
    identify(headers) {
      if (adminToken === '') return undefined;
      const bearer = bearerToken(headers);
      if (bearer !== undefined)
        return same(bearer, adminToken) ? { by: 'admin token', session: null } : undefined;
      const cookie = cookieValue(headers.cookie, sessionCookie);
      return cookie === undefined ? undefined : readSession(cookie);
    },
    signIn(token, name) {
      if (adminToken === '' || !same(token, adminToken)) return undefined;
      const session = randomBytes(16).toString('base64url');
      const payload = Buffer.from(`${session}\n${clock.now() + sessionMs}\n${personName(name)}`).toString(
        'base64url',
      );
      return `${payload}.${sign('session', payload)}`;
    },
    signOut(session) {
      for (const [id, until] of ended) if (until <= clock.now()) ended.delete(id);
      ended.set(session, clock.now() + sessionMs);
    },
    formToken: (session) => sign('form', session),
    isFormToken: (session, given) => same(given, sign('form', session)),
  };
}

export const bearerToken = (headers: IncomingHttpHeaders): string | undefined =>
  headers.authorization?.match(/^Bearer +(\S+)$/i)?.[1];

/** A name for the history: one line, printable. */
const personName = (given: string): string =>
  given
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME) || 'somebody';

function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}

/**
 * False when another site made the browser send this. Browsers that send Sec-Fetch-Site cannot be made to lie; others
 * send Origin with every POST. Only the host is compared: behind a proxy the scheme differs.
 */
export function fromThisSite(headers: IncomingHttpHeaders, host: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === host;
}
