import { expect, it } from 'vitest';
import { type FakeClock, fakeClock, settle } from '../../test/support/fake-clock.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { type FleetVerbs, fleetTimes } from '../store/ports/fleet.ts';
import { startMember } from './member.ts';

const times = fleetTimes();

/** A member whose database takes its time to answer one verb. Records what the database was asked. */
function member(slow?: 'join' | 'take') {
  const clock: FakeClock = fakeClock();
  const asked: string[] = [];
  const running = new Set<string>();
  const state = { problem: undefined as string | undefined, isFailing: false };
  const reached = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const ask = async (verb: string) => {
    asked.push(verb);
    if (verb !== slow) return;
    reached.resolve();
    await answer.promise;
  };
  const verbs: FleetVerbs = {
    times,
    register: () => ask('register'),
    join: () => ask('join'),
    beat: async () => true,
    leave: () => ask('leave'),
    supply: async (_id, names) => [{ units: names.length, members: 1, free: [...names], held: [] }],
    async take(_id, names) {
      await ask('take');
      return names.map((unit) => ({ unit, fence: 1, sendsInMs: 0, isFailing: state.isFailing }));
    },
    async noteStart(_id, unit, problem) {
      state.isFailing = problem !== undefined;
      await ask(`${unit}: ${problem ?? 'started'}`);
    },
    giveBack: (_id, names) => ask(`give back ${names.join()}`),
    news: async () => [],
    announce: async () => {},
    watch: () => ({ isHeard: false, stop: async () => {} }),
    report: async () => ({ at: '', members: [], units: [], left: [] }),
  };
  const unit = {
    unit: 'clinic/main',
    kind: 'clinic' as const,
    isBusy: () => false,
    async start() {
      if (state.problem !== undefined) throw new Failure({ kind: 'transient', message: state.problem });
      running.add('clinic/main');
    },
    stop: async () => void running.delete('clinic/main'),
  };
  const about = { version: '1', config_hash: 'x', host: 'here' };
  const started = startMember({ verbs, units: [unit], ...about, clock, log: silentLog });
  return { clock, asked, running, state, reached: reached.promise, answer: answer.resolve, started };
}

async function stopWhile(verb: 'join' | 'take') {
  const one = member(verb);
  await one.reached;
  await one.clock.advance(times.beatMs);
  const stopped = (await one.started).stop();
  await settle();
  one.answer();
  await stopped;
  await settle();
  return one;
}

it('leaves at once a fleet that it was joining when it was stopped', async () => {
  const { asked, running } = await stopWhile('join');

  expect(asked.slice(asked.indexOf('join'))).toEqual(['join', 'leave']);
  expect(running.size).toBe(0);
});

it('gives back what it was taking when it was stopped', async () => {
  const { asked, running } = await stopWhile('take');

  expect(asked.slice(asked.indexOf('take') + 1)).toEqual(['leave', 'give back clinic/main', 'leave']);
  expect(running.size).toBe(0);
});

it('stores why a unit does not start, until it does', async () => {
  const { clock, asked, running, state, started } = member();
  state.problem = 'the disk is full';
  await clock.advance(25_000);
  state.problem = undefined;
  await clock.advance(12_000);
  const stopped = (await started).stop();
  await clock.advance(12_000);
  await stopped;

  const said = asked.filter((verb) => verb.startsWith('clinic/main'));
  expect([...new Set(said)]).toEqual(['clinic/main: the disk is full', 'clinic/main: started']);
  expect(said.length).toBeGreaterThan(2);
  expect(said.at(-1)).toBe('clinic/main: started');
  expect(running.size).toBe(0);
});
