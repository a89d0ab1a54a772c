import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../../platform/network/networks.ts';

interface Hosts {
  /** From `http.allowed_hosts`; `*` allows any. */
  allowed: readonly string[];
  publicUrl: URL | undefined;
  /** The address the server listens on. */
  listen: string;
}

const everywhere = ['0.0.0.0', '::'];

/**
 * Whether a request's Host header names this server. Otherwise a web page could point its own name at this address (DNS
 * rebinding) and read our pages. A literal IP address cannot be rebound, so when listening on all addresses, any is
 * accepted.
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

const forwarded = /^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/i;

/** True for a request from this machine that no proxy claims to have forwarded. */
export const isFromThisMachine = ({
  socket,
  rawHeaders,
}: Pick<IncomingMessage, 'socket' | 'rawHeaders'>): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  !rawHeaders.some((name, i) => i % 2 === 0 && forwarded.test(name));

const bare = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, '');
