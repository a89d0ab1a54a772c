import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Destinations } from './destination.ts';
import { proxyFor } from './outgoing-proxy.ts';

interface Reached {
  url: URL;
  destinations: Destinations;
  timeoutMs: number;
}

/**
 * Resolves the name, connects (to the proxy, if calls go through one), completes any TLS handshake, and disconnects.
 * Throws the original error.
 */
export async function reach({ url, destinations, timeoutMs }: Reached, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  destinations.admit(url);
  const proxy = proxyFor(url, process.env);
  if (proxy !== undefined) await destinations.admitName(url.hostname);
  const { protocol, hostname, port: written } = proxy?.url ?? url;
  const host = hostname.replace(/^\[|\]$/g, '');
  const port = Number(written) || (protocol === 'https:' ? 443 : 80);
  const lookup = proxy === undefined ? destinations.lookup : undefined;

  await new Promise<void>((resolve, reject) => {
    const socket =
      protocol === 'https:'
        ? connectTls({ host, port, ...(lookup && { lookup }), servername: isIP(host) === 0 ? host : '' })
        : connectPlain({ host, port, ...(lookup && { lookup }) });
    const stop = () => socket.destroy(new Error('stopped'));
    const tooLate = () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }));
    signal.addEventListener('abort', stop, { once: true });
    socket.setTimeout(timeoutMs, tooLate);
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => socket.destroy());
    socket.once('error', reject);
    socket.once('close', () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}
