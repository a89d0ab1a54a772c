import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordTreatments } from '../../test/support/clinic/recorded-treatments.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type FakeClock, fakeClock, settle } from '../../test/support/fake-clock.ts';
import { scriptedConnector } from '../../test/support/scripted-connector.ts';
import type { Connector, EventDelivery } from '../connector.ts';
import { SECOND } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { type Deliveries, startDeliveries } from './deliveries.ts';

let clock: FakeClock;
let store: Store;
let deliveries: Deliveries | undefined;

beforeEach(async () => {
  clock = fakeClock();
  store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
});

afterEach(async () => {
  await deliveries?.stop();
  await store.close();
});

function start(connectors: Record<string, { connector: Connector; clinics: string[] }>): Deliveries {
  const all = Object.entries(connectors).map(([name, one]) => ({ name, includePatient: false, ...one }));
  const clinics = [...new Set(all.flatMap((one) => one.clinics))];
  deliveries = startDeliveries({
    connectors: all,
    clinics: clinics.map((clinic) => ({ clinic, timezone: 'UTC' })),
    store,
    clock,
    log: silentLog,
    random: () => 0,
  });
  return deliveries;
}

const change = (clinic: string, count: number, fee = '10.00') =>
  recordTreatments(
    { store, clock, clinic },
    Object.fromEntries(Array.from({ length: count }, (_, n) => [String(n + 1), fee])),
  );

/** A receiver that takes a second for each event, two at a time. */
function slowly(events: Partial<EventDelivery> = {}) {
  const connector = scriptedConnector({ concurrency: 2, ...events });
  connector.answer = (_, signal) => clock.sleep(SECOND, signal);
  return connector;
}

async function seconds(count: number): Promise<void> {
  for (let second = 0; second < count; second += 1) {
    await clock.advance(SECOND);
    await settle(30);
  }
}

const clinicsOf = (events: readonly { clinic: string }[]) => events.map(({ clinic }) => clinic);

describe('a clinic with thousands of changes', () => {
  it.each([
    ['some', 900],
    ['more than are taken from the log at once', 7_000],
  ])('delays those of another by a few seconds, however slow the receiver (%s)', async (_, count) => {
    const crm = slowly();
    const running = start({ crm: { connector: crm, clinics: ['big', 'small'] } });
    await eventually(async () => (await store.deliveries.positions('crm')).size === 2);
    await change('big', count);
    running.wake({ clinic: 'big' });
    await eventually(() => crm.attempts.length > 0);
    await seconds(10);

    const before = crm.attempts.length;
    await change('small', 3);
    running.wake({ clinic: 'small' });
    await seconds(6);

    const since = clinicsOf(crm.attempts.slice(before));
    expect(since.filter((clinic) => clinic === 'small')).toHaveLength(3);
    expect(since.filter((clinic) => clinic === 'big').length).toBeGreaterThan(3);
  });

  it('delays no other while a new connector receives its snapshot', async () => {
    const crm = slowly({ snapshot: true });
    await change('big', 700);
    await change('small', 2);
    await change('tiny', 1);

    start({ crm: { connector: crm, clinics: ['big', 'small', 'tiny'] } });
    await eventually(() => crm.attempts.length > 0);
    await seconds(6);

    expect(new Set(clinicsOf(crm.attempts))).toEqual(new Set(['big', 'small', 'tiny']));
    expect(clinicsOf(crm.attempts).filter((clinic) => clinic !== 'big')).toHaveLength(3);
  });
});

it('looks for work only for clinics that have changed', async () => {
  const reads: string[] = [];
  const counts = store.deliveries.counts;
  store.deliveries.counts = (connector) => {
    reads.push(connector);
    return counts(connector);
  };
  const [north, south] = [scriptedConnector(), scriptedConnector()];
  const running = start({
    north: { connector: north, clinics: ['oslo'] },
    south: { connector: south, clinics: ['rome'] },
  });
  await eventually(async () => (await store.deliveries.positions('south')).size === 1);
  await settle(50);
  reads.length = 0;

  await change('rome', 1);
  running.wake({ clinic: 'rome' });
  await eventually(() => south.taken.length === 1);
  await settle(50);

  expect(new Set(reads)).toEqual(new Set(['south']));
});

describe('what a receiver refuses of one clinic', () => {
  const refusals = [
    ['too large', new Failure({ kind: 'transient', message: 'too large', status: 413 })],
    ['not acceptable', new Failure({ kind: 'transient', message: 'invalid', status: 422 })],
    ['a bad request', new Failure({ kind: 'transient', message: 'bad', status: 400 })],
  ] as const;

  it.each(refusals)('delays that of another by seconds only, a thousand times: %s', async (_, refusal) => {
    const crm = scriptedConnector({ schedule: [5 * SECOND, 300 * SECOND, 1_800 * SECOND, 7_200 * SECOND] });
    crm.answer = async ({ clinic }) => {
      if (clinic === 'alpha') throw refusal;
    };
    const running = start({ crm: { connector: crm, clinics: ['alpha', 'beta'] } });
    await eventually(async () => (await store.deliveries.positions('crm')).size === 2);
    await change('alpha', 1_000);
    running.wake({ clinic: 'alpha' });
    await seconds(60);
    await change('beta', 3);
    running.wake({ clinic: 'beta' });

    await seconds(5);

    expect(clinicsOf(crm.taken)).toEqual(['beta', 'beta', 'beta']);
    expect((await store.deliveries.counts('crm')).dead).toBe(0);
  });
});
