import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type CheckLine, fail, ok, warn } from '../../src/connector.ts';
import { unreachableFailure } from './answer.ts';
import type { Destinations } from './destination.ts';

interface Checked {
  url: URL;
  destinations: Destinations;
  timeoutMs: number;
  includePatient: boolean;
  shortSecret: boolean;
}

/** Resolves the name, connects, completes the TLS handshake if there is one, and disconnects. Posts nothing. */
export async function checkReceiver(checked: Checked, signal: AbortSignal): Promise<CheckLine[]> {
  const { url, includePatient, shortSecret } = checked;
  const lines: CheckLine[] = [];
  try {
    await reach(checked, signal);
    const secured = url.protocol === 'https:' ? ' and has a valid certificate' : '';
    lines.push(ok(`${url.host} can be reached${secured}`));
  } catch (error) {
    lines.push(fail(unreachableFailure(error, url.host)));
  }
  if (url.protocol === 'http:' && includePatient)
    lines.push(warn('Patient data goes out unencrypted', 'Use https, or take patient out of include.'));
  if (shortSecret)
    lines.push(
      warn(
        'The secret is shorter than 24 bytes',
        'Make one with `openssl rand -base64 24` and put whsec_ before it.',
      ),
    );
  return lines;
}

async function reach({ url, destinations, timeoutMs }: Checked, signal: AbortSignal): Promise<void> {
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
