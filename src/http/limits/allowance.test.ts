import { expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { addressKey, createAllowance } from './allowance.ts';

it('counts each address separately', () => {
  const allowance = createAllowance({ limit: 1, windowMs: 1_000, clock: fakeClock() });

  allowance.count('192.0.2.1');

  expect(allowance.waitMs('192.0.2.1')).toBe(1_000);
  expect(allowance.waitMs('192.0.2.2')).toBeUndefined();
});

it('starts again when the window has passed, whatever the wall clock does', async () => {
  const clock = fakeClock();
  const allowance = createAllowance({ limit: 1, windowMs: 1_000, clock });
  allowance.count('192.0.2.1');

  clock.jump(86_400_000);
  const jumped = allowance.waitMs('192.0.2.1');
  await clock.advance(1_000);

  expect(jumped).toBe(1_000);
  expect(allowance.waitMs('192.0.2.1')).toBeUndefined();
});

it('forgets the longest known address rather than grow without bound', () => {
  const allowance = createAllowance({ limit: 1, windowMs: 1_000, clock: fakeClock() });
  for (let i = 0; i <= 10_000; i += 1) allowance.count(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);

  expect(allowance.waitMs('10.0.0.0')).toBeUndefined();
  expect(allowance.waitMs('10.0.0.1')).toBe(1_000);
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
])('counts %s as %s', (address, network) => {
  expect(addressKey(address)).toBe(network);
});
