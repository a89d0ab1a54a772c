import { describe, expect, it } from 'vitest';
import { enoughOwn, onVolume } from '../../test/support/bookings/volume.ts';
import type { World } from '../../test/support/bookings/world.ts';
import { MINUTE, SECOND } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';

const sendsOf = ({ clinic }: World, ref: string) =>
  clinic.posts.filter((post) => post.ref === ref && post.answer === 'booked').length;
const booking = async ({ store }: World, ref: string) => store.bookings.get(ref);
/** One that is not sent for a while: the clinic cannot be reached. */
async function queued(world: World): Promise<string> {
  world.clinic.script.push('never_sent', 'never_sent', 'never_sent');
  const { ref } = await world.accept();
  await world.advance(20 * SECOND);
  return ref;
}

describe('a power failure with one booking on the wire', () => {
  it('is explained by that booking, and what waited is sent', async () => {
    const { world, start } = await onVolume();
    await world.start();
    await enoughOwn(world);
    world.clinic.script.push('silence_after');
    const { ref: onWire } = await world.accept({ patient_name: 'Ada Rahman', patient_phone: '01911-222333' });
    await world.advance(SECOND);
    const { ref } = await world.accept({ patient_phone: '01911-333444', appointment_time: '15:00' });
    world.crash();
    await world.store.close();
    world.clock.suspend(30 * SECOND);

    await start();
    await world.advance(10 * MINUTE);

    expect(await booking(world, onWire)).toMatchObject({ state: 'unknown', reason: 'interrupted' });
    expect(await booking(world, ref)).toMatchObject({ state: 'booked' });
    expect(world.clinic.ledger.filter((entry) => entry.ref === onWire)).toHaveLength(1);
  });

  const bookAdaAt =
    (time: string) =>
    ({ clinic }: World) =>
      clinic.bookByHand('Ada Rahman', '2026-03-03', time);
  /** The newest appointment cannot be read. */
  function refuse(clinic: World['clinic']) {
    const shown = clinic.appointmentStatus;
    clinic.appointmentStatus = (id, ...more) =>
      id === clinic.ledger.at(-1)?.id
        ? Promise.reject(new Failure({ kind: 'refused', message: 'the clinic answered 403', status: 403 }))
        : shown(id, ...more);
  }
  /** Interrupted with one on the wire and one waiting; then the front desk is at work. */
  async function interrupted(desk: (world: World) => void, { own = true, arrived = false } = {}) {
    const { world, start } = await onVolume();
    await world.start();
    if (own) await enoughOwn(world);
    else {
      world.clinic.uncounted = 900;
      for (let n = 0; n < 4; n += 1) world.clinic.bookByHand(`Earlier ${n}`, '2026-03-02', `0${n}:00`);
    }
    await world.advance(MINUTE);
    world.clinic.script.push(arrived ? 'silence_after' : 'silence_before');
    const { ref: onWire } = await world.accept({ patient_name: 'Ada Rahman', patient_phone: '01911-222333' });
    await world.advance(SECOND);
    const { ref } = await world.accept({ patient_phone: '01911-333444', appointment_time: '15:00' });
    world.crash();
    await world.store.close();
    world.clock.suspend(30 * SECOND);
    desk(world);
    await start();
    await world.advance(10 * MINUTE);
    return { world, onWire, ref };
  }

  it.each([
    ['that arrived', { arrived: true }, 1],
    ['that did not arrive', { arrived: false }, 0],
  ])(
    'sends what waited beside one %s and bookings of the front desk for others',
    async (_what, how, times) => {
      const { world, onWire, ref } = await interrupted(({ clinic }) => {
        clinic.bookByHand('Somebody Else', '2026-03-03', '16:00');
        clinic.bookByHand('Nadia Islam', '2026-03-04', '10:00');
      }, how);

      expect(await booking(world, ref)).toMatchObject({ state: 'booked' });
      expect(world.clinic.ledger.filter((entry) => entry.ref === onWire)).toHaveLength(times);
      expect(sendsOf(world, ref)).toBe(1);
      expect(world.bookings.sendingState('main').state).toBe('open');
    },
  );

  it.each<[string, (world: World) => void]>([
    [
      'has the slot of the one sent',
      ({ clinic }) => clinic.bookByHand('Somebody Else', '2026-03-03', '10:00'),
    ],
    ['has a part of its name', ({ clinic }) => clinic.bookByHand('Ayda RAHMÁN', '2026-03-03', '16:00')],
    [
      'has a part of a waiting name',
      ({ clinic }) => clinic.bookByHand('Raheem Uddin', '2026-03-05', '16:00'),
    ],
    [
      'is not found',
      ({ clinic }) => {
        clinic.bookByHand('Somebody Else', '2026-03-03', '16:00');
        clinic.skip(70);
        clinic.bookByHand('Nadia Islam', '2026-03-04', '10:00');
      },
    ],
    [
      'is not counted, so that another one may be hidden',
      ({ clinic }) => {
        clinic.bookByHand('Somebody Else', '2026-03-03', '16:00');
        clinic.bookByHand('Nadia Islam', '2026-03-04', '10:00');
        clinic.uncounted = 1;
      },
    ],
    [
      'cannot be read',
      ({ clinic }) => {
        clinic.bookByHand('Somebody Else', '2026-03-03', '16:00');
        refuse(clinic);
      },
    ],
  ])('holds what waited beside one whose appointment %s', async (_what, desk) => {
    const { world, ref } = await interrupted(desk);

    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
  });

  it.each<[string, (world: World) => void, (world: World) => void]>([
    ['booked before', ({ clinic }) => clinic.bookByHand('Somebody Else', '2026-03-03', '16:00'), () => {}],
    [
      'booked since, while an older one was deleted before,',
      ({ clinic }) => Object.assign(clinic, { uncounted: 1 }),
      ({ clinic }) => clinic.bookByHand('Somebody Else', '2026-03-03', '16:00'),
    ],
  ])(
    'holds what waited if one of the front desk, %s may stand for a far one',
    async (_what, before, since) => {
      const { world, start, stop } = await onVolume();
      await world.start();
      await enoughOwn(world);
      before(world);
      await world.advance(MINUTE);
      const ref = await queued(world);
      await stop();
      world.clock.suspend(30 * SECOND);
      since(world);
      world.clinic.skip(70);
      world.clinic.bookByHand('Rahim Uddin', '2026-03-03', '10:00');

      await start();
      await world.advance(10 * MINUTE);

      expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
      expect(world.bookings.sendingState('main').reason).toContain(
        'this database has no booking of its own in between that the clinic confirmed',
      );
    },
  );

  it.each<[string, (world: World) => void]>([
    ['alone', () => {}],
    [
      'beside one of the front desk',
      ({ clinic }) => clinic.bookByHand('Somebody Else', '2026-03-03', '16:00'),
    ],
  ])(
    'finds the first of an installation near the clinic’s number of appointments, %s',
    async (_what, desk) => {
      const { world, onWire, ref } = await interrupted(desk, { own: false, arrived: true });

      expect(await booking(world, ref)).toMatchObject({ state: 'booked' });
      expect(world.clinic.ledger.filter((entry) => entry.ref === onWire)).toHaveLength(1);
    },
  );

  it.each<[string, (world: World) => void, boolean]>([
    ['did not arrive', () => {}, false],
    ['did not arrive, while one has its name', bookAdaAt('11:00'), false],
    ['is there twice', bookAdaAt('10:00'), true],
    [
      'has one after it that may be waiting',
      ({ clinic }) => clinic.bookByHand('X', '2026-03-03', '15:00'),
      true,
    ],
    ['is far from that number', ({ clinic }) => Object.assign(clinic, { uncounted: 860 }), true],
    ['cannot be read', ({ clinic }) => refuse(clinic), true],
  ])('holds what waited beside the first of an installation that %s', async (_what, desk, arrived) => {
    const { world, ref } = await interrupted(desk, { own: false, arrived });

    expect(await booking(world, ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
  });
});
