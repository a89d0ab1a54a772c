import { expect, it } from 'vitest';
import { fakeClock, settle } from '../../test/support/fake-clock.ts';
import { call } from './call.ts';

const never = () => new Promise<never>(() => {});
const options = (clock = fakeClock(), signal = new AbortController().signal) => ({
  clock,
  deadlineMs: 10_000,
  signal,
  doing: 'The delivery',
});

it('returns the connector’s result, and leaves no timer behind', async () => {
  const clock = fakeClock();

  const { outcome, ended } = call(options(clock), async () => 7);

  await expect(outcome).resolves.toBe(7);
  await expect(ended).resolves.toBeUndefined();
  await settle();
  expect(clock.sleeping).toBe(0);
});

it('turns a connector that throws at once into a rejection', async () => {
  const { outcome } = call(options(), () => {
    throw new TypeError('not even a promise');
  });

  await expect(outcome).rejects.toThrow('not even a promise');
});

it('times out a call that hangs, aborts it, and knows that it has not returned', async () => {
  const clock = fakeClock();
  let told: AbortSignal | undefined;
  let ended = false;

  const one = call(options(clock), (signal) => {
    told = signal;
    return never();
  });
  void one.ended.then(() => {
    ended = true;
  });
  const outcome = one.outcome.catch((error: unknown) => error);
  await clock.advance(10_000);

  await expect(outcome).resolves.toMatchObject({
    kind: 'transient',
    message: 'The delivery did not end within 10 s.',
  });
  expect(told?.aborted).toBe(true);
  expect(ended).toBe(false);
});

it('lets a call that is told to stop finish within the grace', async () => {
  const clock = fakeClock();
  const stopping = new AbortController();

  const { outcome } = call(options(clock, stopping.signal), async () => {
    await clock.sleep(1_000, new AbortController().signal);
    return 'finished';
  });
  await settle();
  stopping.abort(new Error('stopping'));
  await clock.advance(1_000);

  await expect(outcome).resolves.toBe('finished');
});

it('does not let a call that ignores the stop delay it', async () => {
  const clock = fakeClock();
  const stopping = new AbortController();

  const outcome = call(options(clock, stopping.signal), never).outcome.catch((error: unknown) => error);
  await settle();
  stopping.abort(new Error('stopping'));
  await clock.advance(2_000);

  await expect(outcome).resolves.toMatchObject({ message: 'stopping' });
});
