import { isIPv6 } from 'node:net';
import type { Clock } from '../../platform/clock.ts';

/**
 * A limit per address and time window. Asking and counting are separate: counting only failures lets the right token in
 * however many wrong ones came from the same address.
 */
export interface Allowance {
  /** Milliseconds until the address may try again; undefined when it may now. */
  waitMs(address: string): number | undefined;
  count(address: string): void;
}

interface AllowanceOptions {
  limit: number;
  windowMs: number;
  clock: Clock;
}

/** Beyond this many addresses the oldest are forgotten, so that a flood does not fill the memory. */
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
    count(address) {
      const key = addressKey(address);
      const window = current(key);
      if (window !== undefined) {
        window.count += 1;
        return;
      }
      const oldest = windows.size >= MOST_ADDRESSES ? windows.keys().next().value : undefined;
      if (oldest !== undefined) windows.delete(oldest);
      windows.set(key, { since: clock.monotonic(), count: 1 });
    },
  };
}

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
