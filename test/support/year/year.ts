import { setTimeout as ioTurn } from 'node:timers/promises';
import { between, type Random, seededRandom } from '../../../sandbox/clinic/random.ts';
import { applyClocks } from '../../../src/app/clocks.ts';
import { type Bookings, createBookings } from '../../../src/bookings/bookings.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { Store } from '../../../src/store/store.ts';
import { createMirror } from '../../../src/sync/mirror-poller.ts';
import { type Life, startLife } from '../bookings/mortal.ts';
import { startBookings } from '../bookings/start-bookings.ts';
import { type FakeClock, settle } from '../fake-clock.ts';
import { type ClinicKind, type ClinicLife, clinicLife } from './clinic-life.ts';
import { copyOf, eraseFrom, outcomeOf } from './truth.ts';
import { DAY_MS, iso, localDate, momentOf } from './wall-clock.ts';

export const START = '2026-01-03T00:00:00Z';
/** Into February, so that December's visits have ended. */
const DAYS = 395;
/** Days of the year in which the first clinic does not answer, over the end of a month. */
const OUTAGE = { from: 142, to: 153 };
const ERASED_ON = [100, 200];
const COPIED_ON = 230;
const RESTORED_ON = 236;
const CURRENCY_ON = 270;
const STEP_MS = 5_000;
/** Looks in a row at which nothing was under way. */
const STILL = 6;

export interface YearOptions {
  seed: number;
  clock: FakeClock;
  kinds: ClinicKind[];
  store: Store;
  /** Days between one round of reading and the next, apart from the ends of months; default: 2. */
  pace?: number;
  /** Puts back a copy that was made of the database; missing where only the server's tools can. */
  copies?: { make(): Promise<void>; restore(): Promise<Store> };
  /** Shortly after the end of each month at each clinic, when everything has been read again. */
  onMonthEnd?: (life: ClinicLife, month: string, store: Store) => Promise<void>;
  /** After a person was erased from the database, as the daemon tells its connectors. */
  onErased?: (life: ClinicLife, refs: string[]) => Promise<void>;
}

export interface Year {
  lives: ClinicLife[];
  store: Store;
}

interface Running extends YearOptions {
  lives: ClinicLife[];
  bookings: Bookings;
  random: Random;
  /** Counts what is under way in the database. */
  calls: Life;
}

/** Plays a year at some clinics of one installation. What the product runs on is real, apart from the clinic and the clock. */
export async function playYear(options: YearOptions): Promise<Year> {
  const { seed, clock, kinds } = options;
  const random = seededRandom(seed);
  const year = { ...options, random, calls: startLife() } as unknown as Running;
  const around = { clock, random, pass: (ms: number) => pass(year, ms) };
  const lives = kinds.map((kind) => clinicLife(kind, around));
  year.lives = lives;
  await start(year);
  let saved = lives.map(({ truth }) => copyOf(truth));
  for (let day = 0; day < DAYS; day += 1) {
    for (const [ms, act] of dayOf(year, day)) {
      // Asleep until then: a clock that leapt would be doubted, and nothing would expire.
      if (ms > clock.now()) clock.suspend(ms - clock.now());
      await act();
    }
    if (ERASED_ON.includes(day)) for (const life of lives) await erase(year, life);
    if (options.copies !== undefined && day === COPIED_ON) {
      for (const life of lives) await clearDesk(year, life);
      await options.copies.make();
      saved = lives.map(({ truth }) => copyOf(truth));
    }
    if (options.copies !== undefined && day === RESTORED_ON) {
      await stop(year);
      year.store = await options.copies.restore();
      for (const [i, life] of lives.entries()) life.truth = saved[i] ?? life.truth;
      await start(year);
      for (const { kind } of lives) await year.bookings.resumeSending(kind.key, 'Rima');
    }
  }
  await stop(year);
  return { lives, store: year.store };
}

async function start(year: Running): Promise<void> {
  const { lives, calls, clock } = year;
  const store = calls.store(year.store);
  await applyClocks({ config: { clinics: lives.map(({ settings }) => settings) }, store }, clock);
  year.bookings = createBookings({
    ...{ store, clock, log: silentLog, random: () => 0.5 },
    clinics: new Map(lives.map(({ kind, clinic, settings }) => [kind.key, { clinic, settings }])),
    sources: new Map(
      ['website', 'leaflet', 'partner', 'desk'].map((source) => [
        source,
        { approval: source === 'desk' ? 'required' : 'none' },
      ]),
    ),
  });
  for (const life of lives) {
    const { clinic, settings } = life;
    life.connect({
      bookings: year.bookings,
      mirror: createMirror({ clinic, store, clock, log: silentLog, settings }),
    });
  }
  await startBookings(year.bookings, ...lives.map(({ clinic }) => clinic));
}

