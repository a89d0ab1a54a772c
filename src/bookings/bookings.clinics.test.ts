import { expect, it, onTestFinished } from 'vitest';
import { scriptedClinic } from '../../test/support/bookings/scripted-clinic.ts';
import { startBookings } from '../../test/support/bookings/start-bookings.ts';
import { clinicSettings } from '../../test/support/bookings/world.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { openTestStore } from '../../test/support/store/store-file.ts';
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
