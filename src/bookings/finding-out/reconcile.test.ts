import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';

describe('looking for an unknown booking', () => {
  const running = runningBookings();

  it('does not take the appointment of one that is on the wire for it', async () => {
    await running.send('booked');
    running.world.clinic.script.push('reset_before');
    const wanted = { patient_name: 'Nadia Islam', appointment_time: '11:00' };
    const { ref } = await running.world.accept(wanted);
    await running.world.advance(11 * MINUTE);
    running.world.clinic.script.push('silence_after');
    const other = await running.world.accept({ ...wanted, patient_phone: '01911-222333' });
    await running.world.advance(1_000);

    const looking = running.world.bookings.reconcile(ref, 'Mina');
    await running.world.advance(2 * MINUTE);
    await looking;

    expect((await running.get(other.ref)).state).toBe('sending');
    expect(await running.get(ref)).toMatchObject({ state: 'unknown', evidence: { matching_ids: [102] } });
  });
});
