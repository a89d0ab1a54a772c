import { setTimeout as pause } from 'node:timers/promises';
import type { Sandbox } from '../../../sandbox/clinic/clinic.ts';
import { between, pick, type Random, seededRandom } from '../../../sandbox/clinic/random.ts';
import type { DaemonProcess } from '../daemon/daemon-process.ts';
import type { PostgresServer } from '../store/postgres-server.ts';
import { until } from '../until.ts';
import { type FleetStory, type FleetVerdict, startFleetStory } from './fleet-story.ts';

const CLINICS = 4;
const DAEMONS = 3;
const LEADS_PER_ROUND = 10;
/** A fifth of the real time (15 s, with pauses of 5 to 60 s), unless the long run asks for that. */
const TTL_MS = Number(process.env.VERIFY_FLEET_TTL_MS ?? 3_000);
const PAUSE_MS = { shortest: TTL_MS / 3, longest: 4 * TTL_MS };

/** In turn; the seed chooses whom and when. */
const blows = ['kill', 'stand still', 'restart', 'kill', 'cut off', 'stand still', 'stop'] as const;
type Blow = (typeof blows)[number];

export interface FleetRoundsReport {
  seed: number;
  rounds: number;
  blows: Record<string, number>;
  acknowledged: number;
  /** Bookings at the clinics. */
  commits: number;
  states: Record<string, number>;
  /** Milliseconds until every clinic had a living owner again after one was killed. */
  takeovers: number[];
  /** Milliseconds from a kill until every clinic was sent a booking again. */
  firstPosts: number[];
  verdict: FleetVerdict;
}

/**
 * Three daemons on one database. In every round one of them is killed, suspended, stopped, or the database cuts off
 * everybody or restarts, while visitors come to all of them and half of the bookings take their time.
 */
export async function fleetRounds({
  server,
  seed,
  rounds,
}: {
  server: PostgresServer;
  seed: number;
  rounds: number;
}): Promise<FleetRoundsReport> {
  const random = seededRandom(seed);
  await using story = await startFleetStory({
    ...{ server, database: `rounds_${seed}`, clinics: CLINICS, ttlMs: TTL_MS, seed },
  });
  for (let place = 0; place < DAEMONS; place += 1) story.launch(place);
  for (const daemon of story.daemons) await story.ready(daemon);
  const report: FleetRoundsReport = {
    ...{ seed, rounds, blows: {}, acknowledged: 0, commits: 0, states: {}, takeovers: [], firstPosts: [] },
    verdict: { doubles: [], lost: [], ghosts: [], gaps: [] },
  };

  for (let round = 1; round <= rounds; round += 1) {
    for (const { control } of story.sandboxes.values()) slowBookings(control, random);
    const visiting = visitors(story, random);
    await pause(between(random, 100, 1_200));
    const blow = blows[(round - 1) % blows.length] ?? 'kill';
    report.blows[blow] = (report.blows[blow] ?? 0) + 1;
    await strike(story, server, random, blow, report);
    await visiting;
    await letGoOn(story);
  }

  await comeToRest(story);
  for (const { state } of await story.rows('select state from bookings'))
    report.states[String(state)] = (report.states[String(state)] ?? 0) + 1;
  report.acknowledged = story.acknowledged.size;
  for (const { control } of story.sandboxes.values()) report.commits += control.ledger().length;
  report.verdict = await story.judge();
  return report;
}

function slowBookings(control: Sandbox['control'], random: Random): void {
  for (let nth = 1; nth <= LEADS_PER_ROUND; nth += 1)
    if (random() < 0.8)
      control.script({
        match: { endpoint: 'book' },
        nth,
        fault: { kind: 'late_answer', ms: between(random, 200, 3_000) },
      });
}

async function visitors(story: FleetStory, random: Random): Promise<void> {
  const clinics = [...story.sandboxes.keys()];
  const all = [
    ...story.unanswered.values(),
    ...Array.from({ length: LEADS_PER_ROUND }, () => ({
      lead: story.newLead(),
      clinic: pick(random, clinics) ?? 'clinic-0',
    })),
  ];
  await Promise.all(
    all.map(async ({ lead, clinic }) => {
      await pause(between(random, 0, 1_000));
      const daemon = pick(random, story.daemons);
      if (daemon !== undefined) await story.submit(daemon, lead, clinic);
    }),
  );
}

