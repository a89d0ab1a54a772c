import { setTimeout as pause } from 'node:timers/promises';
import { between, pick, type Random, seededRandom } from '../../../sandbox/clinic/random.ts';
import { until } from '../until.ts';
import { type Story, startStory } from './clinic-story.ts';
import { untilReady } from './daemon-process.ts';
import { goWrong } from './faulty-clinic.ts';
import { judge, untold, type Verdict } from './story-judge.ts';

const FAULTY = 0.2;
const LEADS_PER_ROUND = 12;
const LONGEST_LIFE_MS = 1_200;

export interface KillReport {
  seed: number;
  rounds: number;
  acknowledged: number;
  /** Bookings sent to the clinic, whatever became of them. */
  sent: number;
  /** Kills in the middle of a send. */
  onTheWire: number;
  commits: number;
  states: Record<string, number>;
  verdict: Verdict;
  /** Changes that never reached the receiver. */
  untold: string[];
}

/**
 * One installation, killed again and again at a random instant of its start or its work, while visitors send leads, a
 * fifth of all calls to the clinic and to us goes wrong, and a person resumes paused bookings.
 */
export async function killRounds({ seed, rounds }: { seed: number; rounds: number }): Promise<KillReport> {
  const random = seededRandom(seed);
  await using story = await startStory({ name: `kills-${seed}`, sandbox: { seed } });
  story.hook.misbehave = (response) => {
    if (random() >= FAULTY) return false;
    if (random() < 0.5) response.writeHead(500).end();
    else response.destroy();
    return true;
  };
  let onTheWire = 0;
  for (let round = 1; round <= rounds; round += 1) {
    await story.sandbox.control.clearFaults();
    goWrong(story.sandbox, random, FAULTY);
    if (story.hasDatabase()) waitNoLonger(story);
    await oneRound(story, random);
    onTheWire += await countSending(story);
    const verdict = await judge(story, { atRest: false });
    if (Object.values(verdict).some((broken) => broken.length > 0))
      throw new Error(`round ${round} of seed ${seed}: ${JSON.stringify(verdict, null, 1)}`);
  }

  await comeToRest(story);
  const bookings = await story.read((store) => store.bookings.list({}));
  const states: Record<string, number> = {};
  for (const { state } of bookings) states[state] = (states[state] ?? 0) + 1;
  return {
    seed,
    rounds,
    acknowledged: story.acknowledged.size,
    sent: Object.values(story.sandbox.control.requests().counts.book ?? {}).reduce((sum, n) => sum + n, 0),
    onTheWire,
    commits: story.sandbox.control.ledger().length,
    states,
    verdict: await judge(story),
    untold: await untold(story),
  };
}

/** Starts, works for a while, dies. */
async function oneRound(story: Story, random: Random): Promise<void> {
  const daemon = story.launch();
  if (random() < 0.15) {
    await pause(between(random, 50, 700));
    await daemon.kill();
    return;
  }
  await untilReady(daemon);
  await letGoOn(story);

  const visitors = [
    ...story.unanswered.values(),
    ...Array.from({ length: LEADS_PER_ROUND }, () => story.lead()),
  ];
  const life = between(random, 0, LONGEST_LIFE_MS);
  const sending = visitors.map(async (lead) => {
    await pause(Math.floor(random() * life));
    await story.submit(lead);
    // Impatient people click twice; and a person resumes paused bookings.
    if (random() < FAULTY) await story.submit(lead);
    await letGoOn(story);
  });
  if (random() < FAULTY) story.sandbox.control.restart(between(random, 0, 200));
  const treatment = pick(random, story.sandbox.control.treatments());
  if (treatment !== undefined)
    story.sandbox.control.editTreatment(treatment.treatment_id, {
      base_fee: `${between(random, 1, 999)}.00`,
    });

  await pause(life);
  await daemon.kill();
  await Promise.all(sending);
}

/** Minutes of waiting after failures pass at once. */
const waitNoLonger = (story: Story) =>
  story.rewrite("update bookings set not_before = null where state = 'queued'", {});

/** A person has checked: paused bookings are sent again. */
const letGoOn = (story: Story) => story.act('/admin/clinics/main/resume-lane').catch(() => undefined);

/** Faults end, every sender without an answer retries, and time passes. */
async function comeToRest(story: Story): Promise<void> {
  await story.sandbox.control.clearFaults();
  story.hook.misbehave = undefined;
  waitNoLonger(story);
  story.rewrite("update deliveries set next_attempt_at = created_at where state = 'pending'", {});
  await story.start();
  for (const lead of [...story.unanswered.values()]) await story.submit(lead);
  await until(
    'nothing is on its way any more',
    async () => {
      await letGoOn(story);
      const moving = await story.read((store) =>
        store.bookings.list({ states: ['received', 'queued', 'sending'] }),
      );
      return moving.length === 0;
    },
    { found: () => story.status() },
  );
  await until('the receiver has everything', async () => (await untold(story)).length === 0, {
    found: () => untold(story),
  });
  const exit = await story.daemon.terminate();
  if (exit.code !== 0) throw new Error(`it did not stop as it should: ${JSON.stringify(exit)}`);
}

const countSending = async (story: Story): Promise<number> =>
  story.hasDatabase()
    ? (await story.read((store) => store.bookings.list({ states: ['sending'] }))).length
    : 0;
