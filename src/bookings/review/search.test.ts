import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { searchBookings } from './search.ts';

describe('searching bookings', () => {
  const running = runningBookings();
  const found = async (text: string) =>
    (await running.world.bookings.search(text, 10)).map(({ patient_name }) => patient_name);

  it.each([
    ['+880 1911 222333', ['Nadia Islam']],
    ['(01911) 222-333', ['Nadia Islam']],
    ['008801911222333', ['Nadia Islam']],
    ['222333', ['Nadia Islam']],
    ['0001', ['José Muñoz']],
    ['00001', ['José Muñoz']],
    ['0019', []],
    ['০১৯১১২২২৩৩৩', ['Nadia Islam']],
    ['islam NADIA', ['Nadia Islam']],
    ['jose munoz', ['José Muñoz']],
    ['jose@example.org', ['José Muñoz']],
    ['nobody', []],
    ['', []],
  ])('by %j', async (text, names) => {
    await running.world.accept({ patient_name: 'Nadia Islam', patient_phone: '01911-222333' });
    await running.world.accept({
      patient_name: 'José Muñoz',
      patient_phone: '01811-000001',
      note: 'E-mail: jose@example.org',
    });

    expect(await found(text)).toEqual(names);
  });

  it('finds names, numbers and e-mail addresses by index, however many bookings came later', async () => {
    const { world } = running;
    await world.accept({
      patient_name: 'Nadia O’Neil-Khan',
      patient_phone: '01911-222333',
      note: 'E-mail: nadia@example.org',
    });
    const store = { bookings: { ...world.store.bookings, list: async () => [] } };
    const byIndex = async (text: string) =>
      (await searchBookings({ store, text, phones: [], clinics: [], limit: 10 })).map(
        ({ patient_name }) => patient_name,
      );

    const texts = ['oneil', 'khan nad', 'O‘NEIL khan', '+880 1911-222333', '222333', '1911 222', 'nadia@ex'];
    expect(await Promise.all(texts.map(byIndex))).toEqual(texts.map(() => ['Nadia O’Neil-Khan']));
    expect(await byIndex('adia')).toEqual([]);
  });

  it('finds the last digits of a number by index, also where they begin with zeros', async () => {
    const { world } = running;
    await world.accept({ patient_name: 'José Muñoz', patient_phone: '01811-000137' });
    const store = { bookings: { ...world.store.bookings, list: async () => [] } };
    const byIndex = async (text: string) =>
      (await searchBookings({ store, text, phones: [], clinics: [], limit: 10 })).length;

    expect(await Promise.all(['0137', '00137', '000137', '11000137', '0138', '137'].map(byIndex))).toEqual([
      1, 1, 1, 1, 0, 0,
    ]);
  });

  it('finds a booking by the number of its appointment', async () => {
    const ref = await running.send();
    const { appointment_id } = await running.get(ref);

    expect(await found(` ${appointment_id} `)).toEqual(['Rahim Uddin']);
    expect(await found('9999')).toEqual([]);
  });

  it('finds a reference with or without its prefix', async () => {
    const { ref } = await running.world.accept();

    expect(await found(ref.toLowerCase())).toEqual(['Rahim Uddin']);
    expect(await found(ref.slice(3))).toEqual(['Rahim Uddin']);
  });

  it('puts what may be at the clinic first, then orders by the visit', async () => {
    const { bookings } = running.world;
    await running.mirrorDentists({ 7: 'Dr. O’Neil' });
    const held = async (date: string, phone: string) =>
      (await running.world.accept({ appointment_date: date, patient_phone: phone, doctor: 'Nobody' })).ref;
    const late = await held('2026-03-09', '01811-000002');
    const soon = await held('2026-03-04', '01811-000003');
    const none = (await running.world.accept({ appointment_date: '', patient_phone: '01811-000004' })).ref;
    const unknown = await running.unknown('reset_after');
    await running.world.advance(MINUTE);

    expect(
      (await bookings.reviewItems())
        .map(({ subject }) => subject)
        .filter((ref) => [late, soon, none, unknown].includes(ref)),
    ).toEqual([unknown, soon, late, none]);
  });
});
