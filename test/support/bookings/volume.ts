import { copyFileSync, rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/platform/log.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import { fakeClock } from '../fake-clock.ts';
import { newStoreFile } from '../store/store-file.ts';
import { bookingsWorld, type World, type WorldOptions } from './world.ts';

/** A daemon on a volume that can be copied and put back whole, database and marker. */
export async function onVolume(spoil?: WorldOptions['spoil']) {
  const file = newStoreFile();
  const clock = fakeClock();
  const open = () => openFileStore({ file, clock, log: silentLog, mode: 'daemon' });
  const world = bookingsWorld({ store: await open(), clock, ...(spoil && { spoil }) });
  onTestFinished(async () => {
    world.crash();
    await world.store.close();
  });
  const parts = ['', '.marker'];
  return {
    file,
    clock,
    world,
    async stop() {
      const stopped = world.bookings.stop();
      await world.advance(10_000);
      await stopped;
      world.crash();
      await world.store.close();
    },
    start: async () => world.start(await open()),
    snapshot: () => {
      for (const part of parts) copyFileSync(file + part, `${file}.copy${part}`);
    },
    putBack: () => {
      for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true });
      for (const part of parts) copyFileSync(`${file}.copy${part}`, file + part);
    },
  };
}

/** Enough appointments of our own to see that the clinic numbers them consecutively. */
export async function enoughOwn(world: World): Promise<void> {
  // An answer takes time: it comes after the reading before it.
  world.clinic.onPost ??= () => world.clock.jump(5);
  for (const time of ['08:00', '08:30', '09:00', '09:30']) {
    await world.accept({ patient_phone: '01911-222333', appointment_time: time });
    await world.advance(30_000);
  }
}
