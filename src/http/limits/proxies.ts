import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { conditionNeed } from '../../domain/status/need-words.ts';
import type { Need } from '../../domain/status/report.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import type { Log } from '../../platform/log.ts';
import { inNetworks } from '../../platform/network/networks.ts';

/** The trusted reverse proxies, and what they may state about a request. */
export interface Proxies {
  /** For Fastify: whether this address, `hop` hops away, is one of our proxies. Hop 0 opened the connection. */
  trusts(address: string | undefined, hop: number): boolean;
  /**
   * Deletes what an untrusted sender states about a request's origin and host, and warns once in the log. From a
   * trusted one, keeps only addresses in `X-Forwarded-For`.
   */
  drop(request: IncomingMessage): void;
  /** The remedy, for an hour after a nearby proxy was seen that the configuration does not name. */
  needs(): Need[];
}

/** `X-Real-IP` is not read here, but connectors see the headers. */
const forwarded = /^(forwarded|x-forwarded-.*|x-real-ip)$/;

interface ProxyOptions {
  /** How many there are (0 for none), or their networks. */
  trust: number | readonly string[];
  clock: Clock;
  log: Log;
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
        : [conditionNeed('proxy', { since: instant(nearSeenAt) })],
  };
}

/**
 * The addresses of an `X-Forwarded-For`, without the ports that some proxies add. Text other than an address cannot be
 * trusted: it counts as written by that proxy's own visitor and is dropped.
 */
function addressesIn(header: string): string[] {
  const addresses = header.split(',').map((text) =>
    text
      .trim()
      .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
      .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
      // A zone (RFC 4007, 11) can be any text.
      .replace(/%.*$/s, ''),
  );
  return addresses.slice(addresses.findLastIndex((address) => isIP(address) === 0) + 1);
}

/** On this machine or its network; distant strangers can write such headers, too. */
export const isNear = inNetworks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);
