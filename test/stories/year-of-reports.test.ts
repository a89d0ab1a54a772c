/** @module-tag thorough */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openPostgres } from '../../src/store/postgres.ts';
import { openFileStore, restoreStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { needing } from '../support/program.ts';
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
import {
  compareInLibreOffice,
  type Delivered,
  delivered,
  soffice,
  type Workbook,
} from '../support/year/delivered.ts';
import { compareCommands, comparePage, compareTabs } from '../support/year/shown.ts';
import type { Truth } from '../support/year/truth.ts';
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
async function prove(
  { lives, store }: Year,
  clock: FakeClock,
  to: Comparison,
  { filesOf, database }: { filesOf: (truth: Truth) => Delivered; database: string | undefined },
): Promise<void> {
  const truths = lives.map(({ truth }) => truth);
  const compare = async (isWhole: boolean) => {
    for (const truth of truths) {
      await compareReports(to, { store, truth, now: clock.now(), isWhole });
      await compareTables(to, store, truth);
      await filesOf(truth).compare(to, truth);
    }
  };
  await compare(true);
  await comparePage(to, { store, truths, clock });
  if (database !== undefined) {
    vi.useFakeTimers({ now: clock.now(), toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await compareCommands(to, { store, truths, now: clock.now(), folder: await temporaryFolder(), database });
    vi.useRealTimers();
  }
  for (const truth of truths) await compareTabs(to, { store, truth, clock });
  const [now, limit] = [iso(clock.now()), iso(clock.now() - 120 * DAY_MS)];
  const removed = await store.prune({
    ...{ now, deliveries: now, observations: now, bookings: limit, changes: limit },
    ...{ connectors: [], forgetting: [] },
  });
  // By then files are compared as a whole, which finds what the log does not name.
  await clock.advance(FULL_COMPARISON_MS);
  await compare(false);

  if (runs > 1) console.log(JSON.stringify({ figures: to.figures, differences: to.differences.length }));
  expect(to.differences.slice(0, MOST_SHOWN)).toEqual([]);
  expect(to.figures).toBeGreaterThan(FEWEST_FIGURES);
  expect(removed.bookings).toBeGreaterThan(FEWEST_REMOVED);
}
/** The month in which the clinic did not answer over its end. */
const IN_LIBREOFFICE = '2026-05';
/** Of that month, of every year that was played. */
const workbooks: Workbook[] = [];
const FULL_COMPARISON_MS = 120_000;
const FEWEST_FIGURES = 25_000;
const FEWEST_CELLS = 100;
const FEWEST_REMOVED = 20;

/** `database`: as the configuration names it, where another process can open it. */
async function play({
  database,
  ...options
}: Omit<YearOptions, 'onMonthEnd' | 'onErased'> & { database: string | undefined }): Promise<void> {
  const { clock } = options;
  const to = comparison();
  const kinds = new Set<string>();
  const folder = await temporaryFolder();
  let store = options.store;
  const folders = new Map<string, Delivered>();
  for (const { key, zone } of options.kinds)
    folders.set(key, await delivered({ clinic: key, zone }, { folder, clock, store: () => store }));
  const filesOf = ({ clinic }: Truth) => folders.get(clinic) as Delivered;
  const year = await playYear({
    ...options,
    onErased: ({ truth }, refs) => filesOf(truth).forget(refs),
    // As a month is closed: also while the clinic does not answer.
    async onMonthEnd({ truth }, month, present) {
      store = present;
      const corrections = await compareMonth(to, { store, truth, month, now: clock.now(), isWhole: true });
      for (const { about } of corrections) kinds.add(about);
      const files = filesOf(truth);
      await files.compare(to, truth);
      await files.pack(to, truth, month);
      if (month === IN_LIBREOFFICE) workbooks.push(await files.workbook(truth, month));
    },
  });
  store = year.store;
  await prove(year, clock, to, { filesOf, database });
  expect([...kinds].sort()).toEqual(['fee', 'leads', 'visit']);
}

it.each(seeds)(
  'reports a year as it really was, from an SQLite file that was once put back (seed %i)',
  { timeout: 300_000 },
  async (seed) => {
    const clock = fakeClock(START);
    const folder = await temporaryFolder();
    const [file, copy] = [join(folder, 'clinic.db'), join(folder, 'copy.db')];
    const open = () => openFileStore({ file, clock, log: silentLog, mode: 'daemon' });
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

    await play({
      database: `sqlite: ${file}`,
      seed,
      clock,
      store,
      copies,
      kinds: kindsOf(seed),
      pace: runs > 1 ? 2 : 4,
    });
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
    // One process has everything: there is no one to share with.
    const { under: _shared, ...whole } = store;

    const database = server && `postgres: "${server.url()}"`;
    const kinds = kindsOf(seed + 1).slice(0, 1);
    await play({ database, seed: seed + 1, clock, store: whole, pace: 5, kinds });
  });
});

it.skipIf(soffice === undefined)(
  `reports in workbooks what LibreOffice then shows${needing('LibreOffice', soffice)}`,
  { timeout: 300_000 },
  async ({ skip }) => {
    skip(workbooks.length === 0, 'no year was played');
    const to = comparison();
    await compareInLibreOffice(to, workbooks, { program: soffice ?? '', folder: await temporaryFolder() });

    expect(to.differences.slice(0, MOST_SHOWN)).toEqual([]);
    expect(to.figures).toBeGreaterThan(workbooks.length * FEWEST_CELLS);
  },
);
