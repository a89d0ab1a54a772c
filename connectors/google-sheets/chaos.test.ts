import { describe, expect, it } from 'vitest';
import { chaos } from '../../test/support/sheets/chaos.ts';

const SEEDS = 15;
const more = SEEDS * (Number(process.env.VERIFY_RUNS ?? 1) - 1);
const well = { doubles: 0, wrong: 0, lost: 0, silent: 0, restless: 0 };
const LONG = 120_000;

describe('the spreadsheet in a day of chaos', () => {
  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'books nobody twice, loses nobody’s cell, and comes to rest (seed %i)',
    async (seed) => {
      const result = await chaos(seed);

      expect(result).toMatchObject(well);
    },
    LONG,
  );

  if (more > 0)
    it(
      'does so in a long run, where at most one cell in a hundred days falls to several accidents at once',
      async () => {
        const sum = { ...well };
        for (let seed = SEEDS + 1; seed <= SEEDS + more; seed += 1) {
          const result = await chaos(seed);
          for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += result[key];
        }

        expect(sum).toMatchObject({ doubles: 0, wrong: 0, restless: 0 });
        expect(sum.lost + sum.silent).toBeLessThanOrEqual(Math.ceil(more / 50));
      },
      more * 10_000,
    );

  it(
    'would book twice if it booked at first sight',
    async () => {
      const { doubles } = await chaos(6, { rules: { secondLook: false } });

      expect(doubles).toBeGreaterThan(0);
    },
    LONG,
  );

  it(
    'would book twice without the content guard, when what slipped is not put back either',
    async () => {
      const guarded = await chaos(20, { rules: { mends: false } });
      const unguarded = await chaos(20, { rules: { mends: false, contentGuard: false } });

      expect(guarded.doubles).toBe(0);
      expect(unguarded.doubles).toBeGreaterThan(0);
    },
    LONG,
  );

  it(
    'would lose people’s cells if it wrote whole rows',
    async () => {
      const { lost } = await chaos(3, { rules: { cellsOnly: false } });

      expect(lost).toBeGreaterThan(0);
    },
    LONG,
  );
});
