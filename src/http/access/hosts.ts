import { isIP } from 'node:net';

interface Hosts {
  /** From `http.allowed_hosts`; `*`: any. */
  allowed: readonly string[];
  publicUrl: URL | undefined;
  /** What is listened on. */
  listen: string;
}

const everywhere = ['0.0.0.0', '::'];

/**
 * Whether a request's Host header names this server. Otherwise a web page could point a name of its own at this address
 * (DNS rebinding) and read as if it were ours. An address written as such cannot be pointed elsewhere: where all
 * addresses are listened on, each of them is a name of this server.
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
