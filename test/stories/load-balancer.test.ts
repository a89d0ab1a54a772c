/** @module-tag thorough */
import { spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clean, type FleetStory, startFleetStory } from '../support/fleet/fleet-story.ts';
import {
  freePort,
  hasOwnPostgres,
  type PostgresServer,
  startPostgres,
} from '../support/store/postgres-server.ts';
import { until } from '../support/until.ts';

const hasCaddy = spawnSync('caddy', ['version']).error === undefined;

/** The load balancer of compose.fleet.yaml, with its own file, before these daemons. */
async function startLoadBalancer({ folder, daemons }: FleetStory) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const addresses = daemons.map((daemon) => new URL(daemon.url).host);
  const balancer = spawn('caddy', ['run', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'], {
    env: { PATH: process.env.PATH, HOME: folder, SITE: url, DAEMONS: addresses.join(' ') },
    stdio: 'ignore',
  });
  const ready = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
  await until('the load balancer answers', ready);
  return {
    url,
    async [Symbol.asyncDispose]() {
      balancer.kill('SIGKILL');
    },
  };
}

describe.skipIf(!hasOwnPostgres || !hasCaddy)('three daemons behind the shipped load balancer', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it('take every lead while one of them is killed and another is stopped', {
    timeout: 120_000,
  }, async () => {
    await using story = await startFleetStory({
      ...{ server, database: 'balanced', clinics: 3, ttlMs: 3_000, seed: 7 },
    });
    for (const place of [0, 1, 2]) story.launch(place);
    for (const daemon of story.daemons) await story.ready(daemon);
    await using balancer = await startLoadBalancer(story);
    const [first, second] = story.daemons;
    expect.assert(first && second);
    const front = { ...first, url: balancer.url };
    const clinics = [...story.sandboxes.keys()];
    /** Resolves to how many were taken at once; all are in the end. */
    const submit = async (count: number): Promise<number> => {
      let atOnce = 0;
      for (let n = 0; n < count; n += 1) {
        const [lead, clinic] = [story.newLead(), clinics[n % clinics.length] ?? ''];
        if (await story.submit(front, lead, clinic)) atOnce += 1;
        else await until('it is taken', () => story.submit(front, lead, clinic));
      }
      return atOnce;
    };

    await submit(20);
    await first.kill();
    // What the killed one had at that moment, and what comes until that is noticed, is sent again.
    await submit(30);
    const units = story.sandboxes.size + 3;
    await until('the others have everything', async () => (await story.owners()).size === units);
    const from = performance.now();
    let hasStopped = false;
    const stopped = second.terminate().finally(() => {
      hasStopped = true;
    });
    let meanwhile = 0;
    let takenMeanwhile = 0;
    while (!hasStopped) {
      const taken = await Promise.all([submit(1), submit(1), submit(1), submit(1)]);
      meanwhile += taken.length;
      takenMeanwhile += taken.reduce((sum, one) => sum + one, 0);
    }
    await stopped;
    const stopping = performance.now() - from;
    const afterwards = await submit(10);

    // Nobody is refused because a daemon is stopped, not even a tool that does not retry.
    expect(takenMeanwhile).toBe(meanwhile);
    expect(afterwards).toBe(10);
    // Supervisors kill after ten seconds.
    expect(stopping).toBeLessThan(10_000);
    const open = `select 1 from bookings where state in ('queued', 'sending')`;
    await until('all is settled', async () => (await story.rows(open)).length === 0);
    expect(await story.judge()).toEqual(clean);
  });

  it('take leads at the last one when the others are killed', { timeout: 120_000 }, async () => {
    await using story = await startFleetStory({
      ...{ server, database: 'last', clinics: 1, ttlMs: 3_000, seed: 7 },
    });
    for (const place of [0, 1, 2]) story.launch(place);
    for (const daemon of story.daemons) await story.ready(daemon);
    await using balancer = await startLoadBalancer(story);
    const [first, second, last] = story.daemons;
    expect.assert(first && second && last);
    let refused = 0;

    await Promise.all([first.kill(), second.kill()]);
    for (let n = 0; n < 6; n += 1) {
      const lead = story.newLead();
      await until('it is taken', async () => {
        const isTaken = await story.submit({ ...last, url: balancer.url }, lead, 'clinic-0');
        if (!isTaken) refused += 1;
        return isTaken;
      });
    }

    // A few until the others are known to be gone; not all for as long as the last one counted as gone, too.
    expect(refused).toBeLessThan(15);
  });
});
