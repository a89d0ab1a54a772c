import { expect, it, onTestFinished } from 'vitest';
import { DAY, HOUR } from '../../src/platform/duration.ts';
import { startReceiver } from '../support/http/receiver.ts';
import { type Episode, ESCALATE, isQuietAt, Month, REMIND, type Taken } from '../support/notify/month.ts';

const STEP = 3 * HOUR;
const STEPS = (30 * DAY) / STEP;
const dayOf = (step: number) => (step * STEP) / DAY;

/** Numbers that look random and are the same each time. */
const seeded = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};

/** What a seed does in its month, beside leads. */
interface Story {
  month: Month;
  random: () => number;
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
  // The website breaks, and nobody has noticed; before, forty come from a campaign at once.
  if (dayOf(step) >= 24 && dayOf(step) < 28) return;
  const count = step === 15 * 8 + 1 ? 40 : Math.floor(story.random() * 2.2);
  for (let n = 0; n < count; n += 1) {
    story.leads += 1;
    await lead(story, 1 + Math.floor(story.random() * 20));
  }
}

/** Somebody at the desk reads a message and taps a link of it; some are tapped twice. */
async function taps(story: Story): Promise<void> {
  const { month, random, tapped, refused } = story;
  const readable = month.taken.filter(({ target, links }) => target !== 'it' && links.length > 0);
  for (const { links } of readable.slice(-6)) {
    const link = links[Math.floor(random() * links.length)];
    const token = link?.url.split('/').at(-1);
    if (random() > 0.4 || token === undefined) continue;
    if (random() < 0.2) month.clinic.script.push(random() < 0.5 ? 'timeout_after' : 'reset_before');
    try {
      const opened = await month.taps?.look(token);
      expect.assert(opened);
      await month.taps?.act(opened, token, undefined);
      expect(tapped.has(token)).toBe(false);
      tapped.add(token);
    } catch (error) {
      const name = (error as { refusal?: { name: string } }).refusal?.name ?? String(error);
      refused[name] = (refused[name] ?? 0) + 1;
    }
  }
}

/** Somebody decides on the page. */
async function decides({ month, random }: Story): Promise<void> {
  for (const { name } of month.listed) {
    const [kind, ref = ''] = name.split(' ');
    if (kind !== 'booking' || random() > 0.15) continue;
    await month.bookings.drop(ref, 'Asked for again by phone.', 'Rima').catch(() => {});
  }
}

async function breaks(
  { month, random, ...story }: Story,
  step: number,
): Promise<{ outages: number; restarts: number }> {
  for (const target of ['desk', 'it', 'boss']) {
    if (random() < 0.06) month.away.set(target, random() < 0.5 ? 503 : 429);
    else if (random() < 0.5) month.away.delete(target);
  }
  let { outages, restarts } = story;
  if (!month.isClinicDown && random() < 0.03) {
    month.clinicGoes('down');
    outages += 1;
  } else if (month.isClinicDown && random() < 0.5) month.clinicGoes('up');
  if (dayOf(step) === 8) await month.form('broken');
  if (dayOf(step) === 10) await month.form('whole');
  if (random() < 0.12) {
    await month.stop();
    await month.start();
    restarts += 1;
  }
  return { outages, restarts };
}

/** Messages to one target of some kinds. */
const told = ({ taken }: Month, target: string, ...types: Taken['type'][]) =>
  taken.filter((one) => one.target === target && types.includes(one.type));
const countOf = (some: readonly Taken[]) => some.reduce((sum, { count }) => sum + count, 0);
const isSecond = <T>(one: T, at: number, all: readonly T[]) => all.indexOf(one) !== at;

async function live(seed: number): Promise<Story> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const month = new Month(receiver);
  await month.openDoor();
  await month.start();
  const story: Story = {
    ...{ month, random: seeded(seed), leads: 0, outages: 0, restarts: 0 },
    ...{ tapped: new Set<string>(), refused: {} },
  };
  for (let step = 0; step < STEPS; step += 1) {
    await leadsCome(story, step);
    await taps(story);
    await decides(story);
    Object.assign(story, await breaks(story, step));
    await month.pass(STEP);
  }
  month.away.clear();
  month.clinicGoes('up');
  for (let hours = 0; hours < 24; hours += 6) await month.pass(6 * HOUR);
  return story;
}

/** Of what was told before, was not told again for half the time at least, and still waits. */
function expectReminders(month: Month): void {
  const [opened, reminders] = [
    told(month, 'desk', 'needs_you.opened'),
    told(month, 'desk', 'needs_you.reminder'),
  ];
  expect(reminders.length).toBeGreaterThan(10);
  for (const { ms, items } of reminders)
    for (const { episode, urgent } of items) {
      const before = [...opened, ...reminders].filter(
        (one) => one.ms < ms && one.items.some((item) => item.episode === episode),
      );
      const lastMs = Math.max(...before.map((one) => one.ms));
      // In a message about many it may have been told without a name.
      if (before.length > 0) expect(ms - lastMs).toBeGreaterThanOrEqual(REMIND / 2);
      expect(urgent || !isQuietAt(ms)).toBe(true);
    }
}

