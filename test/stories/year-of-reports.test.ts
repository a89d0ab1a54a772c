import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openPostgres } from '../../src/store/postgres.ts';
import { openStore, restoreStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { EMPTY, patientTimes } from '../support/store/empty-postgres.ts';
import { openPgliteStore } from '../support/store/pglite.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/store/postgres-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { ClinicKind } from '../support/year/clinic-life.ts';
import {
  type Comparison,
  compareMonth,
  compareReports,
  compareTables,
  comparison,
} from '../support/year/compare.ts';
import { DAY_MS, iso } from '../support/year/wall-clock.ts';
import { playYear, START, type Year, type YearOptions } from '../support/year/year.ts';

const runs = Math.min(20, Number(process.env.VERIFY_RUNS ?? 1));
const seeds = process.env.VERIFY_SEED
  ? [Number(process.env.VERIFY_SEED)]
  : Array.from({ length: runs }, (_, i) => i + 1);
const MOST_SHOWN = 40;

/** A clock that skips midnight in spring and one that does not; two currencies, one without decimal places. */
const places: [ClinicKind, ClinicKind][] = [
  [
    { key: 'london', zone: 'Europe/London', currency: 'GBP', finals: ['Completed', 'Cancelled'] },
    { key: 'santiago', zone: 'America/Santiago', currency: 'CLP', finals: ['none of them'] },
  ],
  [
    { key: 'cairo', zone: 'Africa/Cairo', currency: 'KWD', finals: ['none of them'] },
    { key: 'kathmandu', zone: 'Asia/Kathmandu', currency: 'NPR', finals: ['Cancelled'] },
  ],
  [
    { key: 'lord-howe', zone: 'Australia/Lord_Howe', currency: 'AUD', finals: ['none of them'] },
    { key: 'new-york', zone: 'America/New_York', currency: 'JPY', finals: ['none of them'] },
  ],
];

const kindsOf = (seed: number) => places[(seed - 1) % places.length] as ClinicKind[];

/** Every figure of every report, before and after retention has removed what is older than four months. */
async function prove({ lives, store }: Year, clock: FakeClock, to: Comparison): Promise<void> {
  const compare = async (isWhole: boolean) => {
    for (const { truth } of lives) {
      await compareReports(to, { store, truth, now: clock.now(), isWhole });
      await compareTables(to, store, truth);
    }
  };
  await compare(true);
  const [now, limit] = [iso(clock.now()), iso(clock.now() - 120 * DAY_MS)];
  const removed = await store.prune({
    ...{ now, deliveries: now, observations: now, bookings: limit, changes: limit },
    ...{ connectors: [], forgetting: [] },
  });
  await compare(false);

  if (runs > 1) console.log(JSON.stringify({ figures: to.figures, differences: to.differences.length }));
  expect(to.differences.slice(0, MOST_SHOWN)).toEqual([]);
  expect(to.figures).toBeGreaterThan(FEWEST_FIGURES);
  expect(removed.bookings).toBeGreaterThan(FEWEST_REMOVED);
}
const FEWEST_FIGURES = 25_000;
const FEWEST_REMOVED = 20;

async function play(options: Omit<YearOptions, 'onMonthEnd'>): Promise<void> {
  const { clock } = options;
  const to = comparison();
  const kinds = new Set<string>();
  const year = await playYear({
    ...options,
    // As a month is closed: also while the clinic does not answer.
    async onMonthEnd({ truth }, month, store) {
      const corrections = await compareMonth(to, { store, truth, month, now: clock.now(), isWhole: true });
      for (const { about } of corrections) kinds.add(about);
    },
  });
  await prove(year, clock, to);
  expect([...kinds].sort()).toEqual(['fee', 'leads', 'visit']);
}

it.each(seeds)(
  'reports a year as it really was, from an SQLite file that was once put back (seed %i)',
  { timeout: 300_000 },
  async (seed) => {
    const clock = fakeClock(START);
    const folder = await temporaryFolder();
    const [file, copy] = [join(folder, 'clinic.db'), join(folder, 'copy.db')];
    const open = () => openStore({ file, clock, log: silentLog, mode: 'daemon' });
    let store = await open();
    onTestFinished(() => store.close());
    const copies = {
      make: async () => void (await store.backup(copy)),
      async restore(): Promise<Store> {
        await store.close();
        await restoreStore(file, copy, 'Rima', systemClock);
        store = await open();
        return store;
      },
    };

    await play({ seed, clock, store, copies, kinds: kindsOf(seed), pace: runs > 1 ? 2 : 4 });
  },
);

describe('on PostgreSQL', () => {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = hasPostgres ? await startPostgres() : undefined;
  });
  afterAll(() => server?.stop());

  it.each(seeds)('reports a year as it really was (seed %i)', { timeout: 300_000 }, async (seed) => {
    const clock = fakeClock(START);
    await server?.run(EMPTY);
    const store =
      server === undefined
        ? await openPgliteStore()
        : await openPostgres({
            ...{ url: server.url(), log: silentLog, mode: 'daemon', version: '0.0.0' },
            // Not the year's: a daemon that was silent for days has lost what it looks after.
            ...{ clock: fakeClock(), times: patientTimes },
          });
    onTestFinished(() => store.close());

    // The other database needs no second clinic to show what it counts differently.
    // One process has everything: there is nobody to share with.
    const { under: _shared, ...whole } = store;

    await play({ seed: seed + 1, clock, store: whole, pace: 5, kinds: kindsOf(seed + 1).slice(0, 1) });
  });
});
