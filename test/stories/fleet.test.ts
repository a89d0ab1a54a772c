/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fleetRounds } from '../support/fleet/fleet-rounds.ts';
import { clean, startFleetStory } from '../support/fleet/fleet-story.ts';
import { hasOwnPostgres, type PostgresServer, startPostgres } from '../support/store/postgres-server.ts';
import { until } from '../support/until.ts';

const runs = Number(process.env.VERIFY_RUNS ?? 1);
const ROUNDS = runs > 1 ? 20 : 3;
/** One story in the test command, 50 of them (1,000 rounds) in the long run; a seed repeats what a story does. */
const seeds = process.env.VERIFY_SEED
  ? [Number(process.env.VERIFY_SEED)]
  : Array.from({ length: Math.min(50, runs) }, (_, index) => 1_000 + index);

describe.skipIf(!hasOwnPostgres)('several daemons on one database', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it('share the clinics evenly, take over from one that was killed, and hand over when one is stopped', {
    timeout: 120_000,
  }, async () => {
    await using story = await startFleetStory({
      ...{ server, database: 'shared', clinics: 6, ttlMs: 3_000, seed: 1 },
    });
    const spread = async () => {
      const counts = new Map<string, number>();
      for (const [unit, owner] of await story.owners())
        if (unit.startsWith('clinic/')) counts.set(owner, (counts.get(owner) ?? 0) + 1);
      return [...counts.values()].toSorted();
    };
    for (const place of [0, 1, 2]) story.launch(place);
    for (const daemon of story.daemons) await story.ready(daemon);
    await until('each has its share', async () => String(await spread()) === '2,2,2', { found: spread });

    const listed = JSON.parse((await story.run(['fleet', '--json'])).stdout);
    const refs: string[] = [];
    for (const [n, clinic] of [...story.sandboxes.keys()].entries()) {
      const daemon = story.daemons[n % 3];
      expect.assert(daemon);
      await until('it is taken', () => story.submit(daemon, story.newLead(), clinic));
    }
    for (const { ref } of story.acknowledged.values()) refs.push(ref);
    const states = async () =>
      (await story.rows('select ref, state from bookings')).map(({ state }) => state);
    await until('all are booked', async () => (await states()).every((state) => state === 'booked'), {
      found: states,
    });

    const inSync = () =>
      Promise.all(story.daemons.map(async ({ url }) => (await fetch(`${url}/syncz`)).text()));
    await until(
      'each says of all clinics that they are up to date',
      async () => (await inSync()).every((text) => text.includes('"health":"ok"')),
      { found: inSync },
    );

    await story.daemons[0]?.kill();
    const from = performance.now();
    await until('every clinic has a living owner', async () => String(await spread()) === '3,3', {
      found: spread,
    });
    const takeover = performance.now() - from;
    await story.daemons[1]?.terminate();
    await until('the last one has everything', async () => String(await spread()) === '6', { found: spread });
    for (const clinic of story.sandboxes.keys()) {
      const [, , last] = story.daemons;
      expect.assert(last);
      await until('it is taken', () => story.submit(last, story.newLead(), clinic));
    }
    await until('all are booked', async () => (await states()).every((state) => state === 'booked'), {
      found: states,
    });

    expect(listed).toMatchObject({ members: [{ clinics: 2 }, { clinics: 2 }, { clinics: 2 }], left: [] });
    expect(listed.units).toHaveLength(9);
    expect(takeover).toBeLessThan(20_000);
    expect(await story.judge()).toEqual(clean);
    expect(refs).toHaveLength(6);
  });

  it('say the same of a clinic that does not answer, whoever runs it', { timeout: 240_000 }, async () => {
    await using story = await startFleetStory({
      ...{ server, database: 'unreachable', clinics: 2, ttlMs: 3_000, seed: 1 },
    });
    for (const place of [0, 1]) await story.ready(story.launch(place));
    const unreachable = () =>
      Promise.all(
        story.daemons.map(async ({ url }) => {
          const headers = { authorization: 'Bearer admin-token-of-the-fleet' };
          const status = await (await fetch(`${url}/status.json`, { headers })).json();
          const { reasons } = status as { reasons: { kind: string; clinic: string }[] };
          return reasons.filter(({ kind }) => kind === 'unreachable').map(({ clinic }) => clinic);
        }),
      );
    const control = story.sandboxes.get('clinic-1')?.control;
    control?.script({ match: {}, times: 'always', fault: { kind: 'status_503' } });

    await until('both say so', async () => String(await unreachable()) === 'clinic-1,clinic-1', {
      found: unreachable,
    });
    await control?.clearFaults();
    await until('neither says so any longer', async () => (await unreachable()).flat().length === 0, {
      found: unreachable,
    });
  });

  it.each(seeds)(
    `lose and double nothing, whatever befalls them (VERIFY_SEED=%i, ${ROUNDS} rounds)`,
    { timeout: runs > 1 ? 3_600_000 : 600_000 },
    async (seed) => {
      const report = await fleetRounds({ server, seed, rounds: ROUNDS });
      if (process.env.VERIFY_RUNS !== undefined) console.log(JSON.stringify(report));

      expect(report.verdict).toEqual(clean);
      expect(report.acknowledged).toBeGreaterThan(0);
      expect(Math.max(0, ...report.takeovers)).toBeLessThan(20_000);
      expect(Math.max(0, ...report.firstPosts)).toBeLessThan(35_000);
    },
  );
});
