import { describe, expect, it } from 'vitest';
import { harsh, kind } from '../../sandbox/google-sheets/behavior.ts';
import { type ChaosResult, chaos } from '../../test/support/sheets/chaos.ts';
import {
  booksAtFirstSight,
  neverRepairs,
  trustsTheRefAlone,
  type WrongPolicy,
  writesWholeRows,
} from '../../test/support/sheets/wrong-policies.ts';

const factor = Number(process.env.VERIFY_RUNS ?? 1);
const SEEDS = 15;
/** Days of the test command; the long run has all of them. */
const days = factor > 1 ? { rows: SEEDS, numbers: 6, rush: 12 } : { rows: 6, numbers: 3, rush: 2 };
/** The most a long run tries. */
const MOST_SEEDS = 500;
const last = Math.min(MOST_SEEDS, SEEDS * factor);
const LONG = 120_000;

const well = { doubles: 0, unmeant: 0, wrong: 0, lost: 0, silent: 0, restless: 0 };
/** On every second day, a worn spreadsheet and the harsh reading of what Google's documentation leaves open. */
const circumstances = (seed: number) =>
  seed % 2 === 0 ? { behavior: harsh, worn: true } : { behavior: kind, worn: false };

const sumOf = (days: readonly ChaosResult[]) =>
  Object.fromEntries(
    Object.keys(days[0] ?? {}).map((key) => [
      key,
      days.reduce((sum, day) => sum + day[key as keyof ChaosResult], 0),
    ]),
  );

/** The first day that goes wrong under a wrong policy. */
async function caught(policy: WrongPolicy, isWrong: (day: ChaosResult) => boolean, days = SEEDS) {
  for (let seed = 1; seed <= days; seed += 1) {
    const day = await chaos(seed, { policy });
    if (isWrong(day)) return day;
  }
  return undefined;
}

it.each([1, 2])(
  'a spreadsheet in a day of chaos books each lead once, loses none of people’s cells, and settles (seed %i)',
  async (seed) => {
    const day = await chaos(seed, { ...circumstances(seed), rush: seed === 2, numbers: seed === 1 });

    expect(day).toMatchObject(well);
  },
  LONG,
);

describe('the spreadsheet on many days of chaos', { tags: ['thorough'] }, () => {
  it.each(Array.from({ length: days.rows }, (_, index) => index + 1))(
    'books each lead once, loses none of people’s cells, and settles (seed %i)',
    async (seed) => {
      const day = await chaos(seed, circumstances(seed));

      expect(day).toMatchObject(well);
    },
    LONG,
  );

  it.each(Array.from({ length: days.numbers }, (_, index) => index + 1))(
    'shows every lead and the prices of the day people ask for, while they work in Leads and Price list (seed %i)',
    async (seed) => {
      const day = await chaos(seed, { ...circumstances(seed), numbers: true });

      expect(day).toMatchObject(well);
    },
    LONG,
  );

  it.each(Array.from({ length: days.rush }, (_, index) => index + 1))(
    'does so while two people work at once and the process is killed every few minutes (seed %i)',
    async (seed) => {
      const day = await chaos(seed, { ...circumstances(seed), rush: true, numbers: seed % 2 === 0 });

      expect(day).toMatchObject(well);
    },
    LONG,
  );

  if (last > SEEDS)
    it(
      `does so on ${last} days`,
      async () => {
        const days: ChaosResult[] = [];
        for (let seed = SEEDS + 1; seed <= last; seed += 1) days.push(await chaos(seed, circumstances(seed)));

        console.log(JSON.stringify(sumOf(days)));
        const bad = days.flatMap((day, index) =>
          Object.entries(well).some(([key, value]) => day[key as keyof ChaosResult] !== value)
            ? [{ seed: SEEDS + 1 + index, ...day }]
            : [],
        );

        expect(bad).toEqual([]);
      },
      last * 10_000,
    );

  it(
    'would book unfinished rows if it booked at first sight',
    async () => {
      const day = await caught(booksAtFirstSight, (one) => one.doubles + one.unmeant > 0);

      expect(day).toBeDefined();
    },
    LONG,
  );

  it(
    'would book twice without the content guard alone',
    async () => {
      const day = await caught(trustsTheRefAlone, ({ doubles }) => doubles > 0);

      expect(day).toBeDefined();
    },
    LONG,
  );

  it(
    'books each lead once even if it never repairs a cell',
    async () => {
      const days = 3 * Math.max(1, last / SEEDS);
      const day = await caught(neverRepairs, (one) => one.doubles + one.unmeant > 0, days);

      expect(day).toBeUndefined();
    },
    LONG + last * 5_000,
  );

  it(
    'would lose people’s cells if it wrote whole rows',
    async () => {
      const day = await caught(writesWholeRows, ({ lost, unseen }) => lost > 0 && unseen === 0);

      expect(day).toBeDefined();
    },
    LONG,
  );
});
