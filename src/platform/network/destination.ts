import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { inNetworks } from './networks.ts';
import { isPublicName } from './outgoing-proxy.ts';

/**
 * Addresses that a mistyped or hostile URL must not reach from inside the clinic's network: this machine, its
 * neighbours, the cloud's metadata service (169.254.169.254) and everything else that is not public unicast (IANA
 * special-purpose registries).
 */
const closedNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's own services (DHCP, DNS, health, keys), reachable from every virtual machine there.
  '168.63.129.16',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  // SIIT (RFC 7915), NAT64, Teredo, 6to4: they embed an IPv4 address, which may be any of the above.
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/23',
  '2002::/16',
  '100::/64',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
] as const;

const closed = inNetworks(closedNetworks);

/** The name was resolved, but none of its addresses may be used. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ADDRESS_REFUSED';
}

export interface Destinations {
  allowed(address: string): boolean;
  /** Throws AddressRefused when the URL contains a closed address; resolves no name. */
  admit(url: URL): void;
  /**
   * For sockets. Checks the very addresses the socket will connect to: an earlier check would be worthless against a
   * name that resolves differently the second time (DNS rebinding).
   */
  readonly lookup: LookupFunction;
  /** The same for a name that a proxy will resolve once more. What only the proxy can resolve must be a public name. */
  admitName(host: string): Promise<void>;
}

export function destinations(
  allowNetworks: readonly string[],
  resolve: LookupFunction = systemLookup,
): Destinations {
  const opened = inNetworks(allowNetworks);
  const allowed = (address: string) =>
    isIP(address.split('%')[0] ?? '') !== 0 && (opened(address) || !closed(address));

  return {
    allowed,
    admit(url) {
      const host = url.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !allowed(host)) throw new AddressRefused(host);
    },
    admitName: (host) =>
      new Promise((done, refuse) => {
        if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return done();
        resolve(host, { all: true }, (error, found) => {
          const isAllowed = error
            ? isPublicName(host)
            : Array.isArray(found) && found.every(({ address }) => allowed(address));
          if (isAllowed) done();
          else refuse(new AddressRefused(host));
        });
      }),
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, []);
        const usable = (Array.isArray(found) ? found : []).filter(({ address }) => allowed(address));
        const [first] = usable;
        if (first === undefined) return callback(new AddressRefused(hostname), []);
        if (options.all === true) return callback(null, usable);
        callback(null, first.address, first.family);
      });
    },
  };
}
