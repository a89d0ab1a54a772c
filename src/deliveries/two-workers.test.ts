import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordTreatments } from '../../test/support/clinic/recorded-treatments.ts';
import { type FakeClock, fakeClock } from '../../test/support/fake-clock.ts';
import { scriptedConnector } from '../../test/support/scripted-connector.ts';
import type { Converged } from '../connector.ts';
import { need } from '../domain/texts/problem.ts';
import { MINUTE } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { type Deliveries, startDeliveries } from './deliveries.ts';

/** A connector that delivers events and keeps a state. */

const isProtected = need('The tab Fees is protected.');
const done = (problems: Converged['problems'] = []): Converged => ({ written: {}, problems });
const signal = AbortSignal.timeout(60_000);

let clock: FakeClock;
let store: Store;
let deliveries: Deliveries;
let converge: () => Promise<Converged>;
let canEncode: boolean;

const start = (state = true) => {
  const { events, ...rest } = scriptedConnector({
    encode({ type }) {
      if (canEncode) return type;
      throw new Failure({ kind: 'refused', message: 'No template' });
    },
  });
  const both = {
    events,
    ...(state && { state: { everyMs: 10 * MINUTE, converge: () => converge() } }),
    ...rest,
  };
  deliveries = startDeliveries({
    connectors: [{ name: 'both', connector: both, clinics: ['main'], includePatient: false }],
    clinics: [{ clinic: 'main', timezone: 'UTC' }],
    ...{ store, clock, log: silentLog, random: () => 0, loops: false },
  });
};

beforeEach(async () => {
  clock = fakeClock();
  store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  converge = async () => done();
  canEncode = true;
  start();
  await deliveries.runOnce(signal);
});

afterEach(async () => {
  await deliveries.stop();
  await store.close();
});

const change = (fee: string) => recordTreatments({ store, clock }, { 1: fee });
/** What its page and *Needs you* show. */
async function asked() {
  const { problems, asks } = await store.deliveries.connector('both');
  const short = (sentence: string) => (sentence.includes(noTemplate) ? noTemplate : sentence);
  return {
    problems: problems.map(short),
    asks: asks.map(({ sentence, weight }) => `${weight}: ${short(sentence)}`),
  };
}
const noTemplate = 'No template.';

it('keeps what its state asks while events are delivered well', async () => {
  converge = async () => done([isProtected, 'A copy is kept.']);
  await deliveries.runOnce(signal);
  const { asks: first } = await store.deliveries.connector('both');
  await deliveries.stop();
  await clock.advance(MINUTE);
  // The first run of its events tells, also after a restart, that they have no problem.
  converge = () => Promise.reject(new Failure({ kind: 'transient', message: 'No quota' }));
  await change('10.00');
  start();
  await deliveries.runOnce(signal);

  const { asks } = await store.deliveries.connector('both');

  expect(asks).toEqual(first);
  expect((await asked()).problems).toEqual([isProtected.sentence, 'A copy is kept.', 'No quota.']);
});

it('reports failing events while its state is written, and each worker ends only its own report', async () => {
  canEncode = false;
  await change('10.00');
  converge = async () => done([isProtected]);
  await deliveries.runOnce(signal);
  await deliveries.runOnce(signal);
  const both = await asked();

  converge = async () => done();
  await deliveries.runOnce(signal);
  const eventsAlone = await asked();

  converge = async () => done([isProtected]);
  canEncode = true;
  await deliveries.runOnce(signal);
  const stateAlone = await asked();

  expect(both).toEqual({
    problems: [noTemplate, isProtected.sentence],
    asks: [`trouble: ${noTemplate}`, `need: ${isProtected.sentence}`],
  });
  expect(eventsAlone).toEqual({ problems: [noTemplate], asks: [`trouble: ${noTemplate}`] });
  expect(stateAlone).toEqual({
    problems: [isProtected.sentence],
    asks: [`need: ${isProtected.sentence}`],
  });
});

it('is in trouble once its state failed twice, still asks what it asked, and is well after the next good run', async () => {
  converge = async () => done([isProtected]);
  await deliveries.runOnce(signal);
  converge = () => Promise.reject(new Failure({ kind: 'transient', message: 'No quota' }));
  await deliveries.runOnce(signal);
  const once = await asked();
  await deliveries.runOnce(signal);
  const twice = await asked();
  converge = async () => done();
  await deliveries.runOnce(signal);

  expect(once.asks).toEqual([`need: ${isProtected.sentence}`]);
  expect(twice.asks).toEqual(['trouble: No quota.', `need: ${isProtected.sentence}`]);
  expect(await asked()).toEqual({ problems: [], asks: [] });
});

it('asks nothing for a state that it no longer keeps', async () => {
  converge = async () => done([isProtected]);
  await deliveries.runOnce(signal);
  await deliveries.stop();

  start(false);
  await deliveries.runOnce(signal);

  expect(await asked()).toEqual({ problems: [], asks: [] });
});
