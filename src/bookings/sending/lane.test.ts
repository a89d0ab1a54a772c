import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { silentLog } from '../../model/log.ts';
import { createBookings } from '../bookings.ts';

const DAY = 24 * 60 * MINUTE;

describe('when the clock is set back', () => {
  const running = runningBookings();

  it('sends what waits for its next try all the same', async () => {
    const ref = await running.send('never_sent');

    running.world.clock.jump(-DAY);
    await running.world.advance(2 * MINUTE);

    expect((await running.get(ref)).state).toBe('booked');
  });

  it('takes no word from before a pause for one about it', async () => {
    const { store, clock, clinic, settings } = running.world;
    const besides = createBookings({
      store,
      clinics: new Map([['main', { clinic, settings }]]),
      sources: new Map(),
      clock,
      log: silentLog,
    });
    await besides.resumeLane('main', 'Mina');
    clock.jump(-DAY);
    clinic.script.push('reset_before', 'reset_before', 'reset_before');
    for (const time of ['10:00', '11:00', '12:00', '13:00'])
      await running.world.accept({ appointment_time: time });

    await running.world.advance(3 * MINUTE);

    expect(running.world.bookings.lane('main').state).toBe('paused');
    expect(clinic.posts).toHaveLength(3);
  });
});
