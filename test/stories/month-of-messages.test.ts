import { expect, it, onTestFinished } from 'vitest';
import { type Random, seededRandom } from '../../sandbox/clinic/random.ts';
import { DAY, HOUR } from '../../src/platform/duration.ts';
import { startReceiver } from '../support/http/receiver.ts';
import { ESCALATE, isQuietAt, Month, REMIND, type Taken } from '../support/notify/month.ts';

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
  // The website breaks, and nobody has noticed; before, forty come from a campaign at once.
  if (dayOf(step) >= 24 && dayOf(step) < 28) return;
  const count = step === 15 * 8 + 1 ? 40 : Math.floor(story.random.leads() * 2.2);
  for (let n = 0; n < count; n += 1) {
    story.leads += 1;
    await lead(story, 1 + Math.floor(story.random.leads() * 20));
  }
}

/** Somebody at the desk reads a message and taps a link of it; some are tapped twice. */
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
      await month.taps?.act(opened, token, undefined);
      expect(tapped.has(token)).toBe(false);
      tapped.add(token);
    } catch (error) {
      const name = (error as { refusal?: { name: string } }).refusal?.name ?? String(error);
      refused[name] = (refused[name] ?? 0) + 1;
    }
  }
}

/** Sending to the clinic is paused until a person ends that. */
const paused = 'clinic main';

