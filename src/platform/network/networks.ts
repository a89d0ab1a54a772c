import { BlockList, isIP, isIPv6 } from 'node:net';

interface Network {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address; undefined for anything else. */
export function networkOf(text: string): Network | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  const widest = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? widest : Number(bits);
  const whole = bits === undefined || /^\d{1,3}$/.test(bits);
  if (version === 0 || address.includes('%') || more.length > 0 || !whole || prefix > widest)
    return undefined;
  return { address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' };
}

/** Matches IPv4-mapped IPv6 (`::ffff:10.0.0.1`) by its IPv4 address. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = networkOf(text);
    if (network) list.addSubnet(network.address, network.prefix, network.family);
  }
  return list;
}

const isLoopbackAddress = inNetworks(['127.0.0.0/8', '::1']);

/** A name or an address of this machine, as URLs and sockets have it. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isLoopbackAddress(host.replace(/^\[|\]$/g, ''));

/** Whether an address is in one of the networks. Ignores a zone (`fe80::1%eth0`); false for anything not an address. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = networkList(networks);
  return (address) => {
    const [bare = ''] = address.split('%');
    return isIP(bare) !== 0 && list.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4');
  };
}
