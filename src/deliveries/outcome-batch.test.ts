import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { Failure } from '../platform/failure.ts';
import { gather } from './outcome-batch.ts';
import type { Attempt } from './pool.ts';

const attempt = (failure?: Failure): Attempt => ({ delivery: {} as never, failure, release: () => {} });

describe('outcomes that are written down together', () => {
  it('wait for others, but not longer than a moment', async () => {
    const clock = fakeClock();
    const gathered = gather(clock);

    gathered.add([attempt()]);
    const before = gathered.ripe;
    await clock.advance(50);

    expect([before, gathered.ripe]).toEqual([false, true]);
    await expect(gathered.aged).resolves.toBeUndefined();
  });

  it('do not wait once there are many', () => {
    const gathered = gather(fakeClock());

    gathered.add(Array.from({ length: 128 }, () => attempt()));

    expect(gathered.ripe).toBe(true);
  });

  it('do not wait with a failure among them, which decides what may be sent next', () => {
    const gathered = gather(fakeClock());

    gathered.add([attempt(), attempt(new Failure({ kind: 'transient', message: 'refused' }))]);

    expect(gathered.ripe).toBe(true);
  });

  it('give nothing to wait for while there are none', () => {
    const gathered = gather(fakeClock());

    gathered.add([attempt()]);
    gathered.take();

    expect(gathered.aged).toBeUndefined();
  });

  it('begin to wait again after they were taken', async () => {
    const clock = fakeClock();
    const gathered = gather(clock);
    gathered.add([attempt()]);
    await clock.advance(40);

    const taken = gathered.take();
    gathered.add([attempt()]);
    await clock.advance(40);

    expect(taken).toHaveLength(1);
    expect([gathered.size, gathered.ripe, clock.sleeping]).toEqual([1, false, 1]);
  });
});
