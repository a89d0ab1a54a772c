import { type CheckLine, fail, ok, warn } from '../../src/connector.ts';
import type { Destinations } from '../../src/platform/destination.ts';
import { reach } from '../../src/platform/reach.ts';
import { unreachable } from './answer.ts';

interface Checked {
  url: URL;
  destinations: Destinations;
  timeoutMs: number;
  includePatient: boolean;
  shortSecret: boolean;
}

/** Resolves the name, connects, completes any TLS handshake and disconnects. Posts nothing. */
export async function checkReceiver(checked: Checked, signal: AbortSignal): Promise<CheckLine[]> {
  const { url, includePatient, shortSecret } = checked;
  const lines: CheckLine[] = [];
  try {
    await reach(checked, signal);
    const secured = url.protocol === 'https:' ? ' and has a valid certificate' : '';
    lines.push(ok(`${url.host} can be reached${secured}`));
  } catch (error) {
    lines.push(fail(unreachable(error, url.host)));
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
