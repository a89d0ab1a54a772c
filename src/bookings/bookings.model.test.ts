import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { happening, tell } from '../../test/support/bookings-story.ts';
import { bookingsWorld } from '../../test/support/bookings-world.ts';
import { type FakeClock, fakeClock } from '../../test/support/fake-clock.ts';
import { silentLog } from '../model/log.ts';
import { openStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';

const stories = Math.ceil(300 * Number(process.env.VERIFY_RUNS ?? 1));

describe('bookings, whatever happens', () => {
  let store: Store;
  let clock: FakeClock;
  let told = 0;
  beforeAll(async () => {
    clock = fakeClock();
    store = await openStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  });
  afterAll(() => store.close());

  it('sends every accepted booking at most once unless a person releases it, and loses none', async () => {
    const t = performance.now();
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 3, maxLength: 12 }),
        fc.constantFrom('on_request' as const, 'auto' as const),
        async (story, reconcile) => {
          told += 1;
          await tell(bookingsWorld({ store, clock, key: `clinic-${told}`, rules: { reconcile } }), story);
        },
      ),
      { numRuns: stories },
    );
    console.log((performance.now() - t) / told, told);
    expect(told).toBeGreaterThanOrEqual(stories);
  }, 600_000);
});
