import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bookingsWorld, type World } from '../../test/support/bookings-world.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { silentLog } from '../model/log.ts';
import { openStore } from '../store/sqlite.ts';

describe('bookings', () => {
  let world: World;
  beforeEach(async () => {
    const clock = fakeClock();
    const store = await openStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
    world = bookingsWorld({ store, clock });
    await world.start();
  });
  afterEach(async () => {
    const stopped = world.bookings.stop();
    await world.advance(10_000);
    await stopped;
    await world.store.close();
  });

  it('books a lead once and tells its source the number', async () => {
    const { ref } = await world.accept();

    await world.advance(1_000);

    expect(await world.bookings.find('main-form', ref)).toMatchObject({
      state: 'booked',
      appointment_id: 101,
    });
    expect(world.clinic.posts).toHaveLength(1);
    expect(world.clinic.posts[0]?.request.note).toBe(`[${ref}]`);
  });
});
