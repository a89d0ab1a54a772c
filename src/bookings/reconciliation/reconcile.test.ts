import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { instant } from '../../platform/clock.ts';

describe('probing for an unknown booking', () => {
  const running = runningBookings();

  it('does not mistake the appointment of a booking on the wire for it', async () => {
    await running.send('booked');
    running.world.clinic.script.push('reset_before');
    const wanted = { patient_name: 'Nadia Islam', appointment_time: '11:00' };
    const { ref } = await running.world.accept(wanted);
    await running.world.advance(11 * MINUTE);
    running.world.clinic.script.push('silence_after');
    const other = await running.world.accept({ ...wanted, patient_phone: '01911-222333' });
    await running.world.bookings.approve(other.ref, 'Mina');
    await running.world.advance(1_000);

    const looking = running.world.bookings.reconcile(ref, 'Mina');
    await running.world.advance(2 * MINUTE);
    await looking;

    expect((await running.get(other.ref)).state).toBe('sending');
    expect(await running.get(ref)).toMatchObject({ state: 'unknown', evidence: { matching_ids: [102] } });
  });

  it('settles nothing by a probe that began before the booking was resent', async () => {
    const { world } = running;
    await running.send('booked');
    world.clinic.script.push('reset_after');
    const { ref } = await world.accept({ patient_name: 'Karim', patient_phone: '01812-345678' });
    await world.advance(11 * MINUTE);
    const { bookings } = world;
    const looking = bookings.reconcile(ref, 'Mina');
    await world.advance(5_000);

    world.clinic.script.push('reset_after');
    await bookings.resolve(ref, { as: 'not-booked', send_again: true, confirm: true }, 'Omar');
    await world.advance(3 * MINUTE);
    await looking;

    const after = await running.get(ref);
    expect(after).toMatchObject({ state: 'unknown', attempt: 2 });
    expect(after.evidence).not.toHaveProperty('verdict');
    expect(await bookings.reviewItems()).toMatchObject([{ subject: ref }]);
  });

  it('leaves an appointment to the booking that a user links to it at the same moment', async () => {
    const { world } = running;
    await running.send('booked');
    world.clinic.script.push('reset_after', 'reset_before');
    const { ref } = await world.accept({ patient_name: 'Karim', patient_phone: '01812-345678' });
    const other = await world.accept({ patient_name: 'Nadia', patient_phone: '01911-222333' });
    await world.advance(11 * MINUTE);
    const { store } = world;
    const link = async () => {
      const { attempt } = await running.get(other.ref);
      const linked = { to: 'booked', appointment_id: 102, actor: 'person', by: 'Omar' } as const;
      const at = instant(world.clock.now());
      await store.bookings.move({ ref: other.ref, attempt, from: ['unknown'], at, ...linked });
    };
    // The last that is asked before the look is concluded.
    const atTime: typeof store.bookings.atTime = async (...asked) => {
      await link();
      return store.bookings.atTime(...asked);
    };
    await running.stop();
    await world.start({ ...store, bookings: { ...store.bookings, atTime } });

    const looking = world.bookings.reconcile(ref, 'Mina');
    await world.advance(2 * MINUTE);
    await looking;

    expect(await running.get(other.ref)).toMatchObject({ state: 'booked', appointment_id: 102 });
    expect(await running.get(ref)).toMatchObject({
      state: 'unknown',
      appointment_id: null,
      evidence: { verdict: 'none', matching_ids: [] },
    });
  });

  it('waits no longer than ten minutes when the clock is set back', async () => {
    const { world } = running;
    const ref = await running.send('reset_before');
    world.clock.jump(-40 * 60 * MINUTE);
    const early = world.bookings.reconcile(ref, 'Mina').then(
      () => 'looked',
      ({ hint }) => hint,
    );

    await world.advance(MINUTE);
    expect(await early).toBe('Ask again in 10 minutes.');
    await world.advance(11 * MINUTE);

    expect((await running.get(ref)).evidence?.counter_after).toBeDefined();
    await world.bookings.resolve(ref, { as: 'not-booked', send_again: false }, 'Mina');
  });

  it('waits no less than ten minutes when the clock is set forward', async () => {
    const { world } = running;
    const ref = await running.send('reset_before');
    await world.advance(MINUTE);
    world.clock.jump(3 * 60 * MINUTE);

    await expect(world.bookings.reconcile(ref, 'Mina')).rejects.toMatchObject({
      hint: 'Ask again in 9 minutes.',
    });
    await world.advance(8 * MINUTE);
    expect((await running.get(ref)).evidence?.counter_after).toBeUndefined();
    await world.advance(3 * MINUTE);

    expect((await running.get(ref)).evidence?.counter_after).toBeDefined();
  });

  it('reports when there was more to probe than allowed', async () => {
    const { world } = running;
    await running.send('booked');
    world.clinic.script.push('reset_before');
    const { ref } = await world.accept({ patient_name: 'Karim', patient_phone: '01812-345678' });
    await world.advance(11 * MINUTE);
    for (let n = 0; n < 70; n += 1) world.clinic.bookByHand(`Patient ${n}`, '2026-03-03', '12:00');

    const looking = world.bookings.reconcile(ref, 'Mina');
    await world.advance(3 * MINUTE);
    await looking;

    expect((await running.get(ref)).evidence).toMatchObject({ verdict: 'partly' });
    expect(world.clinic.probes).toHaveLength(60);
  });

  it('is refused, and not offered, where it is switched off', async () => {
    const { world } = running;
    await running.send('booked');
    world.settings.bookings.reconcile = 'off';
    world.clinic.script.push('reset_after');
    const { ref } = await world.accept({ patient_name: 'Karim', patient_phone: '01812-345678' });
    await world.advance(11 * MINUTE);

    await expect(world.bookings.reconcile(ref, 'Mina')).rejects.toMatchObject({
      message: expect.stringContaining('switched off'),
    });

    const { actions } = await world.bookings.describe(ref);
    expect(actions.map(({ action }) => action)).not.toContain('reconcile');
    expect(world.clinic.probes).toEqual([]);
  });

  it('runs once automatically if configured, and finding none proves nothing', async () => {
    const { world } = running;
    await running.send('booked');
    world.settings.bookings.reconcile = 'auto';
    world.clinic.script.push('reset_before');
    const { ref } = await world.accept({ patient_name: 'Karim', patient_phone: '01812-345678' });
    await world.advance(15 * MINUTE);
    const probes = world.clinic.probes.length;

    await world.advance(30 * MINUTE);

    expect(probes).toBe(20);
    expect(world.clinic.probes).toHaveLength(20);
    expect(await running.get(ref)).toMatchObject({ state: 'unknown', evidence: { verdict: 'none' } });
  });
});
