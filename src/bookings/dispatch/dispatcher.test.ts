import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { enoughOwn } from '../../../test/support/bookings/volume.ts';
import { silentLog } from '../../platform/log.ts';
import { createBookings } from '../bookings.ts';

const DAY = 24 * 60 * MINUTE;

describe('resuming what is not paused', () => {
  const running = runningBookings();

  it('takes no reading from a booking that is about to be sent', async () => {
    const { clinic, bookings } = running.world;
    const { book } = clinic;
    clinic.book = async (request, options) => {
      await bookings.resumeSending('main', 'Mina');
      return await book(request, options);
    };

    const ref = await running.send();

    expect((await running.get(ref)).state).toBe('booked');
    expect(clinic.posts).toHaveLength(1);
  });
});

describe('when the clock is set back', () => {
  const running = runningBookings();

  it('still sends what waits for its next try', async () => {
    const ref = await running.send('never_sent');

    running.world.clock.jump(-DAY);
    await running.world.advance(2 * MINUTE);

    expect((await running.get(ref)).state).toBe('booked');
  });

  it.each([
    ['by less than the clinic was down', 0, 60 * MINUTE],
    ['after it was set forward meanwhile', 2 * DAY, 2 * DAY],
  ])('sends minutes after the clinic is back, %s', async (_, forward, back) => {
    const { clock, clinic } = running.world;
    // What waits over a leap ahead is compared with the clinic, which needs numbers of our own.
    await enoughOwn(running.world);
    clinic.failReads = Number.POSITIVE_INFINITY;
    const { ref } = await running.world.accept({ appointment_date: '2026-03-20' });
    await running.world.advance(120 * MINUTE);
    clock.jump(forward);
    await running.world.advance(10 * MINUTE);

    clock.jump(-back);
    clinic.failReads = 0;
    await running.world.advance(6 * MINUTE);

    expect((await running.get(ref)).state).toBe('booked');
  });

  it('applies a resume request to a pause that began in the future', async () => {
    const { store, clock, clinic, settings } = running.world;
    const besides = createBookings({
      store,
      clinics: new Map([['main', { clinic, settings }]]),
      sources: new Map(),
      clock,
      log: silentLog,
    });
    await running.world.pauseSending();
    clock.jump(-DAY);

    await besides.resumeSending('main', 'Mina');
    await running.world.advance(2 * MINUTE);

    expect(running.world.bookings.sendingState('main').state).toBe('open');
  });

  it('ignores a resume request made before the pause', async () => {
    const { store, clock, clinic, settings } = running.world;
    const besides = createBookings({
      store,
      clinics: new Map([['main', { clinic, settings }]]),
      sources: new Map(),
      clock,
      log: silentLog,
    });
    await besides.resumeSending('main', 'Mina');
    clock.jump(-DAY);
    clinic.script.push('reset_before', 'reset_before', 'reset_before');
    for (const time of ['10:00', '11:00', '12:00', '13:00'])
      await running.world.accept({ appointment_time: time });

    await running.world.advance(3 * MINUTE);

    expect(running.world.bookings.sendingState('main').state).toBe('paused');
    expect(clinic.posts).toHaveLength(3);
  });
});

describe('the dispatcher', () => {
  const running = runningBookings();
  const other = { patient_name: 'Nadia Islam', patient_phone: '01911-222333' };

  it('reads the clinic again after a refusal, before it sends the next', async () => {
    const { clinic } = running.world;
    const proven: boolean[] = [];
    clinic.onPost = () => void proven.push(clinic.proven);
    await running.send('refused');

    await running.world.accept(other);
    await running.world.advance(1_000);

    expect(proven).toEqual([true, true]);
  });

  it('resumes as soon as the clinic grants a token again', async () => {
    await running.send('booked');
    running.world.clinic.script.push('no_token');
    const { ref } = await running.world.accept(other);

    await running.world.advance(15_000);

    expect(await running.get(ref)).toMatchObject({ state: 'booked' });
  });

  it('reads the counter again before a send when the last reading is a minute old', async () => {
    await running.send('booked');
    running.world.clinic.bookByHand('Somebody Else', '2026-03-03', '12:00');
    await running.world.advance(2 * MINUTE);

    const { ref } = await running.world.accept(other);
    await running.world.advance(1_000);

    expect((await running.get(ref)).evidence).toMatchObject({ counter_before: { value: 1_002 } });
  });

  it('holds a booking to whose time the clinic has moved another visit of the same phone, until it is approved', async () => {
    const { world } = running;
    const visit = await running.send('booked');
    await world.pauseSending();
    const { ref } = await world.accept({ patient_name: 'Ada’s Mother', appointment_time: '17:00' });
    await running.observe(visit, { time: '17:00' });

    await world.bookings.resumeSending('main', 'Mina');
    await world.advance(MINUTE);
    const held = await running.get(ref);
    const posts = world.clinic.posts.length;
    await world.bookings.approve(ref, 'Mina');
    await world.advance(MINUTE);

    expect(held).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: visit });
    expect(posts).toBe(1);
    expect((await running.get(ref)).state).toBe('booked');
  });

  it('counts interrupted sends among the unknown outcomes that pause it', async () => {
    const { world } = running;
    world.clinic.script.push('reset_before', 'reset_before', 'silence_before');
    for (const appointment_time of ['10:00', '11:00', '12:00']) await world.accept({ appointment_time });
    await world.advance(10_000);
    world.crash();

    await world.start();
    await world.advance(1_000);

    expect(world.clinic.posts).toHaveLength(3);
    expect(world.bookings.sendingState('main').reason).toContain('Three bookings');
  });

  it.each([
    ['after a merge', 2, async () => {}],
    [
      'that a user has reviewed, after a merge',
      3,
      () => running.world.bookings.resumeSending('main', 'Mina'),
    ],
  ])('counts an unknown outcome %s once over a restart', async (_, count, review) => {
    const { world } = running;
    const times = ['10:00', '11:00', '12:00'].slice(0, count);
    world.clinic.script.push(...times.map(() => 'reset_before' as const));
    for (const appointment_time of times) await world.accept({ appointment_time });
    await world.advance(MINUTE);
    await review();
    await world.advance(MINUTE);
    for (const appointment_time of times) await world.accept({ appointment_time });
    world.crash();

    await world.start();
    await world.advance(1_000);

    expect(world.clinic.posts).toHaveLength(count);
    expect(world.bookings.sendingState('main').state).toBe('open');
  });

  it('lets another booking take the slot of one that was refused and dropped', async () => {
    const ref = await running.send('refused');
    await running.world.bookings.drop(ref, 'Mina');

    const next = await running.world.accept({ patient_name: 'Nadia Islam' });

    expect(next).toMatchObject({ state: 'queued' });
  });
});
