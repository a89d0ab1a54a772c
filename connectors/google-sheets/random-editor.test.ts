import { expect, it } from 'vitest';
import { editAtRandom } from '../../test/support/sheets/random-editor.ts';

const factor = Number(process.env.VERIFY_RUNS ?? 1);
const seeds = Array.from({ length: factor > 1 ? 4 : 2 }, (_, index) => index + 1);
/** Steps of each seed; a long run has 100,000 in all. */
const steps = factor > 1 ? Math.min(25_000, 1_000 * factor) : 60;

it.each(seeds)(
  'books whom people ticked, once, and keeps their cells and sums whatever four of them do (seed %i)',
  async (seed) => {
    const edited = await editAtRandom(seed, steps);

    expect(edited).toMatchObject({
      invented: 0,
      wrongWhens: 0,
      doubled: 0,
      lostNotes: 0,
      wrongSums: 0,
      silent: 0,
    });
    expect(edited.bookings).toBeGreaterThan(5);
  },
  60_000 + steps * 1_000,
);
