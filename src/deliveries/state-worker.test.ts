import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordTreatments } from '../../test/support/clinic/recorded-treatments.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type FakeClock, fakeClock, settle } from '../../test/support/fake-clock.ts';
import type { Connector, Converged, MirrorView } from '../connector.ts';
import { MINUTE, SECOND } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { type Log, silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { type Deliveries, startDeliveries } from './deliveries.ts';

const nothing: Converged = { written: {}, problems: [] };

let clock: FakeClock;
let store: Store;
let deliveries: Deliveries;
let converge: (mirror: MirrorView, signal: AbortSignal) => Promise<Converged>;
let calls: number;
let log: Log;

const sheet: Connector = {
  state: {
    everyMs: 10 * MINUTE,
    deadlineMs: MINUTE,
    converge(mirror, signal) {
      calls += 1;
      return converge(mirror, signal);
    },
  },
  check: async () => [],
  stop: async () => {},
};

beforeEach(async () => {
  clock = fakeClock();
  store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  calls = 0;
  log = silentLog;
  converge = async () => nothing;
});

afterEach(async () => {
  await deliveries.stop();
  await store.close();
});

function start(loops = true): void {
  deliveries = startDeliveries({
    connectors: [{ name: 'sheet', connector: sheet, clinics: ['main'], includePatient: false }],
    clinics: [{ clinic: 'main', timezone: 'UTC' }],
    store,
    clock,
    log,
    random: () => 0,
    loops,
  });
}

const called = (count: number) => eventually(() => calls === count);
const health = () => store.deliveries.connector('sheet');

it('converges at start, after changes, and regularly without any', async () => {
  start();
  await called(1);
  await settle(50);

  await recordTreatments({ store, clock }, { 1: '10.00' });
  deliveries.wake();
  await settle(50);
  await clock.advance(2 * SECOND);
  await called(2);
  await settle(50);
  await clock.advance(9 * MINUTE);
  const early = calls;
  await clock.advance(2 * MINUTE);
  await called(3);

  expect(early).toBe(2);
});

it('converges again when something changed meanwhile', async () => {
  converge = async () => {
    if (calls === 1) await recordTreatments({ store, clock }, { 1: '10.00' });
    return nothing;
  };

  start();
  await called(1);
  await settle(50);
  await clock.advance(2 * SECOND);

  await called(2);
  await eventually(async () => (await store.deliveries.cursor('sheet', 'main')) === 1);
});

it('waits longer after each failure, and reports it until it works again', async () => {
  converge = () => Promise.reject(new Failure({ kind: 'transient', message: 'No quota', hint: 'Wait.' }));
  start();
  await called(1);
  await settle(50);
  await clock.advance(5 * SECOND);
  await called(2);
  await settle(50);
  const failing = await health();

  converge = async () => ({ written: { treatments: 1 }, problems: ['The tab "fees" was renamed.'] });
  await clock.advance(9 * SECOND);
  const early = calls;
  await clock.advance(2 * SECOND);
  await called(3);
  await settle(50);

  expect(early).toBe(2);
  expect(failing).toMatchObject({ failures: 2, last_error: 'No quota. Wait.' });
  expect(await health()).toMatchObject({
    failures: 0,
    last_error: null,
    problems: ['The tab "fees" was renamed.'],
  });
});

it('is retried at once when a user looks, however long the pause after refusals', async () => {
  converge = () => Promise.reject(new Failure({ kind: 'refused', message: 'Not shared' }));
  start();
  for (let refusal = 1; refusal <= 3; refusal += 1) {
    await called(refusal);
    await settle(50);
    if (refusal < 3) await clock.advance(refusal * 5 * SECOND);
  }
  converge = async () => nothing;
  await clock.advance(5 * MINUTE);
  const resting = calls;

  deliveries.wake({ connector: 'sheet', soon: 'now' });
  await called(4);
  await eventually(async () => (await health()).failures === 0);

  expect(resting).toBe(3);
});

it('is retried after a failure although nothing changed since', async () => {
  start();
  await called(1);
  await settle(50);
  converge = () => Promise.reject(new Failure({ kind: 'transient', message: 'No quota' }));
  await clock.advance(2 * SECOND);
  deliveries.wake({ connector: 'sheet' });
  await called(2);
  await settle(50);

  converge = async () => nothing;
  await clock.advance(6 * SECOND);
  await settle(50);

  expect(calls).toBe(3);
  expect(await health()).toMatchObject({ failures: 0, last_error: null });
});

it('is converged by one call at a time, even if the previous one does not end', async () => {
  converge = () => new Promise(() => {});
  start();
  await called(1);
  await settle(50);

  await clock.advance(MINUTE);
  await settle(50);
  await clock.advance(30 * MINUTE);
  await settle(50);

  expect(calls).toBe(1);
  expect((await health()).last_error).toContain('did not stop');
});

it('runs when the connector itself noticed something', async () => {
  start();
  await called(1);
  await settle(50);
  await clock.advance(5 * SECOND);
  await settle(50);

  deliveries.wake({ connector: 'sheet' });

  await called(2);
});

it('is left alone while it is paused', async () => {
  await store.deliveries.report('sheet', { paused: true, pause_kind: 'person' });
  start(false);

  await deliveries.runOnce(AbortSignal.timeout(10_000));

  expect(calls).toBe(0);
});

it('reports what it wrote', async () => {
  start(false);
  converge = async () => ({ written: { 'treatments.csv': 12 }, problems: [] });

  const summary = await deliveries.runOnce(AbortSignal.timeout(10_000));

  expect(summary).toEqual([
    {
      connector: 'sheet',
      delivered: 0,
      failed: 0,
      pending: 0,
      dead: 0,
      written: { 'treatments.csv': 12 },
      problems: [],
      error: null,
    },
  ]);
});

it('counts as behind while the connector has postponed something, and runs again when that is due', async () => {
  converge = async () => (calls === 1 ? { ...nothing, unfinished: true, nextInMs: 30 * SECOND } : nothing);
  await recordTreatments({ store, clock }, { 1: '10.00' });
  start();
  await called(1);
  await settle(50);

  const behind = await store.deliveries.cursor('sheet', 'main');
  deliveries.wake();
  await clock.advance(20 * SECOND);
  const early = calls;
  await clock.advance(15 * SECOND);
  await settle(50);

  expect(behind).toBeUndefined();
  expect([early, calls]).toEqual([1, 2]);
  expect(await store.deliveries.cursor('sheet', 'main')).toBe(1);
});

it('logs once what a run leaves to a person, and again when it comes back', async () => {
  const warned: unknown[] = [];
  log = { ...silentLog, warn: (_, fields) => void warned.push(fields?.problem) };
  const ask = { sentence: 'Move the row.', weight: 'need' } as const;
  start(false);
  const run = async (problems: Converged['problems']) => {
    converge = async () => ({ written: {}, problems });
    await deliveries.runOnce(AbortSignal.timeout(MINUTE));
  };

  await run([ask, 'A note about March.']);
  await run([ask]);
  const first = [...warned];
  await run([]);
  await run([ask]);

  expect(first).toEqual(['Move the row.']);
  expect(warned).toEqual(['Move the row.', 'Move the row.']);
});
