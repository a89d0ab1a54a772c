import { expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { createPlaces } from './places.ts';

const forever = new AbortController().signal;

function setUp(clinics: number) {
  const clock = fakeClock();
  const places = createPlaces({ clinics, clock });
  const running: string[] = [];
  /** Takes a place, and keeps it until asked to leave. */
  const take = (clinic: string, signal = forever) => {
    const taken = places.take(clinic, signal);
    taken.then(
      () => running.push(clinic),
      () => {},
    );
    return async () => {
      running.splice(running.indexOf(clinic), 1);
      (await taken)();
    };
  };
  return { clock, places, running, take };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('runs 64 polls at once, and the next in the order of arrival', async () => {
  const { running, take } = setUp(100);
  const leaving = Array.from({ length: 70 }, (_, n) => take(`clinic-${n}`));
  await settle();
  const first = running.length;

  await leaving[3]?.();
  await leaving[5]?.();
  await settle();

  expect(first).toBe(64);
  expect(running.slice(-2)).toEqual(['clinic-64', 'clinic-65']);
});

it('lets silent clinics delay the others only until it has learned which they are', async () => {
  const { clock, running, take } = setUp(1_000);
  for (let n = 0; n < 300; n += 1) take(`down-${n}`);
  const leave = take('well');
  await settle();
  const before = running.includes('well');

  await clock.advance(25_000);
  const reached = running.includes('well');
  await leave();
  take('well');
  for (let n = 0; n < 300; n += 1) take(`down-${n}`);
  take('also-well');
  await clock.advance(0);

  expect(before).toBe(false);
  expect(reached).toBe(true);
  expect(running).toContain('well');
  expect(running).toContain('also-well');
});

it('keeps places free for quick clinics while all places for slow ones are taken', async () => {
  const { clock, running, take } = setUp(100);
  for (let n = 0; n < 500; n += 1) take(`down-${n % 100}`);
  await clock.advance(10 * 60_000);

  for (let n = 0; n < 500; n += 1) take(`down-${n % 100}`);
  take('well');
  await settle();

  expect(running).toContain('well');
});

it('limits how many slow polls run', async () => {
  const { clock, running, take } = setUp(100);

  for (let n = 0; n < 500; n += 1) take(`down-${n % 100}`);
  await clock.advance(10 * 60_000);

  expect(running.length).toBeGreaterThanOrEqual(100);
  expect(running.length).toBeLessThanOrEqual(2 * 100);
});

it('lets a clinic that was slow once try again, however many others are slow', async () => {
  const { clock, running, take } = setUp(100);
  const leave = take('slow-once');
  await clock.advance(6_000);
  await leave();
  for (let n = 0; n < 500; n += 1) take(`down-${n % 100}`);
  await clock.advance(10 * 60_000);

  take('slow-once');
  await settle();

  expect(running).toContain('slow-once');
});

it('treats a clinic as quick again once it answers quickly', async () => {
  const { clock, running, take } = setUp(1_000);
  const leaveSlow = take('back');
  await clock.advance(6_000);
  await leaveSlow();
  const leaveQuick = take('back');
  await clock.advance(100);
  await leaveQuick();

  const leaving = Array.from({ length: 64 }, (_, n) => take(`clinic-${n}`));
  take('back');
  await settle();
  const waits = !running.includes('back');
  await leaving[0]?.();
  await settle();

  expect(waits).toBe(true);
  expect(running).toContain('back');
});

it('forgets a waiter that is aborted', async () => {
  const { running, take, places } = setUp(100);
  const leaving = Array.from({ length: 64 }, (_, n) => take(`clinic-${n}`));
  const calling = new AbortController();
  const calledOff = places.take('called-off', calling.signal);
  take('next');

  calling.abort(new Error('stopping'));
  await expect(calledOff).rejects.toThrow('stopping');
  await leaving[0]?.();
  await settle();

  expect(running).toContain('next');
});
