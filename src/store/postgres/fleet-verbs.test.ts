import { expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { fleetTimes } from '../ports/fleet.ts';
import { fleetVerbs } from './fleet-verbs.ts';

it('reports a clock difference only as far as the response time cannot explain it', async () => {
  const clock = fakeClock();
  const written: (string | undefined)[] = [];
  let serverIsAheadBy = 0;
  const verbs = fleetVerbs({
    ...{ schema: 'public', times: fleetTimes(), newest: 1, clock },
    async run(_statement, ...[, skew]) {
      written.push(skew);
      await clock.advance(500);
      const server = (clock.now() + serverIsAheadBy) / 1_000;
      await clock.advance(1_500);
      return [{ server }];
    },
  });

  for (const ahead of [0, 1_000, 5_000, -5_000, 0]) {
    serverIsAheadBy = ahead;
    await verbs.beat('me');
  }

  // Each is stored with the next heartbeat.
  expect(written).toEqual(['0', '0', '0', '-3500', '4500']);
});

it('names no owner that it does not know, although another daemon joins and takes over meanwhile', async () => {
  let now = ['first'];
  const { report } = fleetVerbs({
    ...{ schema: 'public', times: fleetTimes(), newest: 1, clock: fakeClock() },
    async run(statement) {
      const members = now.map((id) => ({ id, since: 1, beat_at: 1, skew_ms: 0, at: 2, lives: true }));
      const units = [
        { unit: 'upkeep', kind: 'upkeep', owner: now.at(-1), fence: 1, since: 1, failing: null },
      ];
      now = ['first', 'second'];
      return statement.includes('"public".units') ? units : members;
    },
  });

  const { members, units } = await report();

  expect(members.map(({ id }) => id)).toContain(units[0]?.owner);
});
