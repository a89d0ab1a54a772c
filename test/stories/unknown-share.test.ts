/** @module-tag thorough */
import { expect, it, onTestFinished } from 'vitest';
import { pick, seededRandom } from '../../sandbox/clinic/random.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openFileStore } from '../../src/store/sqlite.ts';
import type { AnswerName } from '../support/bookings/scripted-clinic.ts';
import { bookingsWorld } from '../support/bookings/world.ts';
import { fakeClock } from '../support/fake-clock.ts';

const BOOKINGS = 200 * Math.min(10, Number(process.env.VERIFY_RUNS ?? 1));
const FAULTY = 0.1;
const MINUTE = 60_000;
/** What leaves it open whether there is an appointment; half of them left one behind. */
const faults: AnswerName[] = [
  'reset_before',
  'reset_after',
  'status_500_before',
  'status_503_after',
  'timeout_after',
  'cut_after',
  'silence_before',
  'no_id',
];

/** A clinic where one booking in ten ends in doubt, while its own staff book beside us. */
async function afterManyBookings(reconcile: 'off' | 'auto') {
  const clock = fakeClock();
  const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const rules = { reconcile, max_per_source_per_hour: 10_000, max_per_phone_per_day: 10_000 };
  const world = bookingsWorld({ store, clock, rules });
  await world.start();
  const random = seededRandom(7);
  for (let n = 0; n < BOOKINGS; n += 1) {
    world.clinic.script.push(random() < FAULTY ? (pick(random, faults) ?? 'reset_after') : 'booked');
    const day = new Date(clock.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    await world.accept({
      patient_name: `Patient ${n}`,
      patient_phone: `017${String(10_000_000 + n)}`,
      appointment_date: day,
      appointment_time: '10:00',
    });
    await clock.advance(1_000);
    if (random() < 0.5) world.clinic.bookByHand(`Walk-in ${n}`, day, '10:00');
    clock.jump(2 * MINUTE);
    await clock.advance(MINUTE);
    // Somebody has looked, where three in ten minutes were too many.
    if (world.bookings.sendingState('main').state === 'paused')
      await world.bookings.resumeSending('main', 'Mina');
  }
  for (let wait = 0; wait < 10; wait += 1) {
    clock.jump(4 * MINUTE);
    await clock.advance(MINUTE);
  }
  const bookings = await store.bookings.list({});
  const stopped = world.bookings.stop();
  await clock.advance(10_000);
  await stopped;

  const refs = world.clinic.ledger.flatMap(({ ref }) => ref ?? []);
  const doubtful = world.clinic.posts.filter(({ answer }) => answer !== 'booked').length;
  return {
    doubles: refs.length - new Set(refs).size,
    faulty: doubtful,
    unknown: bookings.filter(({ state }) => state === 'unknown').length,
    wrong: bookings.filter(
      ({ ref, state, appointment_id: id }) =>
        state === 'booked' && world.clinic.ledger.find((entry) => entry.id === id)?.ref !== ref,
    ).length,
  };
}

it('leaves fewer bookings to people when it may search for them, and never takes another person’s', async () => {
  const alone = await afterManyBookings('off');
  const looking = await afterManyBookings('auto');
  if (process.env.VERIFY_RUNS !== undefined) console.log(JSON.stringify({ BOOKINGS, alone, looking }));

  expect([alone.doubles, looking.doubles, alone.wrong, looking.wrong]).toEqual([0, 0, 0, 0]);
  expect(alone.unknown).toBe(alone.faulty);
  expect(looking.unknown).toBeLessThan(alone.unknown);
  // What left nothing behind cannot be found.
  expect(looking.unknown).toBeGreaterThan(0);
}, 300_000);