async function strike(
  story: FleetStory,
  server: PostgresServer,
  random: Random,
  blow: Blow,
  report: FleetRoundsReport,
): Promise<void> {
  const place = between(random, 0, DAEMONS - 1);
  const victim = story.daemons[place] as DaemonProcess;
  if (blow === 'kill') {
    await victim.kill();
    const killedAt = performance.now();
    const posting = untilEachIsSent(story, victim);
    const [now] = await story.rows('select clock_timestamp()::text as at');
    // Only who has been heard since has survived.
    const heard = `select unit from units join members on members.id = owner where beat_at > '${String(now?.at)}'`;
    await until(
      'every clinic has a living owner',
      async () => (await story.rows(heard)).length >= CLINICS + 3,
      { found: () => story.rows('select * from units') },
    );
    report.takeovers.push(Math.round(performance.now() - killedAt));
    await posting;
    report.firstPosts.push(Math.round(performance.now() - killedAt));
    await story.ready(story.launch(place));
  } else if (blow === 'stop') {
    const { code, output } = await victim.terminate();
    if (code !== 0) throw new Error(`it did not stop as it should: ${output}`);
    await story.ready(story.launch(place));
  } else if (blow === 'stand still') {
    victim.signal('SIGSTOP');
    await pause(between(random, PAUSE_MS.shortest, PAUSE_MS.longest));
    victim.signal('SIGCONT');
  } else if (blow === 'cut off') {
    await server.run(
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
    );
  } else await server.restart();
}

/** A visitor comes for each clinic, and what is sent there next arrives. */
async function untilEachIsSent(
  { sandboxes, daemons, newLead, submit, act }: FleetStory,
  gone: DaemonProcess,
) {
  const [living] = daemons.filter((daemon) => daemon !== gone);
  if (living === undefined) throw new Error('no daemon is left');
  const sent = [...sandboxes].map(async ([clinic, { control }]) => {
    const before = control.ledger().length;
    const lead = newLead();
    await until('it is taken', () => submit(living, lead, clinic));
    await until(`${clinic} is sent a booking`, async () => {
      if (control.ledger().length > before) return true;
      // A person has checked.
      await act(living, `/admin/clinics/${clinic}/resume-lane`).catch(() => undefined);
      return false;
    });
  });
  await Promise.all(sent);
}

const allOwned = (story: FleetStory) =>
  until('every clinic has a living owner', async () => (await story.owners()).size >= CLINICS + 3, {
    found: () => story.rows('select * from units'),
  });

/** A person has checked: paused bookings are sent again, by whichever daemon. */
async function letGoOn(story: FleetStory): Promise<void> {
  for (const clinic of story.sandboxes.keys())
    for (const daemon of story.daemons)
      await story.act(daemon, `/admin/clinics/${clinic}/resume-lane`).catch(() => undefined);
}

async function comeToRest(story: FleetStory): Promise<void> {
  for (const { control } of story.sandboxes.values()) await control.clearFaults();
  await story.rows("update bookings set not_before = null where state = 'queued'");
  await allOwned(story);
  const [daemon] = story.daemons;
  for (const { lead, clinic } of [...story.unanswered.values()])
    await until('it is taken', () => story.submit(daemon as DaemonProcess, lead, clinic));
  const open = () =>
    story.rows(
      `select ref, clinic, state, reason, not_before from bookings where state in ('received', 'queued', 'sending')`,
    );
  await until(
    'nothing is on its way any more',
    async () => {
      await letGoOn(story);
      return (await open()).length === 0;
    },
    {
      withinMs: 90_000,
      found: async () => ({
        open: await open(),
        units: await story.rows('select * from units'),
        members: await story.rows('select * from members'),
        output: story.daemons.map((one) => one.output().slice(-3_000)),
      }),
    },
  );
}
