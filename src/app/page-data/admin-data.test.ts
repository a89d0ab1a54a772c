import { expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { adminData } from './admin-data.ts';

const running = runningBookings({ approval: 'required' });
const DAY = 24 * 60 * MINUTE;
const wish = { appointment_date: '2026-03-09', note: 'Allergic' };

/** The booking that a lead evidently repeats, which comes a day and more after another. */
async function repeats(first: object, again: object) {
  const { world } = running;
  const earlier = await world.accept({ ...wish, ...first });
  await world.advance(DAY + MINUTE);
  const { ref, reason } = await world.accept({ ...wish, ...again });
  const detail = await adminData(world).booking(ref);
  return { reason, isFirst: detail?.repeats === earlier.ref, repeats: detail?.repeats };
}

it('tells that a lead repeats another in everything it says, also where it says less', async () => {
  expect(await repeats({}, { note: '' })).toMatchObject({ reason: 'duplicate_suspect', isFirst: true });
});

it.each([
  ['of a family', { patient_name: 'Karim Uddin' }],
  ['with a new note', { note: 'Pregnant' }],
])('does not tell so of a lead %s', async (_, again) => {
  expect(await repeats({}, again)).toMatchObject({ reason: 'duplicate_suspect', repeats: null });
});

it('does not tell so once the first was dropped', async () => {
  const { world } = running;
  const first = await world.accept(wish);
  await world.advance(DAY + MINUTE);
  const again = await world.accept(wish);
  await world.bookings.drop(first.ref, 'Mina');

  expect((await adminData(world).booking(again.ref))?.repeats).toBeNull();
});

it('lists the visits of a day where the clinic has them now, by the clinic’s own clock', async () => {
  const { world } = running;
  const [stays, leaves, comes, dropped] = await Promise.all(
    ['10:00', '11:00', '12:00', '13:00'].map(async (appointment_time, n) => {
      const patient_phone = `01711-00000${n}`;
      const appointment_date = n === 2 ? '2026-03-09' : '2026-03-03';
      const { ref } = await world.accept({ appointment_date, appointment_time, patient_phone });
      return ref;
    }),
  );
  expect.assert(stays && leaves && comes && dropped);
  await world.bookings.drop(dropped, 'Mina');
  for (const ref of [leaves, comes]) await world.bookings.approve(ref, 'Mina');
  await world.advance(MINUTE);
  await running.observe(leaves, { date: '2026-03-10', time: '09:30' });
  await running.observe(comes, { date: '2026-03-03', status: 'Cancelled' });

  const rows = await adminData(world).visits({ from: 'tomorrow', to: 'tomorrow' }, 100);
  expect(new Map(rows.map(({ booking, standing }) => [booking.ref, standing]))).toEqual(
    new Map([
      [stays, null],
      [comes, 'cancelled'],
    ]),
  );
  const next = await adminData(world).visits({ from: '2026-03-10', to: '2026-03-31' }, 100);
  expect(next).toMatchObject([{ booking: { ref: leaves }, standing: 'moved', visit: { time: '09:30' } }]);
});
