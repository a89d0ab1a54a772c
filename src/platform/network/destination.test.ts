import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AddressRefused, destinations } from './destination.ts';
import { networkOf } from './networks.ts';

const answering =
  (...addresses: string[]): LookupFunction =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const lookUp = (lookup: LookupFunction, all = true) =>
  new Promise<string | LookupAddress[]>((resolve, reject) => {
    lookup('crm.example', { all }, (error, found) => (error ? reject(error) : resolve(found)));
  });

describe('addresses', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '::ffff:0:7f00:1',
    '::ffff:0:10.0.0.1',
    '168.63.129.16',
    '2002:7f00:1::',
    '2001::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'not an address',
  ])('refuses %s', (address) => {
    const { allowed } = destinations([]);

    expect(allowed(address)).toBe(false);
  });

  it.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '::ffff:8.8.8.8', '2606:4700::1'])(
    'lets the public %s through',
    (address) => {
      const { allowed } = destinations([]);

      expect(allowed(address)).toBe(true);
    },
  );

  it('connects to exactly the networks that were allowed, in either notation', () => {
    const { allowed } = destinations(['10.5.0.0/16', 'fd00:1::/32', '192.168.1.7']);

    const opened = ['10.5.9.9', '::ffff:10.5.9.9', 'fd00:1::9', '192.168.1.7'].map(allowed);
    const closed = ['10.6.0.1', '::ffff:10.6.0.1', 'fd00:2::9', '192.168.1.8'].map(allowed);

    expect(opened).not.toContain(false);
    expect(closed).not.toContain(true);
  });
});

describe('lookup', () => {
  it('hands out only usable addresses when a name has both kinds', async () => {
    const { lookup } = destinations([], answering('10.0.0.1', '8.8.8.8', '::1'));

    await expect(lookUp(lookup)).resolves.toEqual([{ address: '8.8.8.8', family: 4 }]);
    await expect(lookUp(lookup, false)).resolves.toBe('8.8.8.8');
  });

  it('refuses a public name whose addresses are all private', async () => {
    const { lookup } = destinations([], answering('127.0.0.1', '::ffff:10.0.0.1'));

    await expect(lookUp(lookup)).rejects.toThrow(AddressRefused);
  });

  it('judges every answer, so that a name cannot change its address after the check', async () => {
    let asked = 0;
    const rebinding: LookupFunction = (name, options, callback) => {
      asked += 1;
      answering(asked === 1 ? '8.8.8.8' : '169.254.169.254')(name, options, callback);
    };
    const { lookup } = destinations([], rebinding);
    await lookUp(lookup);

    const second = lookUp(lookup);

    await expect(second).rejects.toThrow(AddressRefused);
  });
});

it.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
])('refuses %s, where no name is looked up', (url) => {
  const { admit } = destinations([]);

  expect(() => admit(new URL(url))).toThrow(AddressRefused);
});

it.each([
  '10.0.0.0/33',
  '10.0.0/8',
  'fd00::/129',
  '1.2.3.4/',
  'fe80::1%eth0/64',
  'example.com',
  '10.0.0.0/8/8',
])('does not take %s for a network', (text) => {
  expect(networkOf(text)).toBeUndefined();
});
