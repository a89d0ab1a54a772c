import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../test/support/bookings/running-bookings.ts';
import { sampleBooking } from '../../test/support/bookings/sample-booking.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { instant } from '../platform/clock.ts';
import { DAY } from '../platform/duration.ts';
import { createSettling, SETTLE_MS, unexplained } from './clinic-counter.ts';

describe('the clinic’s counter as evidence', () => {
  const running = runningBookings();

  it('does not count our own bookings confirmed between the two readings', async () => {
    const ref = await running.send('reset_before');
    for (const patient_phone of ['01911-222333', '01911-222444'])
      await running.world.accept({ patient_phone });
    running.world.clinic.bookByHand('Somebody Else', '2026-03-03', '12:00');
    await running.world.advance(11 * MINUTE);

    const unknown = await running.get(ref);

    expect(unknown.evidence).toMatchObject({ own_between: 2 });
    expect(unexplained(unknown)).toBe(1);
  });

  it('explains nothing when the clock was set back between the two readings', async () => {
    const ref = await running.send('reset_after');
    running.world.clock.jump(-60 * MINUTE);
    await running.world.advance(15 * MINUTE);

    const unknown = await running.get(ref);

    expect(unknown.evidence?.counter_after).toBeDefined();
    expect(unexplained(unknown)).toBeUndefined();
  });
});

it('settles within ten minutes of a start what was sent tomorrow by a clock since set back', async () => {
  const clock = fakeClock();
  const settling = createSettling(clock);
  const booking = sampleBooking({ state: 'unknown', changed_at: instant(clock.now() + DAY) });

  const first = settling.inMs(booking);
  await clock.advance(SETTLE_MS);

  expect([first, settling.inMs(booking)]).toEqual([SETTLE_MS, 0]);
});
