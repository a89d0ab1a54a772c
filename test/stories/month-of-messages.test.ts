/** @module-tag thorough */
import { expect, it, onTestFinished } from 'vitest';
import { type Random, seededRandom } from '../../sandbox/clinic/random.ts';
import { DAY, HOUR } from '../../src/platform/duration.ts';
import { startReceiver } from '../support/http/receiver.ts';
import { Month } from '../support/notify/month.ts';
import {
  expectEachOnce,
  expectEvents,
  expectQuiet,
  expectReminders,
  isSecond,
} from '../support/notify/month-promises.ts';

const STEP = 3 * HOUR;
const STEPS = (30 * DAY) / STEP;
const dayOf = (step: number) => (step * STEP) / DAY;

/** What a seed does in its month, beside leads. */
interface Story {
  month: Month;
  /** One for each cause, so that what breaks does not depend on how many taps there were. */
  random: Record<'leads' | 'desk' | 'breaks', Random>;
  leads: number;
  outages: number;
  restarts: number;
  tapped: Set<string>;
  refused: Record<string, number>;
}

const inMs = (ms: number) => new Date(ms).toISOString().slice(0, 10);

async function lead({ month, leads }: Story, days: number): Promise<void> {
  month.leadsAt.push(month.clock.now());
  const phone = `01712${String(leads).padStart(6, '0')}`;
  await month.bookings.accept({
    source: 'main-form',
    fields: {
      patient_name: `Patient ${leads}`,
      patient_phone: phone,
      appointment_date: inMs(month.clock.now() + days * DAY),
      appointment_time: `${String(9 + (leads % 8)).padStart(2, '0')}:00`,
    },
  });
}

async function leadsCome(story: Story, step: number): Promise<void> {
  // The website breaks unnoticed; before that, forty come from a campaign at once.
  if (dayOf(step) >= 24 && dayOf(step) < 28) return;
  const count = step === 15 * 8 + 1 ? 40 : Math.floor(story.random.leads() * 2.2);
  for (let n = 0; n < count; n += 1) {
    story.leads += 1;
    await lead(story, 1 + Math.floor(story.random.leads() * 20));
  }
}

/** A person at the desk reads a message and taps one of its links; some are tapped twice. */
async function taps(story: Story): Promise<void> {
  const { month, tapped, refused } = story;
  const random = story.random.desk;
  const readable = month.taken.filter(({ target, links }) => target !== 'it' && links.length > 0);
  for (const { links } of readable.slice(-6)) {
    const link = links[Math.floor(random() * links.length)];
    const token = link?.url.split('/').at(-1);
    if (random() > 0.4 || token === undefined) continue;
    if (random() < 0.2) month.clinic.script.push(random() < 0.5 ? 'timeout_after' : 'reset_before');
    try {
      const opened = await month.taps?.look(token);
      expect.assert(opened);
      await month.taps?.act(opened, token, {});
      expect(tapped.has(token)).toBe(false);
      tapped.add(token);
    } catch (error) {
      const name = (error as { refusal?: { name: string } }).refusal?.name ?? String(error);
      refused[name] = (refused[name] ?? 0) + 1;
    }
  }
}

/** Sending to the clinic is paused until a person ends that. */
const paused = 'lane main';

/** A person decides on the page. */
async function decides({ month, random: { desk: random } }: Story): Promise<void> {
  for (const { key } of month.record.listed) {
    const [kind, ref = ''] = key.split(' ');
    if (key === paused && random() < 0.3) await month.bookings.resumeSending(ref, 'Rima');
    if (kind !== 'booking' || random() > 0.15) continue;
    await month.bookings.drop(ref, 'Asked for again by phone.', 'Rima').catch(() => {});
  }
}

