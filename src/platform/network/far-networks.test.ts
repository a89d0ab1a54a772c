import { getDefaultResultOrder } from 'node:dns';
import { getDefaultAutoSelectFamilyAttemptTimeout, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reachFarNetworks } from './far-networks.ts';

const before = getDefaultAutoSelectFamilyAttemptTimeout();
beforeEach(() => setDefaultAutoSelectFamilyAttemptTimeout(250));
afterEach(() => setDefaultAutoSelectFamilyAttemptTimeout(before));

it('gives each address of a name 5 s, IPv4 first', () => {
  reachFarNetworks();

  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBe(5_000);
  expect(getDefaultResultOrder()).toBe('ipv4first');
});

it('leaves a longer time that the operator has set', () => {
  setDefaultAutoSelectFamilyAttemptTimeout(20_000);

  reachFarNetworks();

  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBe(20_000);
});
