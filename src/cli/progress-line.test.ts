import { expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { clearLine } from './io.ts';
import { whileWorking } from './progress-line.ts';

function watched(terminal: boolean) {
  const clock = fakeClock();
  const told: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const io = { terminal, err: (text: string) => told.push(text) };
  return { clock, told, resolve, reject, work: whileWorking(io, 'Copying', () => promise, clock) };
}

it('says on a terminal what it does and for how long, and leaves an empty line', async () => {
  const { clock, told, resolve, work } = watched(true);
  await clock.advance(2_500);
  resolve('done');

  expect(await work).toBe('done');
  expect(told).toEqual([
    ...['Copying …', 'Copying … 1 s', 'Copying … 2 s'].map((text) => clearLine + text),
    clearLine,
  ]);
  await clock.advance(5_000);
  expect(told).toHaveLength(4);
});

it('clears the line of what failed, too', async () => {
  const { told, reject, work } = watched(true);
  reject(new Error('no room'));

  await expect(work).rejects.toThrow('no room');
  expect(told.at(-1)).toBe(clearLine);
});

it('writes nothing without a terminal', async () => {
  const { clock, told, resolve, work } = watched(false);
  await clock.advance(60_000);
  resolve('done');
  await work;

  expect(told).toEqual([]);
});
