import { expect } from 'vitest';
import { MINUTE } from '../../../src/platform/duration.ts';
import {
  type Episode,
  ESCALATE,
  isAbout,
  isQuietAt,
  isUrgentAt,
  type Look,
  type Made,
  type MonthRecord,
  REMIND,
} from './month-record.ts';

export const isSecond = <T>(one: T, at: number, all: readonly T[]): boolean => all.indexOf(one) !== at;

/** What a target hears of: by which messages, and when it may. */
interface Hearer {
  name: string;
  opening: Made['type'];
  closing: Made['type'];
  isFor: (one: Episode, atMs: number) => boolean;
  /** Where that is not exactly known. */
  mayBeFor?: (one: Episode, atMs: number) => boolean;
  isAudible: (one: Episode, atMs: number) => boolean;
}
/** How a target is doing is reported to one that works itself; whether it does is not recorded. */
const isAboutTarget = ({ key }: Episode) => key.startsWith('connector notify.');
const desk: Hearer = {
  name: 'desk',
  ...{ opening: 'needs_you.opened', closing: 'needs_you.settled' },
  isFor: (one, ms) => isAbout(one, 'needs_you', ms) && !isAboutTarget(one),
  mayBeFor: (one, ms) => isAbout(one, 'needs_you', ms) && !one.key.endsWith(' notify.desk'),
  isAudible: (one, ms) => isUrgentAt(one, ms) || !isQuietAt(ms),
};
const operator: Hearer = {
  name: 'it',
  ...{ opening: 'health.trouble', closing: 'health.recovered' },
  isFor: (one, ms) => isAbout(one, 'trouble', ms) && !isAboutTarget(one),
  mayBeFor: (one, ms) => isAbout(one, 'trouble', ms) && !one.key.endsWith(' notify.it'),
  isAudible: () => true,
};
/** Hears of guards at once, of what the desk knew of and did nothing about, and of what is urgent and does not reach the desk. */
const bossOf = (record: MonthRecord): Hearer => {
  const looks = record.looks.filter(({ target }) => target === 'desk');
  const isKnown = (one: Episode, isSure: boolean, until: number) =>
    looks.some(
      (look) =>
        look.ms <= until &&
        isListed(one, look) &&
        desk.isFor(one, look.ms) &&
        desk.isAudible(one, look.ms) &&
        (!isSure || (look.isDone && isHeardOf(record, desk, one, look))),
    );
  const heardAt = new Map(
    record
      .told('desk', desk.opening)
      .flatMap(({ episodes, arrived }) => episodes.map((n) => [n, arrived?.ms] as const)),
  );
  const isUnreached = (one: Episode, isSure: boolean, ms: number) => {
    const heard = heardAt.get(one.n) ?? Number.POSITIVE_INFINITY;
    const isUrgent = isUrgentAt(one, ms) && (!isSure || isUrgentAt(one, one.ms));
    return isUrgent && (isSure ? heard > ms : heard >= ms) && isKnown(one, isSure, ms - UNREACHED);
  };
  const isFor = (one: Episode, ms: number, isSure: boolean) =>
    isAbout(one, 'guard', ms) ||
    isUnreached(one, isSure, ms) ||
    (!one.key.endsWith(' notify.boss') && isKnown(one, isSure, ms - ESCALATE));
  return {
    name: 'boss',
    ...{ opening: 'needs_you.opened', closing: 'needs_you.settled' },
    isFor: (one, ms) => isFor(one, ms, true),
    mayBeFor: (one, ms) => isFor(one, ms, false),
    isAudible: () => true,
  };
};

const UNREACHED = MINUTE;

const isListed = ({ ms, endedMs = Number.POSITIVE_INFINITY }: Episode, look: Pick<Look, 'ms'>) =>
  ms <= look.ms && look.ms < endedMs;
/** Of what is neither urgent nor trouble, not when many messages were made shortly before: it waits, and shares one. */
const isHeardOf = (
  record: MonthRecord,
  { name, opening }: Hearer,
  one: Episode,
  { ms, target, isFree }: Look,
): boolean => {
  if (target !== name) return false;
  if (!isFree || isUrgentAt(one, ms) || isAbout(one, 'trouble', ms)) return true;
  const recent = [...record.made.values()].filter(
    (made) => made.target === name && made.type === opening && made.ms <= ms && ms - made.ms < FLOOD,
  );
  return recent.reduce((sum, { count }) => sum + count, 0) < 5;
};
const FLOOD = 5 * MINUTE;

