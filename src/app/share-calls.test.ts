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

/** Two daemons on one database; the first runs the clinic, which answers all the time. */
async function twoDaemons() {
  const clock = fakeClock('2026-03-02T09:00:00Z');
  const { keyValue } = await openTestStore(':memory:', 'daemon', clock);
  const units = [{ unit: 'clinic/main', kind: 'clinic' as const, owner: 'first', fence: 1, since: null }];
  const report = async (): Promise<FleetReport> => ({
    ...{ at: instant(clock.now()), members: [], units, left: [] },
  });
  const state = { isBehind: true };
  const [owner, other] = [createCallWatch(clock), createCallWatch(clock)];
  owner.begin('main', 'first');
  const clinics = (isBehind: () => boolean) => new Map([['main', { isBehind }]]);
  const shared = { fleet: { report }, store: { keyValue }, clock, log: silentLog };
  const loops = [
    shareCalls({ ...shared, calls: owner, clinics: clinics(() => state.isBehind) }),
    shareCalls({ ...shared, calls: other, clinics: clinics(() => false) }),
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
        ...{ kind: 'call', priority: 'list', endpoint: 'GET /x', status: 200, ms: 5 },
        at: instant(clock.now()),
      });
      await clock.advance(5_000);
    }
  };
  return { clock, state, keyValue, answering, late };
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
