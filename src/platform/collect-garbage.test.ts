import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { until } from '../../test/support/until.ts';
import { systemClock } from './clock.ts';
import { collectGarbage, collector } from './collect-garbage.ts';
import { MINUTE, SECOND } from './duration.ts';

it('collects soon after a start and then every ten minutes, until it is stopped', async () => {
  const clock = fakeClock();
  const stopping = new AbortController();
  let collections = 0;
  const collect = () => {
    collections += 1;
  };
  const ended = collectGarbage(clock, stopping.signal, collect, () => false);

  await clock.advance(4 * SECOND);
  const early = collections;
  await clock.advance(SECOND);
  const soon = collections;
  await clock.advance(30 * MINUTE);
  stopping.abort();
  await ended;
  await clock.advance(20 * MINUTE);

  expect([early, soon, collections]).toEqual([0, 1, 4]);
});

it('waits while there is work, ten minutes at most', async () => {
  const clock = fakeClock();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const collectedAt: number[] = [];
  let isBusy = true;
  const began = clock.now();
  const collect = () => {
    collectedAt.push((clock.now() - began) / SECOND);
  };
  void collectGarbage(clock, stopping.signal, collect, () => isBusy);

  await clock.advance(59 * SECOND);
  isBusy = false;
  await clock.advance(10 * MINUTE);
  isBusy = true;
  await clock.advance(11 * MINUTE);

  expect(collectedAt).toEqual([60, 660 + 600]);
});

it('takes a loop that had work for more than half of the time for busy', async () => {
  const clock = fakeClock();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  let collections = 0;
  void collectGarbage(clock, stopping.signal, () => {
    collections += 1;
  });

  // The real loop works without a pause, then rests between looks.
  for (const end = performance.now() + 60; performance.now() < end; ) await clock.advance(1);
  await clock.advance(5 * SECOND);
  const afterWork = collections;
  const began = clock.now();
  await until('it was collected', async () => {
    await clock.advance(5 * SECOND);
    return collections > 0;
  });

  expect(afterWork).toBe(0);
  // Long before it would be although there is work.
  expect(clock.now() - began).toBeLessThan(5 * MINUTE);
});

it('collects the whole heap', { tags: ['thorough'] }, async () => {
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as (PerformanceEntry & { detail: { kind: number } })[])
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1;
  });
  observer.observe({ entryTypes: ['gc'] });
  const stopping = new AbortController();
  onTestFinished(() => {
    stopping.abort();
    observer.disconnect();
  });
  const clock = { ...systemClock, sleep: (_ms: number, signal: AbortSignal) => systemClock.sleep(1, signal) };

  void collectGarbage(clock, stopping.signal, undefined, () => false);

  // More than V8 would do unasked while a test waits.
  await until('it was collected ten times', () => collections >= 10);
});

it.each([
  ['gives pages back, however much garbage there is, where little is kept', 34, 'last-resort'],
  ['does not block for several passes where much is kept', 120, 'regular'],
])('%s', (_, keptMegabytes, flavor) => {
  let megabytes = keptMegabytes;
  const flavors: string[] = [];
  const collect = collector(
    (options) => {
      flavors.push(options.flavor);
      megabytes = keptMegabytes;
    },
    () => megabytes * 1_000_000,
  );

  for (const garbageMegabytes of [0, 5, 30]) {
    megabytes += garbageMegabytes;
    collect();
  }

  expect(flavors).toEqual([flavor, flavor, flavor]);
});
