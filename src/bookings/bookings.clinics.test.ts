import { expect, it, onTestFinished } from 'vitest';
import { scriptedClinic } from '../../test/support/bookings/scripted-clinic.ts';
import { startBookings } from '../../test/support/bookings/start-bookings.ts';
import { bookingsWorld, clinicSettings } from '../../test/support/bookings/world.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { accept, openTestStore } from '../../test/support/store/store-file.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import { createBookings } from './bookings.ts';

/** Bookings of many clinics at rest, and which clinics the store is asked about from now on. */
async function manyAtRest(count: number) {
  const clock = fakeClock();
  const store = await openTestStore();
  const asked: string[] = [];
  const list: Store['bookings']['list'] = (filter) => {
    asked.push(filter.clinic ?? 'any');
    return store.bookings.list(filter);
  };
  const keys = Array.from({ length: count }, (_, n) => `clinic-${n}`);
  const clinics = keys.map(
    (key) => [key, { clinic: scriptedClinic(key), settings: clinicSettings(key) }] as const,
  );
  const bookings = createBookings({
    store: { ...store, bookings: { ...store.bookings, list } },
    clinics: new Map(clinics),
    sources: new Map(),
    clock,
    log: silentLog,
  });
  await startBookings(bookings, ...clinics.map(([, { clinic }]) => clinic));
  onTestFinished(() => bookings.stop());
  await clock.advance(0);
  asked.length = 0;
  return { clock, bookings, asked };
}

it('rechecks only the bookings of the clinic whose mirror has changed', async () => {
  const { clock, bookings, asked } = await manyAtRest(20);

  bookings.wake('clinic-7');
  await clock.advance(0);

  expect(new Set(asked)).toEqual(new Set(['clinic-7']));
});

it('rechecks the bookings of every clinic after another process has written', async () => {
  const { clock, bookings, asked } = await manyAtRest(20);

  bookings.wake();
  await clock.advance(0);

  expect(new Set(asked).size).toBe(20);
});

it.each(['handed over', 'started'] as const)(
  'still serves users after the database failed while a clinic was %s',
  async (what) => {
    const clock = fakeClock();
    const store = await openTestStore(':memory:', 'daemon', clock);
    let isDown = false;
    const get: Store['keyValue']['get'] = async (...asked) => {
      if (isDown) throw new Failure({ kind: 'transient', message: 'No database answers.' });
      return store.keyValue.get(...asked);
    };
    const world = bookingsWorld({
      ...{ store, clock },
      spoil: ({ clinic }) => ({ clinic, store: { ...store, keyValue: { ...store.keyValue, get } } }),
    });
    await world.start();
    const { bookings, clinic } = world;
    onTestFinished(() => bookings.stop());
    await world.accept();
    await world.advance(MINUTE);
    clinic.script.push('silence_before');
    const { ref } = await world.accept({ appointment_time: '11:00' });
    await world.advance(15 * MINUTE);

    isDown = true;
    const moved = what === 'started' ? bookings.startClinic(clinic) : bookings.stopClinic('main', clinic);
    const failed = moved.then(
      () => false,
      () => true,
    );
    await world.advance(MINUTE);
    expect(await failed).toBe(what === 'started');
    isDown = false;
    const looked = bookings.reconcile(ref, 'Mina').then(
      () => 'looked',
      ({ message }) => message,
    );
    await world.advance(2 * MINUTE);

    expect(await looked).toBe('looked');
    expect((await store.bookings.get(ref))?.evidence?.probed_ids).not.toEqual([]);
  },
);

it('finds later that the last process with a clinic is gone for good, and asks a person about its bookings', async () => {
  const clock = fakeClock();
  const store = await openTestStore(':memory:', 'daemon', clock);
  const { booking } = await accept(store, { clinic: 'closed', state: 'queued' });
  const elsewhere = ['closed'];
  const bookings = createBookings({
    ...{ store, clock, log: silentLog },
    clinics: new Map(),
    sources: new Map(),
  });
  onTestFinished(() => bookings.stop());
  const upkeep = await bookings.startUpkeep(store, async () => elsewhere);
  onTestFinished(() => upkeep.stop());
  const state = async () => (await store.bookings.get(booking.ref))?.state;

  await clock.advance(2 * HOUR);
  const meanwhile = await state();
  elsewhere.length = 0;
  await clock.advance(HOUR);

  expect([meanwhile, await state()]).toEqual(['queued', 'held']);
});
