import { expect, it } from 'vitest';
import { fakeClock, settle } from '../../../test/support/fake-clock.ts';
import { createSheetsLimiter, limiterOf } from './limiter.ts';

const signal = new AbortController().signal;

it('lets 45 reads and 45 writes through in a minute, and the next ones a minute after the first', async () => {
  const clock = fakeClock();
  const limiter = createSheetsLimiter({ clock, random: () => 0 });
  let reads = 0;
  for (let i = 0; i < 50; i += 1)
    void limiter.turn('read', signal).then(() => {
      reads += 1;
    });
  await settle();
  const first = reads;
  await limiter.turn('write', signal);

  await clock.advance(60_000);

  expect([first, reads]).toEqual([45, 50]);
});

it('stops everything after a 429: to the next full minute, then twice as long up to 64 seconds', async () => {
  const clock = fakeClock('2026-03-02T09:00:50Z');
  const limiter = createSheetsLimiter({ clock, random: () => 0 });
  const pauses = [limiter.refused(), limiter.refused(), limiter.refused(), limiter.refused()];
  let through = false;
  void limiter.turn('read', signal).then(() => {
    through = true;
  });

  await clock.advance(63_000);
  const early = through;
  await clock.advance(2_000);

  expect(pauses).toEqual([10_000, 20_000, 40_000, 64_000]);
  expect([early, through]).toEqual([false, true]);
});

it('is shared by all connectors that use an account, and not by another daemon', () => {
  const parts = { clock: fakeClock(), random: () => 0 };

  const one = limiterOf('robot@project', parts);

  expect(limiterOf('robot@project', parts)).toBe(one);
  expect(limiterOf('other@project', parts)).not.toBe(one);
  expect(limiterOf('robot@project', { ...parts, clock: fakeClock() })).not.toBe(one);
});

it('stops waiting when the signal aborts', async () => {
  const limiter = createSheetsLimiter({ clock: fakeClock(), random: () => 0 });
  const stopping = new AbortController();
  limiter.refused();

  const turn = limiter.turn('write', stopping.signal);
  stopping.abort(new Error('stopping'));

  await expect(turn).rejects.toThrow('stopping');
});
