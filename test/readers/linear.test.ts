import { afterAll, describe, expect, it } from 'vitest';
import { baseline, MOST_TIMES_BASELINE, SIZE } from '../support/readers/pace.ts';
import { allReaders } from '../support/readers/readers.ts';
import { shapes } from '../support/readers/shapes.ts';

const readers = await allReaders();

let unit = baseline();

/** Of each reader, with the shape it was slowest with. */
const slowest = new Map<string, { shape: string; ms: number }>();

/** The best of three, since other load can only add time. */
async function timesBaseline(name: string, shape: string, read: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && least > MOST_TIMES_BASELINE * unit; i += 1) {
    if (i > 0) unit = baseline();
    const from = performance.now();
    await read();
    least = Math.min(least, performance.now() - from);
  }
  if (least > (slowest.get(name)?.ms ?? 0)) slowest.set(name, { shape, ms: least });
  return least / unit;
}

afterAll(() => {
  const worst = [...slowest].sort(([, a], [, b]) => b.ms - a.ms).slice(0, 5);
  const lines = worst.map(([name, { shape, ms }]) => `${name} with ${shape}: ${ms.toFixed(1)} ms`);
  console.info(`Slowest on 64 kB (looking at them takes ${unit.toFixed(1)} ms): ${lines.join(' · ')}`);
});

describe('reads 64 kB of anything in linear time', () => {
  it.each(Object.entries(readers))(
    '%s',
    async (name, read) => {
      for (const [shape, make] of Object.entries(shapes)) {
        const text = make(SIZE);

        const times = await timesBaseline(name, shape, () => read(text));

        expect.soft(times, shape).toBeLessThan(MOST_TIMES_BASELINE);
      }
    },
    300_000,
  );
});
