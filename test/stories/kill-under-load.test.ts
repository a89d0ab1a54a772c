/** @module-tag thorough */
import { expect, it } from 'vitest';
import { killRounds } from '../support/daemon/kill-rounds.ts';
import { clean } from '../support/daemon/story-judge.ts';

const runs = Number(process.env.VERIFY_RUNS ?? 1);
/** Fewer in the test command, where a hundred more daemons die at the named crash points. */
const ROUNDS_PER_STORY = runs > 1 ? 20 : 8;
/** One story in the test command, 50 of them (1,000 rounds) in the long run; a seed repeats what a story does. */
const seeds = process.env.VERIFY_SEED
  ? [Number(process.env.VERIFY_SEED)]
  : Array.from({ length: Math.min(50, runs) }, (_, index) => 1_000 + index);

it.each(seeds)(
  `${ROUNDS_PER_STORY} kills under load, with a fifth of all calls failing, lose and double nothing (VERIFY_SEED=%i)`,
  // A machine that does other things takes a quarter of a minute for each round.
  { timeout: 60_000 * ROUNDS_PER_STORY },
  async (seed) => {
    const report = await killRounds({ seed, rounds: ROUNDS_PER_STORY });
    if (process.env.VERIFY_RUNS !== undefined) console.log(JSON.stringify(report));

    expect(report.verdict).toEqual(clean);
    expect(report.untold).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(0);
  },
);
