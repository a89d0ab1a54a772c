import { expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { bookingOperations } from '../booking-operations.ts';

const running = runningBookings();

const typed = {
  patient_name: 'Rahim Uddin',
  patient_phone: '01712-345678',
  appointment_date: '2026-03-03',
  appointment_time: '10:00',
  doctor_id: '',
  submission_id: 'of-one-form',
};
const add = (fields: Record<string, string>) => {
  const { bookings, store } = running.world;
  const request = { subject: '', fields, by: 'Mina', asked: {} };
  return bookingOperations['/admin/bookings/add'].run({ bookings, store }, request);
};

it('takes down one booking, however often its form is sent, and leads to it', async () => {
  const twice = await Promise.all([add(typed), add(typed)]);
  await running.world.advance(MINUTE);
  const later = await add(typed);
  const reloaded = await add({ ...typed, submission_id: 'of-the-form-loaded-again' });
  await running.world.advance(MINUTE);

  const [{ ref } = { ref: '' }, ...others] = await running.world.store.bookings.list({});
  expect(others).toEqual([]);
  expect([...twice, later, reloaded].map(({ page }) => page)).toEqual(Array(4).fill(`/bookings/${ref}`));
  expect(twice.map(({ said }) => said)).toEqual(['added', 'known']);
  expect(running.world.clinic.posts).toHaveLength(1);
});

it('holds what the same form says differently, and books nothing more', async () => {
  await add(typed);
  await add({ ...typed, appointment_time: '11:00' });
  await running.world.advance(MINUTE);

  expect(running.world.clinic.posts).toHaveLength(1);
  expect(await running.world.store.bookings.list({ states: ['held'] })).toMatchObject([
    { reason: 'changed_submission', appointment_time: '11:00' },
  ]);
});

it.each([
  [{ patient_phone: ' ' }, 'phone'],
  [{ appointment_time: 'noon' }, 'HH:MM'],
  [{ appointment_date: '2026-02-01' }, 'passed'],
])('stores nothing until it could be sent: %j', async (fields, word) => {
  const refused = add({ ...typed, ...fields });

  await expect(refused).rejects.toMatchObject({ kind: 'refused', refusal: { name: 'not_taken' } });
  await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining(word) });
  expect(await running.world.store.bookings.list({})).toEqual([]);
});
