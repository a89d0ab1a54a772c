import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Need } from '../../domain/report.ts';
import { unnamedProxy } from '../../domain/unnamed-proxy.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import type { Log } from '../../platform/log.ts';
import { inNetworks } from '../../platform/networks.ts';

/** The trusted reverse proxies, and what they may say about a request. */
export interface Proxies {
  /** For Fastify: is this address, `hop` hops away, a proxy of ours? Hop 0 opened the connection. */
  trusts(address: string | undefined, hop: number): boolean;
  /**
   * Deletes what an untrusted sender says about where a request came from and for which host, and warns once in the log.
   * Of a trusted one only addresses remain in `X-Forwarded-For`.
   */
  drop(request: IncomingMessage): void;
  /** For an hour after a proxy near us was seen that the configuration does not name: what to do about it. */
  needs(): Need[];
}

/** Nothing here reads `X-Real-IP`, but connectors see the headers. */
const forwarded = /^(forwarded|x-forwarded-.*|x-real-ip)$/;

interface ProxyOptions {
  /** How many there are (0: none), or the networks they are in. */
  trust: number | readonly string[];
  clock: Clock;
  log: Log;
  /** Called once. */
  onUntrusted?: (() => void) | undefined;
}

export function createProxies({ trust, clock, log, onUntrusted }: ProxyOptions): Proxies {
  const listed = typeof trust === 'number' ? undefined : inNetworks(trust);
  const trusts: Proxies['trusts'] = (address, hop) =>
    typeof trust === 'number' ? hop < trust : address !== undefined && listed?.(address) === true;
  let hasWarned = false;
  let nearSeenAt: number | undefined;

  return {
    trusts,
    drop({ headers, socket }) {
      if (trusts(socket.remoteAddress, 0)) {
        headers['x-forwarded-for'] = addressesIn(String(headers['x-forwarded-for'] ?? '')).join(', ');
        return;
      }
      const names = Object.keys(headers).filter((name) => forwarded.test(name));
      for (const name of names) delete headers[name];
      if (names.length === 0) return;
      if (isNear(socket.remoteAddress ?? '')) nearSeenAt = clock.now();
      if (hasWarned) return;
      hasWarned = true;
      log.warn('X-Forwarded headers of a proxy that http.trust_proxy does not name are ignored');
      onUntrusted?.();
    },
    needs: () =>
      nearSeenAt === undefined || clock.now() - nearSeenAt > HOUR
        ? []
        : [
            {
              kind: 'connector',
              subject: 'http',
              ...unnamedProxy,
              said: { name: 'proxy' },
              since: instant(nearSeenAt),
              urgent: false,
            },
          ],
  };
}

/**
 * The addresses of an `X-Forwarded-For`, without the ports that some proxies add. What is left of a text that is not an
 * address cannot be trusted, so it counts as written by that proxy's own visitor and is dropped.
 */
function addressesIn(header: string): string[] {
  const addresses = header.split(',').map((text) =>
    text
      .trim()
      .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
      .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
      // A zone (RFC 4007, 11) is any text.
      .replace(/%.*$/s, ''),
  );
  return addresses.slice(addresses.findLastIndex((address) => isIP(address) === 0) + 1);
}

/** On this machine or in its network: a stranger far away may write such headers, too. */
const isNear = inNetworks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);