/** To whom it is escalated hears of each thing once, and when it has been on the list for long enough. */
function expectEscalation(month: Month): void {
  const items = told(month, 'boss', 'needs_you.opened').flatMap(({ items, ms }) =>
    items.map(({ episode }) => ({ episode, ms })),
  );
  expect(items.map(({ episode }) => episode).filter(isSecond)).toEqual([]);
  expect(items.length).toBeGreaterThan(20);
  for (const { episode = -1, ms } of items) {
    const one = month.episodes[episode];
    // An outage that comes back before the desk could hear of its end is the same one to it.
    if (one?.name.startsWith('booking')) expect(ms - one.ms).toBeGreaterThanOrEqual(ESCALATE);
  }
}

/** Once for each pause in the leads, however long it lasts and however often the daemon starts anew. */
function expectSilence(month: Month): void {
  const silences = told(month, 'it', 'silence');
  const pauses = silences.map(({ ms }) => month.leadsAt.filter((at) => at < ms).length);
  expect(pauses.filter(isSecond)).toEqual([]);
  expect(silences.some(({ ms }) => ms > month.startMs + 24 * DAY && ms < month.startMs + 28 * DAY)).toBe(
    true,
  );
}

const kindsIn = (some: readonly Taken[]) =>
  new Set(some.flatMap(({ items }) => items.map(({ name }) => name.split(' ')[0])));

// Half a minute on an idle machine.
it('tells in a month of each thing that needed a person, of none twice, and of nothing else', {
  timeout: 300_000,
}, async () => {
  const story = await live(7);
  const { month, outages, restarts, tapped, refused } = story;
  const opened = told(month, 'desk', 'needs_you.opened');
  const named = opened.flatMap(({ items }) => items.map(({ episode }) => episode));
  const owed = month.owed.get('desk') ?? new Set<Episode>();

  // It happened.
  expect(outages).toBeGreaterThan(3);
  expect(restarts).toBeGreaterThan(10);
  expect(kindsIn(opened)).toEqual(new Set(['booking', 'clinic', 'connector', 'probe']));
  expect(Math.max(...opened.map(({ count }) => count))).toBeGreaterThanOrEqual(40);

  // Each once; those of more than ten named ones by their number.
  expect(named.filter(isSecond)).toEqual([]);
  expect(named).not.toContain(undefined);
  // What was over before the month came to rest is told where it was on the list at that moment.
  const all = new Set([...[...owed].map(({ n }) => n), ...named]);
  expect(countOf(opened)).toBe(all.size);
  const isOpen = (n: number | undefined) => month.listed.some((one) => one.n === n);
  expect(countOf(told(month, 'desk', 'needs_you.settled'))).toBe([...all].filter((n) => !isOpen(n)).length);

  // Quiet hours, reminders, and who is told when nobody acted.
  const atNight = opened.filter(({ ms }) => isQuietAt(ms)).flatMap(({ items }) => items);
  expect(atNight.filter(({ urgent }) => !urgent)).toEqual([]);
  expect(atNight.length).toBeGreaterThan(0);
  expectReminders(month);
  expectEscalation(month);

  // Trouble and its end, a form that broke, and a website that fell silent: each once.
  const began = told(month, 'it', 'health.trouble');
  const troubles = began.flatMap(({ items }) => items.map(({ name }) => name));
  expect(troubles.filter((name) => name === 'clinic connection')).toHaveLength(outages);
  expect(troubles.filter((name) => name === 'probe main-form')).toHaveLength(1);
  expect(countOf(told(month, 'it', 'health.recovered'))).toBe(countOf(began));
  expectSilence(month);

  // One event for the beginning and one for the end of each, to whoever takes them.
  const ids = month.events.map(({ id }) => id);
  expect(ids.filter(isSecond)).toEqual([]);
  const events = (type: string) => month.events.filter((one) => one.type === type).length;
  expect(events('needs_you.opened')).toBe(month.episodes.length);
  expect(events('needs_you.settled')).toBe(month.episodes.length - month.listed.length);
  expect(events('health.recovered')).toBe(events('health.trouble'));

  // Links act once; a second tap, an old one and one that the desk was faster than do nothing.
  expect(tapped.size).toBeGreaterThan(30);
  expect(Object.keys(refused).toSorted()).toEqual(['link_changed', 'link_old', 'link_used']);
  expect(await month.deedsOf('link of desk', 'link of boss')).toBe(tapped.size);
  await month.stop();
});
