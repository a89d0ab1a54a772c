import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { Destinations } from './destination.ts';
import { proxyFailure, proxyFor, proxyName } from './outgoing-proxy.ts';

interface Reached {
  url: URL;
  destinations: Destinations;
  timeoutMs: number;
}

/**
 * Resolves the name, connects, completes any TLS handshake, and disconnects. Resolves to what was reached: the host, or
 * the proxy that calls without TLS go through, which cannot be taken farther without a request. Throws the original
 * error.
 */
export async function reach({ url, destinations, timeoutMs }: Reached, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  destinations.admit(url);
  const proxy = proxyFor(url, process.env);
  if (proxy !== undefined) await destinations.admitName(url.hostname);
  const limit = { timeoutMs, signal };
  const isSecure = url.protocol === 'https:';
  if (proxy === undefined) {
    const { lookup } = destinations;
    await opened(
      isSecure ? connectTls({ ...tlsTo(url), lookup }) : connectPlain({ ...to(url), lookup }),
      limit,
    );
    return url.host;
  }
  try {
    if (!isSecure) await opened(openTo(proxy.url), limit);
    else await opened(connectTls({ ...tlsTo(url), socket: await tunnel(proxy.url, url, limit) }), limit);
    return isSecure ? url.host : proxyName(proxy);
  } catch (error) {
    throw proxyFailure(error, proxy);
  }
}

const to = ({ protocol, hostname, port }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
});

const tlsTo = (url: URL) => {
  const { host, port } = to(url);
  return { host, port, servername: isIP(host) === 0 ? host : '' };
};

const openTo = (url: URL): Socket =>
  url.protocol === 'https:' ? connectTls(tlsTo(url)) : connectPlain(to(url));

interface Limit {
  timeoutMs: number;
  signal: AbortSignal;
}

/** Resolves when it is connected, and closed again. */
function opened(socket: Socket, { timeoutMs, signal }: Limit): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const stop = () => socket.destroy(new Error('stopped'));
    const tooLate = () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }));
    signal.addEventListener('abort', stop, { once: true });
    socket.setTimeout(timeoutMs, tooLate);
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => socket.destroy());
    socket.once('error', reject);
    socket.once('close', () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}

/** A way through the proxy to the host. */
function tunnel(proxy: URL, url: URL, { timeoutMs, signal }: Limit): Promise<Socket> {
  const { host, port } = to(url);
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers = {
    host: path,
    ...(user !== ':' && { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
  };
  const request = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  const refused = () => Object.assign(new Error('no tunnel'), { code: 'ERR_PROXY_TUNNEL' });
  return new Promise<Socket>((resolve, reject) => {
    const asked = request({
      ...to(proxy),
      method: 'CONNECT',
      path,
      headers,
      signal,
      timeout: timeoutMs,
      agent: false,
    });
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(refused());
    });
    asked.once('timeout', () => asked.destroy(refused()));
    asked.once('error', () => reject(refused()));
    asked.end();
  });
}
