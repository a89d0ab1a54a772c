import { afterAll, describe, expect, it } from 'vitest';
import { allReaders } from '../support/readers/readers.ts';
import { shapes } from '../support/readers/shapes.ts';

/** The largest accepted body. */
const SIZE = 65_536;
/** Allowed multiple of the baseline. A quadratic reader takes a thousand times more. */
const MOST_TIMES_BASELINE = 400;
const readers = await allReaders();

/** Milliseconds for one simple pass over the bytes, in this run on this machine. */
function baseline(): number {
  const bytes = Buffer.from('Ann, 🦷 1 '.repeat(SIZE / 12));
  const times = Array.from({ length: 15 }, () => {
    const from = performance.now();
    const text = bytes.toString('utf8').normalize('NFKC');
    JSON.parse(JSON.stringify([text.replace(/\s+/g, ' ').trim(), text.split(' ')]));
    return performance.now() - from;
  });
  return times.sort((a, b) => a - b)[7] ?? 1;
}

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
