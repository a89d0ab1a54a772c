import type { IncomingHttpHeaders } from 'node:http';

const NAME = 'clinic_sync_session';

/** Whether a browser has signed in here once, perhaps no longer. */
export const hasSession = ({ cookie }: IncomingHttpHeaders): boolean => cookie?.includes(NAME) === true;

export function readCookie({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  for (const pair of cookie.split(';')) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}

export interface SessionCookie {
  read(headers: IncomingHttpHeaders): string | undefined;
  /** The `Set-Cookie` header. */
  set(value: string, maxAgeSeconds: number): string;
}

interface CookiePlace {
  secure: boolean;
  path: string;
}

/**
 * Over HTTPS, the name's prefix binds the cookie to this host (`__Host-`) or, under a path of a shared host, to HTTPS
 * (`__Secure-`), so that neither another site nor plain HTTP can plant one (RFC 6265bis, 4.1.3).
 */
const boundCookie =
  (bare: string, sameSite: 'Strict' | 'Lax') =>
  ({ secure, path }: CookiePlace): SessionCookie => {
    const prefix = !secure ? '' : path === '/' ? '__Host-' : '__Secure-';
    const name = `${prefix}${bare}`;
    return {
      read: (headers) => readCookie(headers, name),
      set: (value, maxAge) =>
        `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`,
    };
  };

export const sessionCookie = boundCookie(NAME, 'Strict');

/** Of a browser on its way to a provider, which sends it back from another site. */
export const flowCookie = boundCookie('clinic_sync_oidc', 'Lax');
