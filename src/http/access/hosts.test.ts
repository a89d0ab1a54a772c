import { expect, it } from 'vitest';
import { isFromThisMachine } from './hosts.ts';

const from = (remoteAddress: string, ...rawHeaders: string[]) =>
  isFromThisMachine({ rawHeaders, socket: { remoteAddress } } as Parameters<typeof isFromThisMachine>[0]);

it.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:192.0.2.1', false],
  ['192.0.2.1', false],
  ['fe80::1%lo', false],
  ['', false],
])('a connection from %j is this machine\u2019s own: %s', (address, isOwn) => {
  expect(from(address)).toBe(isOwn);
});

it.each(['X-Forwarded-For', 'x-real-ip', 'Forwarded', 'Via', 'X-Forwarded-Host'])(
  'a request that a proxy forwarded, as %s says, is not this machine\u2019s',
  (header) => {
    expect(from('127.0.0.1', 'Host', 'localhost', header, '127.0.0.1')).toBe(false);
  },
);