/** The target took messages for long enough, as far as anybody could see, to be told of the end of another’s trouble. */
const hasWorked = ({ looks }: MonthRecord, { target, ms, isPresent }: Look): boolean =>
  isPresent &&
  looks.every((one) => one.target !== target || one.ms > ms || ms - one.ms >= WORKING || one.isFree);
const WORKING = 10 * MINUTE;

/** The message that reported each episode. No episode is in two. */
function byEpisode(messages: readonly Made[]): Map<number, Made> {
  const all = messages.flatMap((message) => message.episodes.map((n) => [n, message] as const));
  expect(all.map(([n]) => n).filter(isSecond)).toEqual([]);
  for (const { count, episodes } of messages) expect(episodes).toHaveLength(count);
  return new Map(all);
}

/** Everything that a target should hear of is reported once, and its end once, and nothing else. */
function expectEachOnceBy(record: MonthRecord, hearer: Hearer): void {
  const { name, opening, closing, isFor, mayBeFor = isFor, isAudible } = hearer;
  const { episodes } = record;
  const opened = byEpisode(record.told(name, opening));
  const settled = byEpisode(record.told(name, closing));
  const looks = record.looks.filter(({ target, isDone, isFree }) => target === name && isDone && isFree);
  const owed = episodes.filter((one) =>
    looks.some(
      (look) =>
        look.isPresent &&
        isListed(one, look) &&
        isFor(one, look.ms) &&
        isAudible(one, look.ms) &&
        isHeardOf(record, hearer, one, look),
    ),
  );
  const say = ({ n, key, ms, endedMs = 0 }: Episode) => [n, key, new Date(ms), new Date(endedMs)];
  expect(owed.filter(({ n }) => !opened.has(n)).map(say), `${name} was not told`).toEqual([]);
  const wrongly = [...opened].filter(([n, { ms }]) => !mayBeFor(episodes[n] as Episode, ms));
  expect(
    wrongly.map(([n]) => say(episodes[n] as Episode)),
    `${name} should not have been told`,
  ).toEqual([]);

  const unheard = [...settled].filter(([n]) => !opened.has(n));
  expect(
    unheard.map(([n]) => say(episodes[n] as Episode)),
    `${name} heard only of the end`,
  ).toEqual([]);
  // What came back before its end could be sent is reported again, and one end is sent for both.
  const cameBack = ({ key, n, endedMs = 0 }: Episode) => {
    const next = episodes.find((one) => one.n > n && one.key === key && opened.has(one.n));
    const isOwed = (look: Look) => !isAboutTarget(next as Episode) || hasWorked(record, look);
    return (
      next !== undefined &&
      !looks.some(
        (look) => look.ms >= endedMs && look.ms < next.ms && isAudible(next, look.ms) && isOwed(look),
      )
    );
  };
  const ended = [...opened.keys()]
    .map((n) => episodes[n] as Episode)
    .filter(({ endedMs }) => endedMs !== undefined);
  const endless = ended.filter((one) => !settled.has(one.n) && !cameBack(one));
  expect(endless.map(say), `${name} was not told of the end`).toEqual([]);
  expect(opened.size).toBeGreaterThan(3);
  if (process.env.VERIFY_RUNS !== undefined)
    console.log(JSON.stringify({ name, owed: owed.length, opened: opened.size, settled: settled.size }));
}

export function expectEachOnce(record: MonthRecord): void {
  for (const hearer of [desk, operator, bossOf(record)]) expectEachOnceBy(record, hearer);
}

/** In quiet hours nothing is made that is not urgent, and nothing arrives but what could no longer be held back. */
export function expectQuiet(record: MonthRecord): void {
  const all = record.told('desk', 'needs_you.opened', 'needs_you.reminder', 'needs_you.settled');
  expect(all.filter(({ ms, isAllUrgent }) => isQuietAt(ms) && !isAllUrgent)).toEqual([]);
  const atNight = all.filter(({ arrived }) => arrived !== undefined && isQuietAt(arrived.ms));
  const couldBeKept = atNight.filter(({ id, seq, episodes, arrived = { seq } }) =>
    record.looks.some(
      ({ target, seq: at, ms, begun, isDone }) =>
        target === 'desk' &&
        at > seq &&
        at < arrived.seq &&
        isDone &&
        isQuietAt(ms) &&
        begun !== id &&
        !episodes.some((n) => isUrgentAt(record.episodes[n] as Episode, ms)),
    ),
  );
  expect(couldBeKept).toEqual([]);
  expect(atNight.length).toBeGreaterThan(0);
}

