import { afterEach, beforeEach, expect, it } from 'vitest';
import { booking, claimNext } from '../../test/conformance/store/samples.ts';
import { type FakeClock, fakeClock, settle } from '../../test/support/fake-clock.ts';
import { judgeWithin } from '../bookings/duplicates/judge-lead.ts';
import type { Connector, ErasedPeople } from '../connector.ts';
import { instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { type Deliveries, startDeliveries } from './deliveries.ts';

let clock: FakeClock;
let store: Store;
let deliveries: Deliveries;
let asked: ErasedPeople[];
let fails = 0;

const files = (): Connector => ({
  state: { everyMs: 300_000, converge: async () => ({ written: {}, problems: [] }) },
  async forget(erased) {
    asked.push(erased);
    fails -= 1;
    if (fails >= 0) throw new Failure({ kind: 'transient', message: 'The folder is away.' });
  },
  check: async () => [],
  stop: async () => {},
});

beforeEach(async () => {
  clock = fakeClock();
  asked = [];
  fails = 0;
  store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
});

afterEach(async () => {
  await deliveries.stop();
  await store.close();
});

const start = (loops = true) => {
  deliveries = startDeliveries({
    connectors: [{ name: 'reports', connector: files(), clinics: ['main'], includePatient: true }],
    clinics: [{ clinic: 'main', timezone: 'UTC' }],
    store,
    clock,
    log: silentLog,
    random: () => 0,
    loops,
  });
};

async function eraseOne(submission_id: string): Promise<string> {
  const { booking: stored } = await store.bookings.accept(booking({ submission_id }), judgeWithin(0));
  await store.erase({ refs: [stored.ref] }, instant(clock.now()), 'Mina');
  return stored.ref;
}

async function wait(ms: number): Promise<void> {
  deliveries.wake();
  await settle(50);
  await clock.advance(ms);
  await settle(50);
}

it('has a connector remove an erased person once, even while it is paused', async () => {
  start();
  await deliveries.pause('reports', 'Mina');

  const ref = await eraseOne('one');
  await wait(0);
  await wait(60_000);

  expect(asked).toEqual([{ refs: [ref], appointments: [] }]);
});

it('retries until it succeeds, even after a restart', async () => {
  fails = 2;
  start();
  const ref = await eraseOne('one');
  await wait(6_000);
  await deliveries.stop();
  start();
  await wait(6_000);

  const before = asked.length;
  await wait(60_000);

  expect(before).toBe(3);
  expect(asked.map(({ refs }) => refs)).toEqual([[ref], [ref], [ref]]);
});

it('reports in a single run what could not be removed', async () => {
  fails = 1;
  start(false);
  await eraseOne('one');

  const [first] = await deliveries.runOnce(AbortSignal.timeout(5_000));
  const [second] = await deliveries.runOnce(AbortSignal.timeout(5_000));

  expect(first?.problems).toEqual([expect.stringContaining('The folder is away.')]);
  expect(second?.problems).toEqual([]);
});

it('clears the log of the database before an erasure counts as done', async () => {
  const found: boolean[] = [false, true];
  store = { ...store, clearLog: async () => found.shift() ?? true };
  start(false);
  await eraseOne('one');

  const [first] = await deliveries.runOnce(AbortSignal.timeout(5_000));
  const between = await store.deliveries.connector('reports');
  const [second] = await deliveries.runOnce(AbortSignal.timeout(5_000));

  expect(first?.problems).toEqual([expect.stringContaining('another program reads the database')]);
  expect(between.forgotten).toBe(0);
  expect(second?.problems).toEqual([]);
  expect((await store.deliveries.connector('reports')).forgotten).toBe(1);
});

it('passes on appointments of the connector’s own clinics only', async () => {
  const at = instant(clock.now());
  const { booking: stored } = await store.bookings.accept(
    booking({ clinic: 'north', submission_id: 'n', state: 'queued' }),
    judgeWithin(0),
  );
  await claimNext(store, 'north', at);
  await store.bookings.move({
    ...{ ref: stored.ref, attempt: 1, from: ['sending'], to: 'booked', actor: 'daemon', by: 'daemon', at },
    appointment_id: 77,
  });
  await store.erase({ refs: [stored.ref] }, at, 'Mina');

  start();
  await wait(0);

  expect(asked).toEqual([{ refs: [stored.ref], appointments: [] }]);
});