/** Somebody decides on the page. */
async function decides({ month, random: { desk: random } }: Story): Promise<void> {
  for (const { name } of month.listed) {
    const [kind, ref = ''] = name.split(' ');
    if (name === paused && random() < 0.3) await month.bookings.resumeSending(ref, 'Rima');
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

/** Messages to one target of some kinds. */
const told = ({ taken }: Month, target: string, ...types: Taken['type'][]) =>
  taken.filter((one) => one.target === target && types.includes(one.type));
const isSecond = <T>(one: T, at: number, all: readonly T[]) => all.indexOf(one) !== at;

async function live(seed: number): Promise<Story> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const month = new Month(receiver);
  await month.openDoor();
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
  if (month.listed.some(({ name }) => name === paused)) await month.bookings.resumeSending('main', 'Rima');
  for (let hours = 0; hours < 24; hours += 6) await month.pass(6 * HOUR);
  return story;
}

const own = 'connector notify.desk';

/** What a message may be about: all of `sure`, and some of `maybe`. */
interface Due {
  sure: readonly number[];
  maybe: readonly number[];
}

/** The things of the desk's messages of one kind, each in one of them at most; of more than ten, the others are those that were due. */
function thingsIn(
  messages: readonly Taken[],
  due: (at: number, known: ReadonlyMap<number, Taken>) => Due,
): Map<number, Taken> {
  const known = new Map<number, Taken>();
  for (const message of messages) {
    const { at, count, items } = message;
    const named = items.map(({ episode = -1 }) => episode);
    const { sure, maybe } = count > named.length ? due(at, known) : { sure: named, maybe: [] };
    const all = [...new Set([...sure, ...named, ...maybe])].slice(0, count);
    expect(all).toEqual(expect.arrayContaining([...sure, ...named]));
    expect(all).toHaveLength(count);
    expect(all.filter((n) => n < 0 || known.has(n))).toEqual([]);
    for (const n of all) known.set(n, message);
  }
  return known;
}

/** The desk is told once of each thing that it was owed, and once that it is over. */
function expectEachOnce(month: Month): void {
  const { episodes } = month;
  const opened = thingsIn(told(month, 'desk', 'needs_you.opened'), (at, known) => {
    const due = [...month.listedAt(at).values()].filter(
      ({ one, urgent }) => (urgent || !isQuietAt(at)) && one.name !== own && !known.has(one.n),
    );
    return { sure: due.map(({ one }) => one.n), maybe: [] };
  });
  const owed = [...(month.owed.get('desk') ?? [])].map(({ n }) => n);
  expect(owed.filter((n) => !opened.has(n))).toEqual([]);

  const isOver = (n: number, at: number) => (episodes[n]?.endedMs ?? Number.POSITIVE_INFINITY) <= at;
  // What came back before its end could be told is told anew, and one end is told for both.
  const cameBack = (n: number, at: number) => {
    const { name, state } = episodes[n] ?? {};
    return episodes.some(
      (one) => one.n > n && one.ms <= at && one.name === name && one.state === state && opened.has(one.n),
    );
  };
  // A message about several things is sent for those that are left; whether it was just leaving, nobody here knows.
  const wasOver = (n: number) => {
    const { count, ms } = opened.get(n) ?? { count: 0, ms: 0 };
    return count > 1 && isOver(n, ms);
  };
  const unsettled = (at: number, known: ReadonlyMap<number, Taken>): Due => {
    const over = [...opened.keys()].filter((n) => isOver(n, at) && !known.has(n) && !cameBack(n, at));
    return { sure: over.filter((n) => !wasOver(n)), maybe: over.filter(wasOver) };
  };
  const settled = thingsIn(told(month, 'desk', 'needs_you.settled'), unsettled);
  expect([...settled.keys()].filter((n) => !opened.has(n))).toEqual([]);
  expect(unsettled(month.clock.now(), settled).sure).toEqual([]);
  if (process.env.VERIFY_RUNS !== undefined)
    console.log(JSON.stringify({ owed: owed.length, opened: opened.size, settled: settled.size }));
}

/** In quiet hours only what is urgent is made a message; one that was just leaving when they began may still arrive, rarely. */
function expectQuiet(month: Month): void {
  const all = told(month, 'desk', 'needs_you.opened', 'needs_you.reminder');
  const atNight = all.filter(({ ms }) => isQuietAt(ms));
  const isAllUrgent = ({ items }: Taken) => items.every(({ urgent }) => urgent);
  expect(atNight.filter((one) => isQuietAt(one.at) && !isAllUrgent(one))).toEqual([]);
  const late = atNight.filter(({ at, items }) => !isQuietAt(at) && !items.some(({ urgent }) => urgent));
  expect(late.length).toBeLessThanOrEqual(2);
  expect(atNight.length).toBeGreaterThan(0);
}

/** Of what was told before, was not told again for half the time at least, and still waits. */
function expectReminders(month: Month): void {
  const [opened, reminders] = [
    told(month, 'desk', 'needs_you.opened'),
    told(month, 'desk', 'needs_you.reminder'),
  ];
  expect(reminders.length).toBeGreaterThan(10);
  for (const { ms, items } of reminders)
    for (const { episode } of items) {
      const before = [...opened, ...reminders].filter(
        (one) => one.ms < ms && one.items.some((item) => item.episode === episode),
      );
      const lastMs = Math.max(...before.map((one) => one.ms));
      // In a message about many it may have been told without a name.
      if (before.length > 0) expect(ms - lastMs).toBeGreaterThanOrEqual(REMIND / 2);
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
    if (!one?.name.startsWith('guard')) expect(ms - (one?.ms ?? ms)).toBeGreaterThanOrEqual(ESCALATE);
  }
}

/** Whoever wants to know of trouble hears of each outage once, and then that it is over. */
function expectTrouble(month: Month): void {
  const of = (name: string, ...types: Taken['type'][]) =>
    told(month, 'it', ...types).filter(({ items }) => items.some((item) => item.name === name));
  const outages = of('clinic connection', 'health.trouble').flatMap(({ items }) =>
    items.filter(({ name }) => name === 'clinic connection').map(({ episode }) => episode),
  );
  expect(outages.filter(isSecond)).toEqual([]);
  const owed = [...(month.owed.get('it') ?? [])].filter(({ name }) => name === 'clinic connection');
  expect(owed.length).toBeGreaterThan(3);
  expect(owed.map(({ n }) => n).filter((n) => !outages.includes(n))).toEqual([]);
  const isOwed = [...(month.owed.get('it') ?? [])].some(({ name }) => name === 'probe main-form');
  const probes = of('probe main-form', 'health.trouble').length;
  expect(probes).toBeGreaterThanOrEqual(isOwed ? 1 : 0);
  expect(probes).toBeLessThanOrEqual(1);

  const names = new Set(
    told(month, 'it', 'health.trouble').flatMap(({ items }) => items.map(({ name }) => name)),
  );
  for (const name of names) {
    const heard = of(name, 'health.trouble', 'health.recovered').map(({ type }) => type);
    expect([name, heard.at(-1)]).toEqual([name, 'health.recovered']);
    const ends = heard.filter((type, n) => type === 'health.recovered' && heard[n - 1] !== 'health.trouble');
    expect([name, ...ends]).toEqual([name]);
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

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;
const seeds = isLongRun ? Array.from({ length: 20 }, (_, n) => n + 1) : [7, 10];

// A quarter of a minute each on an idle machine.
it.each(seeds)(
  'tells in month %i of each thing that needed a person, of none twice, and of nothing else',
  {
    timeout: 300_000,
  },
  async (seed) => {
    const story = await live(seed);
    const { month, outages, restarts, tapped, refused } = story;
    const opened = told(month, 'desk', 'needs_you.opened');

    // It happened.
    expect(outages).toBeGreaterThan(3);
    expect(restarts).toBeGreaterThan(10);
    expect([...kindsIn(opened)]).toEqual(expect.arrayContaining(['booking', 'clinic', 'connector', 'probe']));
    expect(Math.max(...opened.map(({ count }) => count))).toBeGreaterThan(10);

    // Each once, and the end of each.
    expectEachOnce(month);

    // Quiet hours, reminders, and who is told when nobody acted.
    expectQuiet(month);
    expectReminders(month);
    expectEscalation(month);

    // Trouble and its end, a form that broke, and a website that fell silent: each once.
    expectTrouble(month);
    expectSilence(month);

    // One event for the beginning and one for the end of each, to whoever takes them.
    const ids = month.events.map(({ id }) => id);
    expect(ids.filter(isSecond)).toEqual([]);
    const events = (type: string) => month.events.filter((one) => one.type === type).length;
    // What a stop cut short after its look may have been over at the next one.
    expect([0, 1]).toContain(month.episodes.length - events('needs_you.opened'));
    expect(events('needs_you.settled')).toBe(events('needs_you.opened') - month.listed.length);
    expect(events('health.recovered')).toBe(events('health.trouble'));

    // Links act once; a second tap, an old one and one that the desk was faster than do nothing.
    expect(tapped.size).toBeGreaterThan(30);
    expect(Object.keys(refused).toSorted()).toEqual(['link_changed', 'link_old', 'link_used']);
    expect(await month.deedsOf('link of desk', 'link of boss')).toBe(tapped.size);
    await month.stop();
  },
);
