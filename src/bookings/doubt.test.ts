import { describe, expect, it } from 'vitest';
import { enoughOwn, onVolume } from '../../test/support/bookings/volume.ts';
import type { World } from '../../test/support/bookings/world.ts';
import type { Submission } from '../domain/bookings/booking.ts';
import { instant } from '../platform/clock.ts';
import { MINUTE, SECOND } from '../platform/duration.ts';

/** Further ahead than the clinic books: waits for a person, who may approve it as it is. */
const farAhead = { appointment_date: '2027-12-01' };

const booking = async ({ store }: World, ref: string) => store.bookings.get(ref);
const sendsOf = ({ clinic }: World, ref: string) =>
  clinic.posts.filter((post) => post.ref === ref && post.answer === 'booked').length;

/** Waits for a person when the daemon stops. */
async function waiting(fields: Submission['fields'] = farAhead) {
  const volume = await onVolume();
  const { world, stop } = volume;
  await world.start();
  await enoughOwn(world);
  const { ref } = await world.accept(fields);
  await world.advance(SECOND);
  const again = async () => {
    await stop();
    volume.clock.jump(10 * MINUTE);
    world.clinic.bookByHand('Nadia Uddin', '2026-03-04', '09:00');
    await volume.start();
    await world.advance(MINUTE);
  };
  return {
    ...volume,
    ref,
    /** Stops, while the front desk books, and starts. */
    again,
    /** Copies the volume while stopped, runs with this action, and starts again from the copy. */
    async putBackAfter(work: () => Promise<unknown>) {
      await stop();
      volume.snapshot();
      await volume.start();
      await work();
      await world.advance(MINUTE);
      await stop();
      volume.clock.jump(10 * MINUTE);
      volume.putBack();
      await volume.start();
      await world.advance(MINUTE);
    },
  };
}

describe('a booking that was held when the copy was made', () => {
  it('is not resent by the approval that already sent it: the user is asked to look it up', async () => {
    const { world, ref, putBackAfter } = await waiting();
    await putBackAfter(() => world.bookings.approve(ref, 'Mina'));
    const before = await booking(world, ref);
    const { sentence } = await world.bookings.describe(ref);

    const approved = await world.bookings.approve(ref, 'Mina');
    await world.advance(10 * MINUTE);

    expect(before).toMatchObject({ state: 'held', reason: 'too_far' });
    expect(sentence).toMatch(/older copy; this may have been booked/);
    expect(approved).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect(approved.message).toMatch(/the clinic had 1003 appointments, now it has 1005/);
    expect(sendsOf(world, ref)).toBe(1);
  });

  it('stays as it is, and new leads are sent', async () => {
    const { world, ref, again } = await waiting();
    await again();

    const { ref: fresh } = await world.accept({ patient_phone: '01911-222555' });
    await world.advance(MINUTE);

    expect(world.bookings.sendingState('main').state).toBe('open');
    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'too_far' });
    expect(await booking(world, fresh)).toMatchObject({ state: 'booked' });
  });

  it('is sent by one approval when the clinic has nothing unknown here', async () => {
    const { world, clock, start, stop, ref } = await waiting();
    await stop();
    clock.jump(10 * MINUTE);
    await start();
    await world.advance(MINUTE);

    await world.bookings.approve(ref, 'Mina');
    await world.advance(MINUTE);

    expect(sendsOf(world, ref)).toBe(1);
  });

  it('is sent once a user states that it is not there, but not by a double click', async () => {
    const { world, ref, again } = await waiting();
    await again();

    await world.bookings.approve(ref, 'Mina');
    const clicked = await world.bookings.approve(ref, 'Mina');
    await world.advance(MINUTE);
    const before = sendsOf(world, ref);
    await world.bookings.approve(ref, 'Mina');
    await world.advance(MINUTE);

    expect(clicked).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect([before, sendsOf(world, ref)]).toEqual([0, 1]);
  });

  it('needs another answer when the first was about an earlier copy', async () => {
    const { world, ref, again } = await waiting();
    await again();
    await world.pauseSending();
    await world.bookings.approve(ref, 'Mina');
    await world.advance(MINUTE);
    await world.bookings.approve(ref, 'Mina');
    await world.bookings.edit(ref, { appointment_time: 'noon' }, 'Mina');
    await again();

    await world.bookings.edit(ref, { appointment_time: '12:00' }, 'Mina');
    const approved = await world.bookings.approve(ref, 'Mina');

    expect(approved).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it('needs the answer even when corrected first', async () => {
    const { world, ref, putBackAfter } = await waiting({ appointment_time: '10.00 or so' });
    const correct = async () => {
      await world.bookings.edit(ref, { appointment_time: '10:00' }, 'Mina');
      return await world.bookings.approve(ref, 'Mina');
    };
    await putBackAfter(correct);

    const approved = await correct();
    await world.advance(10 * MINUTE);

    expect(approved).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect(sendsOf(world, ref)).toBe(1);
  });

  it('needs the answer when the clock was set back meanwhile', async () => {
    const { world, clock, start, stop, ref } = await waiting();
    await stop();
    clock.jump(-60 * MINUTE);
    world.clinic.bookByHand('Nadia Uddin', '2026-03-04', '09:00');
    await start();
    await world.advance(MINUTE);

    const approved = await world.bookings.approve(ref, 'Mina');

    expect(approved).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it('is not sent by a command that releases it during the comparison', async () => {
    const { world, clock, ref, again } = await waiting();
    await again();
    const { attempt = 0 } = (await booking(world, ref)) ?? {};
    const at = instant(clock.now());

    await world.store.bookings.move({
      ref,
      attempt,
      from: ['held'],
      to: 'queued',
      actor: 'person',
      by: 'Mina',
      at,
    });
    world.bookings.wake();
    await world.advance(MINUTE);

    expect(sendsOf(world, ref)).toBe(0);
    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it('is not replaced by a changed submission before a user has looked it up', async () => {
    const { world, again } = await waiting();
    const first = await world.accept(farAhead, { submission_id: 'row 1' });
    const changed = { ...farAhead, appointment_time: '11:00' };
    const { ref } = await world.accept(changed, { submission_id: 'row 1' });
    await again();

    await expect(world.bookings.take(ref, 'Mina')).rejects.toThrow(
      `${first.ref} may have been booked already`,
    );
  });
});

describe('a booking that the clinic had refused when the copy was made', () => {
  const refused = async () => {
    const volume = await onVolume();
    await volume.world.start();
    await enoughOwn(volume.world);
    volume.world.clinic.script.push('refused');
    const { ref } = await volume.world.accept();
    await volume.world.advance(SECOND);
    await volume.stop();
    return { ...volume, ref };
  };

  it.each([
    ['the number of appointments', 0],
    ['an appointment of its name', 1],
  ])('needs a confirmation before it is sent again, because of %s', async (_what, uncounted) => {
    const { world, clock, start, stop, snapshot, putBack, ref } = await refused();
    snapshot();
    await start();
    await world.bookings.approve(ref, 'Mina');
    await world.advance(MINUTE);
    await stop();
    clock.jump(10 * MINUTE);
    putBack();
    world.clinic.uncounted = uncounted;
    await start();
    await world.advance(MINUTE);

    const approved = await world.bookings.approve(ref, 'Mina');
    await world.advance(10 * MINUTE);

    expect(approved).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect(sendsOf(world, ref)).toBe(1);
  });
});