async function breaks(story: Story, step: number): Promise<void> {
  const { month } = story;
  const random = story.random.breaks;
  for (const target of ['desk', 'it', 'boss']) {
    const [chance, how] = [random(), random()];
    if (chance < 0.06) month.away.set(target, how < 0.5 ? 503 : 429);
    else if (chance < 0.5) month.away.delete(target);
  }
  const [outage, restart] = [random(), random()];
  if (!month.isClinicDown && outage < 0.05) {
    month.clinicGoes('down');
    story.outages += 1;
  } else if (month.isClinicDown && outage < 0.5) month.clinicGoes('up');
  if (dayOf(step) === 8) await month.form('broken');
  if (dayOf(step) === 10) await month.form('whole');
  if (restart < 0.12) {
    await month.stop();
    await month.start();
    story.restarts += 1;
  }
}

async function live(seed: number): Promise<Story> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const month = new Month(receiver);
  await month.openForm();
  await month.start();
  const story: Story = {
    ...{ month, leads: 0, outages: 0, restarts: 0 },
    random: {
      leads: seededRandom(seed),
      desk: seededRandom(seed + 1_000),
      breaks: seededRandom(seed + 2_000),
    },
    ...{ tapped: new Set<string>(), refused: {} },
  };
  for (let step = 0; step < STEPS; step += 1) {
    await leadsCome(story, step);
    await taps(story);
    await decides(story);
    await breaks(story, step);
    await month.pass(STEP);
  }
  month.away.clear();
  month.clinicGoes('up');
  if (month.record.listed.some(({ key }) => key === paused))
    await month.bookings.resumeSending('main', 'Rima');
  for (let hours = 0; hours < 24; hours += 6) await month.pass(6 * HOUR);
  return story;
}

/** Once for each pause in the leads, however long it lasts and however often the daemon restarts. */
function expectSilence(month: Month): void {
  const silences = month.taken.filter(({ type }) => type === 'silence');
  const pauses = silences.map(({ ms }) => month.leadsAt.filter((at) => at < ms).length);
  expect(pauses.filter(isSecond)).toEqual([]);
  expect(silences.some(({ ms }) => ms > month.startMs + 24 * DAY && ms < month.startMs + 28 * DAY)).toBe(
    true,
  );
}

const runs = Math.min(Number(process.env.VERIFY_RUNS ?? 1), 20);
const first = Number(process.env.VERIFY_SEED ?? 1);
const isChosen = process.env.VERIFY_SEED !== undefined || runs > 1;
const seeds = isChosen ? Array.from({ length: runs }, (_, n) => first + n) : [7, 10];

// A quarter of a minute each on an idle machine.
it.each(seeds)(
  'tells in month %i of each thing that needed a person, of none twice, and of nothing else',
  {
    timeout: 1_200_000,
  },
  async (seed) => {
    const story = await live(seed);
    const { month, outages, restarts, tapped, refused } = story;
    const { record } = month;
    const opened = record.told('desk', 'needs_you.opened');

    // It happened.
    expect(outages).toBeGreaterThan(3);
    expect(restarts).toBeGreaterThan(10);
    const kinds = opened.flatMap(({ episodes }) =>
      episodes.map((n) => record.episodes[n]?.key.split(' ')[0]),
    );
    expect([...new Set(kinds)]).toEqual(expect.arrayContaining(['booking', 'clinic', 'connector', 'probe']));
    expect(Math.max(...opened.map(({ count }) => count))).toBeGreaterThan(10);

    // Each message once, each thing once, and the end of each.
    expect(month.taken.map(({ id }) => id).filter(isSecond)).toEqual([]);
    expectEachOnce(record);

    expectQuiet(record);
    expectReminders(record);
    expectSilence(month);
    expectEvents(record, month.events);

    // Links act once; a second tap, an old one and one that the desk was faster than do nothing.
    expect(tapped.size).toBeGreaterThan(30);
    expect(Object.keys(refused).toSorted()).toEqual(['link_changed', 'link_old', 'link_used']);
    expect(await month.deedsOf('link of desk', 'link of boss')).toBe(tapped.size);
    await month.stop();
  },
);
