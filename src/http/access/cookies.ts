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

/**
 * Over HTTPS, the name's prefix binds the cookie to this host (`__Host-`) or, under a path of a shared host, to HTTPS
 * (`__Secure-`), so that neither another site nor plain HTTP can plant one (RFC 6265bis, 4.1.3).
 */
export function sessionCookie({ secure, path }: { secure: boolean; path: string }): SessionCookie {
  const prefix = !secure ? '' : path === '/' ? '__Host-' : '__Secure-';
  const name = `${prefix}${NAME}`;
  return {
    read: (headers) => readCookie(headers, name),
    set: (value, maxAge) =>
      `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`,
  };
}
