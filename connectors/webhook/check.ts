import { type CheckLine, fail, ok, stated, warn } from '../../src/connector.ts';
import type { Destinations } from '../../src/platform/network/destination.ts';
import { reach } from '../../src/platform/network/reach.ts';
import { unreachableFailure } from '../../src/platform/network/unreachable.ts';

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
    const code = url.protocol === 'https:' ? 'check_certificate' : 'check_reachable';
    lines.push(ok(stated(code, { host: url.host })));
  } catch (error) {
    lines.push(fail(unreachableFailure(error, url.host)));
  }
  if (url.protocol === 'http:' && includePatient) lines.push(warn(stated('check_unencrypted', {})));
  if (shortSecret) lines.push(warn(stated('check_short_secret', {})));
  return lines;
}
