import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import type { HealthReason } from '../domain/status/report.ts';
import { HOUR } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import { startHealthWatch } from './health-watch.ts';

const cause = (subject: string, sentence = `${subject} is paused`): HealthReason => ({
  health: 'trouble',
  kind: 'connector',
  clinic: null,
  subject,
  sentence,
  since: null,
});

function setUp() {
  const clock = fakeClock();
  const state = { now: [] as HealthReason[], settled: [] as string[][], broken: false };
  const said: string[] = [];
  const store = {
    incidents: {
      async settle(reasons: readonly HealthReason[]) {
        if (state.broken) throw new Error('locked');
        const before = state.settled.at(-1) ?? [];
        const now = reasons.map(({ subject }) => subject);
        state.settled.push(now);
        const incident = (subject: string) => ({ ...cause(subject), n: 1, since: 'x', ended_at: null });
        return {
          begun: now.filter((one) => !before.includes(one)).map(incident),
          ended: before.filter((one) => !now.includes(one)).map(incident),
        };
      },
    },
  } as unknown as Pick<Store, 'incidents'>;
  const log = {
    ...silentLog,
    warn: (message: string) => void said.push(message),
    info: (message: string) => void said.push(message),
  };
  const loop = startHealthWatch({ reasons: async () => state.now, store, clock, log });
  onTestFinished(() => loop.stop());
  return { clock, state, said, loop };
}

it('records when trouble begins and ends, and logs each once', async () => {
  const { clock, state, said } = setUp();
  await clock.advance(5_000);
  state.now = [cause('crm'), cause('reports')];
  await clock.advance(30_000);
  state.now = [cause('crm')];
  await clock.advance(30_000);
  state.now = [];
  await clock.advance(30_000);

  expect(said).toEqual(['trouble', 'trouble', 'one trouble less', 'recovered']);
});

it('writes nothing while the causes stay the same, whatever their words', async () => {
  const { clock, state } = setUp();
  state.now = [cause('crm', 'crm failed 2 times in a row')];
  await clock.advance(15_000);
  const writes = state.settled.length;

  state.now = [cause('crm', 'crm failed 3 times in a row')];
  await clock.advance(120_000);

  expect(state.settled).toHaveLength(writes);
});

it('writes once at its start, so that what the process before left open is ended', async () => {
  const { clock, state } = setUp();

  await clock.advance(60_000);

  expect(state.settled).toEqual([[]]);
});

it('takes data that only a clock set forward made old for no outage, unless polls fail, too', async () => {
  const { clock, state, said } = setUp();
  await clock.advance(15_000);

  clock.jump(24 * HOUR);
  state.now = [cause('treatments')];
  await clock.advance(60_000);
  state.now = [];
  await clock.advance(30_000);
  const passing = [...said];
  clock.jump(24 * HOUR);
  state.now = [cause('treatments')];
  await clock.advance(90_000);

  expect(passing).toEqual([]);
  expect(said).toEqual(['trouble']);
});

it('retries what could not be recorded', async () => {
  const { clock, state, said } = setUp();
  await clock.advance(1_000);
  state.now = [cause('crm')];
  state.broken = true;
  await clock.advance(30_000);
  expect(said).toEqual([]);

  state.broken = false;
  await clock.advance(30_000);

  expect(said).toEqual(['trouble']);
});
