import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { heldNames } from '../../domain/clinics/latest-rows.ts';

describe('a booking that waits while the clinic renumbers its dentists', () => {
  const running = runningBookings();

  /** Came while the clinic could not be reached. */
  async function waiting(fields: { doctor?: string; doctor_id?: number }): Promise<string> {
    await running.mirrorDentists({ 1: 'Dr. Ann Lee', 2: 'Dr. Bo Khan', 3: 'Dr. Cem Öz' });
    running.world.clinic.failReads = Number.POSITIVE_INFINITY;
    const { ref } = await running.world.accept(fields);
    await running.world.advance(MINUTE);
    expect((await running.get(ref)).state).toBe('queued');
    return ref;
  }
  async function reachable() {
    running.world.clinic.failReads = 0;
    await running.world.advance(20 * MINUTE);
  }
  const sent = () => running.world.clinic.posts.map(({ request }) => request.doctor_id);

  it('is sent under the number that its dentist has now', async () => {
    const ref = await waiting({ doctor: 'Dr Ann Lee' });
    await running.mirrorDentists({ 1: 'Dr. Bo Khan', 2: 'Dr. Ann Lee', 3: 'Dr. Cem Öz' });

    await reachable();

    expect(sent()).toEqual([2]);
    expect(await running.get(ref)).toMatchObject({ state: 'booked', doctor_id: 2, attempt: 1 });
  });

  it('is sent under the new number while a guard still keeps the former one', async () => {
    await waiting({ doctor: 'Dr. Ann Lee' });
    await running.world.advance(MINUTE);
    await running.mirrorDentists({ 1001: 'Dr. Ann Lee', 1002: 'Dr. Bo Khan' }, ['1', '2', '3']);

    await reachable();

    expect(sent()).toEqual([1001]);
  });

  it.each([
    ['to which its name no longer leads', { doctor: 'Dr. Ann Lee' }, { 1: 'Dr. Dee Roy' }],
    [
      'whose name two have now',
      { doctor: 'Dr. Ann Lee' },
      { 1: 'Dr. Dee Roy', 4: 'Dr. Ann Lee', 5: 'Dr. Ann Lee' },
    ],
    ['that means somebody else now', { doctor_id: 1 }, { 1: 'Dr. Bo Khan', 2: 'Dr. Ann Lee' }],
    [
      'whose name no longer fits',
      { doctor: 'Dr. Ann Lee', doctor_id: 1 },
      { 1: 'Dr. Dee Roy', 2: 'Dr. Bo Khan' },
    ],
  ])('is held, not sent under a number %s', async (_, fields, names) => {
    const ref = await waiting(fields);
    await running.world.advance(MINUTE);
    await running.mirrorDentists(names);

    await reachable();

    expect(sent()).toEqual([]);
    expect(await running.get(ref)).toMatchObject({ state: 'held', reason: 'mapping' });
  });

  it('is held under a number that has another name in an answer that a guard holds', async () => {
    const ref = await waiting({ doctor_id: 1 });
    const names = JSON.stringify([['1', 'Dr. Bo Khan']]);
    await running.world.store.keyValue.set(heldNames.scope, { [heldNames.key('main', 'dentists')]: names });

    await reachable();

    expect(sent()).toEqual([]);
    expect(await running.get(ref)).toMatchObject({
      state: 'held',
      message: expect.stringContaining('has another name for the dentist with the number 1'),
    });
  });

  it('is sent once a person has looked at the new name', async () => {
    const ref = await waiting({ doctor_id: 1 });
    await running.world.advance(MINUTE);
    await running.mirrorDentists({ 1: 'Dr. Bo Khan' });
    await reachable();

    await running.world.bookings.edit(ref, { doctor_id: 1 }, 'Mina');
    await running.world.bookings.approve(ref, 'Mina');
    await running.world.advance(MINUTE);

    expect(sent()).toEqual([1]);
  });

  it.each([
    ['spelt otherwise', { doctor_id: 1 }, { 1: 'DR. ANN  LEE' }],
    ['of another’s number', { doctor_id: 1 }, { 1: 'Dr. Ann Lee', 2: 'Dr. Dee Roy' }],
    ['spelt otherwise, given by name', { doctor: 'Dr. Ann Lee' }, { 1: 'Dr. Ann Lée' }],
  ])('is sent as it is when the name is only %s', async (_, fields, names) => {
    await waiting(fields);
    await running.world.advance(MINUTE);
    await running.mirrorDentists(names);

    await reachable();

    expect(sent()).toEqual([1]);
  });
});
