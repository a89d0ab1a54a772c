import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Destinations } from './destination.ts';

interface Reached {
  url: URL;
  destinations: Destinations;
  timeoutMs: number;
}

/** Resolves the name, connects, completes any TLS handshake, and disconnects. Throws the original error. */
export async function reach({ url, destinations, timeoutMs }: Reached, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  destinations.admit(url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const { lookup } = destinations;

  await new Promise<void>((resolve, reject) => {
    const socket =
      url.protocol === 'https:'
        ? connectTls({ host, port, lookup, servername: isIP(host) === 0 ? host : '' })
        : connectPlain({ host, port, lookup });
    const stop = () => socket.destroy(new Error('stopped'));
    const tooLate = () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }));
    signal.addEventListener('abort', stop, { once: true });
    socket.setTimeout(timeoutMs, tooLate);
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => socket.destroy());
    socket.once('error', reject);
    socket.once('close', () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}
