import { isIPv6 } from 'node:net';
import type { Clock } from '../../platform/clock.ts';
import { inNetworks } from '../../platform/network/networks.ts';

/**
 * A limit per address and time window. Asking and counting are separate, so that by counting only failures a valid
 * token is accepted however many wrong ones came from the same address.
 */
export interface Allowance {
  /** Milliseconds until the address may try again; undefined when it may now. */
  waitMs(address: string): number | undefined;
  /** Counts one request, or `units` of them. */
  count(address: string, units?: number): void;
}

interface AllowanceOptions {
  limit: number;
  windowMs: number;
  clock: Clock;
}

/** Beyond this, the oldest addresses are forgotten, so that a flood does not fill the memory. */
const MOST_ADDRESSES = 10_000;

export function createAllowance({ limit, windowMs, clock }: AllowanceOptions): Allowance {
  const windows = new Map<string, { since: number; count: number }>();

  const current = (key: string) => {
    const found = windows.get(key);
    if (found === undefined || clock.monotonic() - found.since < windowMs) return found;
    windows.delete(key);
    return undefined;
  };

  return {
    waitMs(address) {
      const window = current(addressKey(address));
      if (window === undefined || window.count < limit) return undefined;
      return window.since + windowMs - clock.monotonic();
    },
    count(address, units = 1) {
      const key = addressKey(address);
      const window = current(key);
      if (window !== undefined) {
        window.count += units;
        return;
      }
      const oldest = windows.size >= MOST_ADDRESSES ? windows.keys().next().value : undefined;
      if (oldest !== undefined) windows.delete(oldest);
      windows.set(key, { since: clock.monotonic(), count: units });
    },
  };
}

/** Allows what every one of them allows. */
export const all = (allowances: readonly Allowance[]): Allowance => ({
  waitMs(address) {
    const longest = Math.max(...allowances.map((one) => one.waitMs(address) ?? 0));
    return longest > 0 ? longest : undefined;
  },
  count(address) {
    for (const one of allowances) one.count(address);
  },
});

/** Without a limit for these networks. */
export function exceptFor(networks: readonly string[], allowance: Allowance): Allowance {
  const isExcepted = inNetworks(networks);
  return {
    waitMs: (address) => (isExcepted(address) ? undefined : allowance.waitMs(address)),
    count: (address, units) => (isExcepted(address) ? undefined : allowance.count(address, units)),
  };
}

/** Counts all addresses together. */
export const together = (allowance: Allowance): Allowance => ({
  waitMs: () => allowance.waitMs(''),
  count: (_address, units) => allowance.count('', units),
});

/** What counts as one visitor: an IPv4 address, or an IPv6 /64, which usually belongs to one customer. */
export function addressKey(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(mapped)) return mapped;
  const [head = '', tail] = mapped.toLowerCase().split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...right].slice(0, 4).join(':');
}
