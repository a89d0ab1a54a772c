import { isIP } from 'node:net';

interface Hosts {
  /** From `http.allowed_hosts`; `*`: any. */
  allowed: readonly string[];
  publicUrl: URL | undefined;
  /** The address the server listens on. */
  listen: string;
}

const everywhere = ['0.0.0.0', '::'];

/**
 * Whether a request's Host header names this server. Otherwise a web page could point its own name at this address (DNS
 * rebinding) and read our pages. A literal IP address cannot be rebound, so any is accepted when the server listens on
 * all of them.
 */
export function hostCheck({ allowed, publicUrl, listen }: Hosts): (header: string | undefined) => boolean {
  if (allowed.includes('*')) return () => true;
  const names = new Set(
    ['localhost', listen, ...allowed, ...(publicUrl ? [publicUrl.hostname] : [])].map((name) => bare(name)),
  );
  const anyAddress = everywhere.includes(listen);
  return (header = '') => {
    const host = bare(header.replace(/:\d*$/, ''));
    if (names.has(host)) return true;
    return isIP(host) !== 0 && (anyAddress || host === '::1' || host.startsWith('127.'));
  };
}

const bare = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, '');