async function stop(year: Running): Promise<void> {
  const stopped = year.bookings.stop();
  await pass(year, 10_000);
  await stopped;
}

/** A database on a server answers when it likes, whatever the clock of the story says. */
async function pass({ clock, calls }: Running, ms: number): Promise<void> {
  for (let left = ms; ; left -= STEP_MS) {
    for (let still = 0; still < STILL; still = calls.busy === 0 ? still + 1 : 0)
      await (calls.busy === 0 ? settle(4) : ioTurn(1));
    if (left <= 0) return;
    await clock.advance(Math.min(left, STEP_MS));
  }
}

/** What happens on a day, in its order. */
function dayOf(year: Running, day: number): [number, () => Promise<void>][] {
  const { lives, random, bookings, pace = 2 } = year;
  const midnight = Date.parse(START) + day * DAY_MS;
  const acts: [number, () => Promise<void>][] = [];
  const at = (ms: number, act: () => Promise<void> | void) => acts.push([ms, async () => act()]);
  const some = () => midnight + between(random, 0, DAY_MS - 3_600_000);
  for (const [i, life] of lives.entries()) {
    const isOut = i === 0 && day >= OUTAGE.from && day < OUTAGE.to;
    at(midnight, () => {
      life.isOut = isOut;
    });
    if (random() < 0.8 / pace && day < 362) at(some(), () => life.lead());
    if (random() < 0.12) at(some(), () => life.changeFees());
    if (day === CURRENCY_ON && i === 1) at(some(), () => life.changeCurrency('EUR'));
    if (day % pace === 0) at(some(), () => life.desk());
    const poll = async (visits = day % (4 * pace) === 1) => {
      await life.poll({ visits });
      bookings.wake(life.kind.key);
      // After an outage what waits is tried again within minutes.
      if (day === OUTAGE.to || day === OUTAGE.to + 1) await pass(year, 600_000);
      await pass(year, 0);
      life.settle();
    };
    if (day % pace === 1 || day === OUTAGE.to) at(some(), () => poll());
    const boundary = monthBoundary(life, midnight);
    if (boundary === undefined || day > 362) continue;
    for (const ms of [boundary - 60_000, boundary, boundary + 240_000]) at(ms, () => life.lead());
    for (const ms of [boundary - 400_000, boundary - 150_000, boundary + 120_000])
      at(ms, async () => {
        life.changeFees();
        await poll(false);
      });
    at(boundary + 600_000, async () => {
      await poll(true);
      const month = localDate(boundary - 60_000, life.kind.zone).slice(0, 7);
      await year.onMonthEnd?.(life, month, year.store);
    });
  }
  return acts.sort(([a], [b]) => a - b);
}

/** Where a month begins at the clinic, if it does within this day of UTC. */
function monthBoundary({ kind: { zone } }: ClinicLife, midnight: number): number | undefined {
  const month = localDate(midnight + DAY_MS, zone).slice(0, 7);
  const begins = momentOf(`${month}-01`, '00:00', zone);
  return begins >= midnight && begins < midnight + DAY_MS ? begins : undefined;
}

/** A person asks to be forgotten: one whose visit was booked, and one who still waits. */
async function erase(year: Running, life: ClinicLife): Promise<void> {
  const { store, clock, bookings } = year;
  const { truth } = life;
  const booked = truth.leads.find((one) => one.campaign !== null && one.visit?.followed === true);
  const waiting = truth.leads.find((one) => outcomeOf(one) === 'open' && !one.inDoubt);
  for (const { phone } of [booked, waiting].flatMap((one) => one ?? [])) {
    const refs = truth.leads.filter((one) => one.phone === phone).map(({ ref }) => ref);
    await store.erase({ refs }, iso(clock.now()), 'Rima');
    eraseFrom(truth, phone);
    await year.onErased?.(life, refs);
  }
  bookings.wake();
}

/** Before a copy is made nothing waits: what waits in an older copy is another story. */
async function clearDesk({ bookings }: Running, { truth }: ClinicLife): Promise<void> {
  for (const waiting of truth.leads.filter((one) => outcomeOf(one) === 'open' && !one.inDoubt)) {
    await bookings.drop(waiting.ref, 'Rima');
    Object.assign(waiting, { lost: 'approval', ended: 'dropped' });
  }
}
