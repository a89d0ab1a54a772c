import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { openTestStore } from '../../test/support/store/store-file.ts';
import { instant } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { createCallWatch } from '../status/call-watch.ts';
import { lateResources, planned } from '../status/gather.ts';
import type { FleetReport } from '../store/ports/fleet.ts';
import { shareCalls } from './share-calls.ts';

const hourly = '0 * * * *';
const schedule = {
  ...{ organization: hourly, website: hourly, treatments: hourly },
  ...{ dentists: hourly, appointments: hourly },
};

const overdue = {
  sentence: 'Polling treatments of main is 6 min overdue.',
  action: 'Wait.',
  asksPerson: false,
};

/** Two daemons on one database; the first runs the clinic, which answers all the time. */
async function twoDaemons() {
  const clock = fakeClock('2026-03-02T09:00:00Z');
  const { keyValue } = await openTestStore(':memory:', 'daemon', clock);
  const units = [{ unit: 'clinic/main', kind: 'clinic' as const, owner: 'first', fence: 1, since: null }];
  const report = async (): Promise<FleetReport> => ({
    ...{ at: instant(clock.now()), members: [], units, left: [] },
  });
  const state = { isBehind: true, alarms: [overdue] };
  const [owner, other] = [createCallWatch(clock), createCallWatch(clock)];
  owner.begin('main', 'first');
  const clinicOf = (its: () => typeof state) =>
    new Map([['main', { isBehind: () => its().isBehind, alarms: () => its().alarms }]]);
  const shared = { fleet: { report }, store: { keyValue }, clock, log: silentLog };
  const loops = [
    shareCalls({ ...shared, calls: owner, clinics: clinicOf(() => state) }),
    shareCalls({ ...shared, calls: other, clinics: clinicOf(() => ({ isBehind: false, alarms: [] })) }),
  ];
  onTestFinished(() => Promise.all(loops.map((loop) => loop.stop())).then(() => {}));
  const startedAt = instant(clock.now());
  const late = () => {
    const plan = planned({ key: 'main', timezone: 'UTC', schedule } as Parameters<typeof planned>[0]);
    const facts = { now: clock.now(), startedAt };
    return [owner, other].map((calls) => lateResources(plan, [], { ...facts, calls: calls.of('main') }).size);
  };
  const answering = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      owner.observe('main', {
        ...{ kind: 'call', priority: 'list', endpoint: 'GET /x', status: 200, connected: true, ms: 5 },
        at: instant(clock.now()),
      });
      await clock.advance(5_000);
    }
  };
  const alarms = () => loops.map((loop) => loop.alarms());
  return { clock, state, units, owner, other, keyValue, answering, late, alarms };
}

it('lets no daemon call a slow first read overdue while its clinic answers the owner', async () => {
  const { clock, state, keyValue, answering, late } = await twoDaemons();

  await answering(90_000);
  const whileSlow = late();
  await clock.advance(90_000);
  const silent = late();
  await answering(20_000);
  state.isBehind = false;
  await answering(20_000);

  expect(whileSlow).toEqual([0, 0]);
  expect(silent).toEqual([5, 5]);
  expect(await keyValue.list('slow calls', '')).toEqual({});
});

it('tells the other daemon which polls of its clinic do not run as scheduled, and that they do again', async () => {
  const { clock, state, keyValue, alarms } = await twoDaemons();

  await clock.advance(20_000);
  const whileOverdue = alarms();
  state.alarms = [];
  await clock.advance(20_000);

  // What the owner says of it itself comes first hand.
  expect(whileOverdue).toEqual([[], [overdue]]);
  expect(alarms()).toEqual([[], []]);
  expect(await keyValue.list('schedule alarms', '')).toEqual({});
});

it('no longer repeats what the former owner of a clinic said', async () => {
  const { clock, units, owner, other, keyValue, alarms } = await twoDaemons();
  await clock.advance(20_000);

  owner.end('main');
  other.begin('main', 'second');
  for (const unit of units) unit.owner = 'second';
  const [, atTheNew] = alarms();
  await clock.advance(20_000);

  expect(atTheNew).toEqual([]);
  expect(alarms()).toEqual([[], []]);
  expect(await keyValue.list('schedule alarms', '')).toEqual({});
});
