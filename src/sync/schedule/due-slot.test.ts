import { expect, it } from 'vitest';
import { parseCron } from '../../platform/cron.ts';
import { HOUR, MINUTE, SECOND } from '../../platform/duration.ts';
import { dueSlotAt, firstSlot, isDue, nextSlot, offsetInSlot } from './due-slot.ts';

const at = (text: string) => Date.parse(`2026-11-22T${text}Z`);
const nowAt = (text: string) => ({ wall: at(text), monotonic: 0 });
const everyMinute = parseCron('* * * * *');

it('keeps a single clinic within the first seconds of its slot', () => {
  expect(offsetInSlot(15 * MINUTE, 0.999, 1)).toBeLessThan(5_000);
  expect(offsetInSlot(MINUTE, 0.999, 1)).toBeLessThan(3_000);
});

it('spreads a thousand clinics over a slot, and over five minutes of a long one', () => {
  const offsets = (intervalMs: number) =>
    Array.from({ length: 1_000 }, (_, n) => offsetInSlot(intervalMs, n / 1_000, 1_000));
  const mostInOneSecond = (all: readonly number[]) => {
    const seconds = new Map<number, number>();
    for (const offset of all)
      seconds.set(Math.floor(offset / SECOND), (seconds.get(Math.floor(offset / SECOND)) ?? 0) + 1);
    return Math.max(...seconds.values());
  };

  expect(mostInOneSecond(offsets(MINUTE))).toBeLessThan(25);
  expect(mostInOneSecond(offsets(24 * HOUR))).toBeLessThan(5);
  expect(Math.max(...offsets(24 * HOUR))).toBeLessThan(5 * MINUTE);
});

it('lets clinics whose runs are a moment apart start together', () => {
  const offsets = new Set(Array.from({ length: 1_000 }, (_, n) => offsetInSlot(MINUTE, n / 1_000, 1_000)));

  expect(offsets.size).toBeGreaterThan(40);
  expect(offsets.size).toBeLessThan(50);
  expect(offsetInSlot(MINUTE, 0.5, 1)).toBe(1_500);
});

it('keeps clinics with runs every second apart', () => {
  const offsets = new Set(Array.from({ length: 4 }, (_, n) => offsetInSlot(SECOND, n / 4, 4)));

  expect(offsets.size).toBe(4);
});

it('runs once per slot, wherever in it and however long a run takes', () => {
  const offset = 47 * SECOND;
  const ran = dueSlotAt(at('09:00:47'), nowAt('09:00:47'));

  expect(nextSlot(everyMinute, ran, nowAt('09:00:48'), offset).wall).toBe(at('09:01:47'));
  expect(nextSlot(everyMinute, ran, nowAt('09:01:10'), offset).wall).toBe(at('09:01:47'));
  expect(nextSlot(everyMinute, ran, nowAt('09:02:00'), offset).wall).toBe(at('09:02:47'));
});

it('keeps its place in the slot across a restart', () => {
  const stored = at('09:01:47');

  expect(firstSlot(everyMinute, stored, nowAt('09:00:50'), 47 * SECOND).wall).toBe(stored);
  expect(firstSlot(everyMinute, at('11:00:00'), nowAt('09:00:50'), 47 * SECOND).wall).toBe(stored);
});

it('is due in time although the wall clock was set back, and at once when it was set forward', () => {
  const slot = dueSlotAt(at('09:01:00'), { wall: at('09:00:00'), monotonic: 0 });

  expect(isDue(slot, { wall: at('09:00:15'), monotonic: MINUTE - 1 })).toBe(false);
  expect(isDue(slot, { wall: at('09:00:15'), monotonic: MINUTE })).toBe(true);
  expect(isDue(slot, { wall: at('09:01:00'), monotonic: SECOND })).toBe(true);
});
