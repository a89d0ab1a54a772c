import { setDefaultResultOrder } from 'node:dns';
import { getDefaultAutoSelectFamilyAttemptTimeout, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { SECOND } from '../duration.ts';

/** How long one address of a name is tried. */
export const ATTEMPT_MS = 5 * SECOND;

/**
 * For every client of this process. Where a name has several addresses, Node gives each 250 ms, so that nothing farther
 * away is ever reached. IPv4 comes first, because it is IPv6 that networks announce and then lose: each call would wait
 * for the lost address first.
 */
export function reachFarNetworks(): void {
  setDefaultResultOrder('ipv4first');
  setDefaultAutoSelectFamilyAttemptTimeout(Math.max(ATTEMPT_MS, getDefaultAutoSelectFamilyAttemptTimeout()));
}
