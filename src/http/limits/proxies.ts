import type { IncomingMessage } from 'node:http';
import type { Need } from '../../domain/report.ts';
import { unnamedProxy } from '../../domain/unnamed-proxy.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import type { Log } from '../../platform/log.ts';
import { inNetworks } from '../../platform/networks.ts';

/** The reverse proxies in front, and what they may say about a request. */
export interface Proxies {
  /** For Fastify: is this address, so many hops from here, one of ours? (0: whoever opened the connection.) */
  trusts(address: string | undefined, hop: number): boolean;
  /** Takes away what nobody we trust has said: where a request came from, and for which host. */
  drop(request: IncomingMessage): void;
}

/** `X-Real-IP` is read nowhere; connectors see headers, too. */
const forwarded = /^(forwarded|x-forwarded-.*|x-real-ip)$/;

interface ProxyOptions {
  /** How many there are (0: none), or the networks they are in. */
  trust: number | readonly string[];
  /** A proxy is in front that the configuration does not name. `near`: it is on this machine or in its network. */
  onUntrusted(near: boolean): void;
}

export function createProxies({ trust, onUntrusted }: ProxyOptions): Proxies {
  const listed = typeof trust === 'number' ? undefined : inNetworks(trust);
  const trusts: Proxies['trusts'] = (address, hop) =>
    typeof trust === 'number' ? hop < trust : address !== undefined && listed?.(address) === true;

  return {
    trusts,
    drop({ headers, socket }) {
      if (trusts(socket.remoteAddress, 0)) return;
      const names = Object.keys(headers).filter((name) => forwarded.test(name));
      for (const name of names) delete headers[name];
      if (names.length > 0) onUntrusted(near(socket.remoteAddress ?? ''));
    },
  };
}

const near = inNetworks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);

interface UntrustedOptions {
  clock: Clock;
  log: Log;
  /** Called once. */
  onUntrustedProxy?: () => void;
}

/** Says once in the log that a proxy is not named, and for an hour after it was last seen what to do about it. */
export function untrustedProxy({ clock, log, onUntrustedProxy }: UntrustedOptions): {
  seen(near: boolean): void;
  needs(): Need[];
} {
  let hasWarned = false;
  /** Of a proxy near us alone: a stranger far away may write such headers, too. */
  let seenAt: number | undefined;
  return {
    seen(near) {
      if (near) seenAt = clock.now();
      if (hasWarned) return;
      hasWarned = true;
      log.warn('X-Forwarded headers of a proxy that http.trust_proxy does not name are ignored');
      onUntrustedProxy?.();
    },
    needs: () =>
      seenAt === undefined || clock.now() - seenAt > HOUR
        ? []
        : [{ kind: 'connector', subject: 'http', ...unnamedProxy, since: instant(seenAt), urgent: false }],
  };
}