/** What was reported and still waits is repeated after long enough, together with what soon will have waited long. */
export function expectReminders(record: MonthRecord): void {
  const reminders = record.told('desk', 'needs_you.reminder');
  const all = [...record.told('desk', 'needs_you.opened'), ...reminders].toSorted((a, b) => a.seq - b.seq);
  const looks = record.looks.filter(({ target }) => target === 'desk');
  expect(reminders.length).toBeGreaterThan(10);
  /** Since when it is reported: a message that had to wait counts from when it last waited. */
  const sinceMs = ({ seq, ms, arrived = { seq, ms } }: Made) =>
    looks.findLast((look) => look.seq > seq && look.seq < arrived.seq && !look.isFree)?.ms ?? ms;
  const about = new Map<number, Made[]>();
  for (const one of all) for (const n of one.episodes) about.set(n, [...(about.get(n) ?? []), one]);
  const lastBefore = (n: number, seq: number) => about.get(n)?.findLast((one) => one.seq < seq);
  for (const { seq, ms, episodes } of reminders) {
    const waited = episodes.map((n) => {
      const last = lastBefore(n, seq);
      return last === undefined ? 0 : ms - sinceMs(last);
    });
    expect(Math.min(...waited)).toBeGreaterThanOrEqual(REMIND / 2);
    expect(Math.max(...waited)).toBeGreaterThanOrEqual(REMIND);
  }
  const desks = [...record.made.values()].filter(({ target }) => target === 'desk');
  /** Before anything else got through, another one took its place. */
  const isReplaced = ({ seq }: Made, n: number) =>
    desks.some(
      (later) =>
        later.seq > seq &&
        later.arrived !== undefined &&
        later.episodes.includes(n) &&
        desks.every(({ arrived }) => arrived === undefined || arrived.seq < seq || arrived.seq > later.seq),
    );
  const overdue = looks.flatMap((look) =>
    record.episodes.filter((one) => {
      if (!isListed(one, look)) return false;
      const last = lastBefore(one.n, look.seq);
      const isDue =
        last?.arrived !== undefined && last.arrived.seq < look.seq && look.ms - sinceMs(last) >= REMIND;
      const isHeard = look.isDone && look.isFree && look.isPresent && desk.isAudible(one, look.ms);
      const isReminded = () =>
        desks.some(
          (made) =>
            made.seq > look.seq &&
            made.ms - look.ms <= MINUTE &&
            made.episodes.includes(one.n) &&
            (made.arrived !== undefined ||
              // It was over before that left.
              (one.endedMs ?? Number.POSITIVE_INFINITY) <= made.ms + MINUTE ||
              isReplaced(made, one.n)),
        );
      return isDue && isHeard && !isReminded();
    }),
  );
  expect(overdue).toEqual([]);
}

/** One event for the beginning and one for the end of each, to whoever takes them; a look that a stop cut off may have been too short for it. */
export function expectEvents(record: MonthRecord, events: readonly { id: string; type: string }[]): void {
  expect(events.map(({ id }) => id).filter(isSecond)).toEqual([]);
  const pairs = [
    ['needs_you', 'needs_you.opened', 'needs_you.settled'],
    ['trouble', 'health.trouble', 'health.recovered'],
  ] as const;
  for (const [topic, opening, closing] of pairs) {
    const all = record.episodes.filter(({ said }) => said.some(({ topics }) => topics.includes(topic)));
    const count = (type: string) => events.filter((one) => one.type === type).length;
    const isCutOff = ({ isSeen }: Episode) => !isSeen;
    expect(count(opening)).toBeGreaterThanOrEqual(all.length - all.filter(isCutOff).length);
    expect(count(opening)).toBeLessThanOrEqual(all.length);
    expect(count(closing)).toBe(count(opening) - record.listed.filter((one) => isAbout(one, topic)).length);
  }
}
