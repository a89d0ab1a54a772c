import { deliveriesTo, type NotifyTarget, type Topic } from '../config/notify.ts';
import { wallClockAt } from '../domain/date-time.ts';
import { type Instant, instant, toMs } from '../platform/clock.ts';
import { DAY, HOUR, MINUTE } from '../platform/duration.ts';
import type { Alert } from './alerts.ts';
import type { Item, Message, MessageType } from './message.ts';
import { type Notice, onThisClock, type Plan, type Situation } from './situation.ts';

/** More alerts than this become one message. */
const SINGLY = 5;
/** After that many, further alerts wait this long and share a message. */
const FLOOD_MS = 5 * MINUTE;
/** After an outage, more than this many become one message. */
const SINGLY_LATER = 2;
/** What is owed after a lost message is told again after these times. */
const againAfter = [5 * MINUTE, 30 * MINUTE, 4 * HOUR];
/**
 * Another target is reported only to one that has worked for so long: an outage of the network is no news about
 * targets.
 */
const WORKING_MS = 10 * MINUTE;
/** Things named in one message. */
const NAMED = 10;
/** The delivery of a message whose id is no longer known. */
export const NO_DELIVERY = '';
/** Remembered deliveries of messages about one alert alone. */
const ALONE = 8;

/**
 * The messages that a target gets now: each alert once, then reminders, then its end. A thing is owed until a message
 * about it has arrived: what is lost is told again, after a while. While a message waits, none is added: later alerts
 * are owed and share the next one; an urgent one overtakes. What is over before it was sent is forgotten. Pure.
 */
export function plan(given: Situation): Plan {
  const step: Plan = { notices: new Map(), takenBack: [] };
  const situation = afterLosses(onThisClock(given, step, Math.max(...againAfter)), step);
  const { target, alerts, notices, waiting, now } = situation;
  const isQuiet = (item: Item) => !item.urgent && isIn(target, now, situation.zoneOf(item.clinic));
  const isAudible = ([, one]: [string, Notice]) =>
    !isQuiet(one.item) && mayBeTold(one, now) && !isPerhapsItsOwn(situation, one.item);
  const { open, over } = sorted(situation, step);
  // Over, put off by quiet hours, or about another target, which may suffer from the same outage.
  takeBack(situation, step, ([key, one]) => {
    const item = alerts.get(key) ?? one.item;
    return hasEnded(alerts, key, one) || isQuiet(item) || isPerhapsItsOwn(situation, item);
  });
  const noticeOf = (key: string) => (step.notices.has(key) ? step.notices.get(key) : notices.get(key));
  const fresh = [...alerts.values()].filter((alert) => {
    const before = noticeOf(alert.key);
    return !isQuiet(alert) && isFor(situation, alert) && isNew(before) && mayBeTold(before, now);
  });
  if (waiting.size > 0) {
    // Those that left one by one before an outage was known arrive together after it, with what came since.
    const { troubledAt = Number.NEGATIVE_INFINITY } = situation;
    const isScattered =
      waiting.size > 1 && waiting.size + fresh.length > SINGLY_LATER && now - troubledAt <= MINUTE;
    if (isScattered || fresh.some(({ urgent, key }) => urgent && !noticeOf(key)?.owed))
      takeBack(situation, step, () => true);
    for (const alert of fresh)
      if (!noticeOf(alert.key)?.owed)
        step.notices.set(alert.key, owed(firstNotice(alert, now, noticeOf(alert.key))));
    return step;
  }

  const isFlood = isFlooded(notices, now);
  const isLate = fresh.some(({ key }) => noticeOf(key)?.owed);
  tell(situation, step, [
    ...grouped(
      fresh.filter((alert) => !(isFlood && mayWait(alert))),
      ({ topics }) => openingType(target, topics),
      isLate ? SINGLY_LATER : SINGLY,
    ).map(([type, some]) => ({
      type,
      some: some.map((alert) => {
        const from = situation.unreached?.get(alert.key);
        const named = from === undefined ? alert : { ...alert, unreached: from };
        return [alert.key, firstNotice(named, now, noticeOf(alert.key))] as const;
      }),
    })),
    ...grouped(dueOf(situation, open.filter(isAudible)), () => 'needs_you.reminder' as const, 0).map(
      ([type, some]) => ({ type, some }),
    ),
    ...closings(target, over.filter(isAudible)),
  ]);
  return step;
}

const mayBeTold = (one: Notice | undefined, now: number): boolean =>
  one?.notBefore === undefined || toMs(one.notBefore) <= now;

/** What a lost message was about is owed again, as it was before that message. */
function afterLosses(given: Situation, step: Plan): Situation {
  const { lost, alerts, now } = given;
  if (lost === undefined || lost.size === 0) return given;
  const notices = new Map(given.notices);
  for (const [key, one] of given.notices) {
    if (!lost.has(one.delivery)) continue;
    const reason = lost.get(one.delivery);
    const back = unsent(one, hasEnded(alerts, key, one));
    const count = (one.lost ?? 0) + 1;
    const wait = reason === undefined ? 0 : (againAfter[Math.min(count, againAfter.length) - 1] ?? 0);
    const again = back && {
      ...back,
      lost: reason && count,
      notBefore: instant(now + wait),
      perhaps: reason === 'unsure',
    };
    step.notices.set(key, again);
    if (again === undefined) notices.delete(key);
    else notices.set(key, again);
  }
  return { ...given, notices };
}

/** Takes back what waits, if all that it is about may be; unless it is just being sent. */
function takeBack(
  { notices, alerts, waiting, underWay }: Situation,
  step: Plan,
  mayBe: (one: [string, Notice]) => boolean,
): void {
  for (const [delivery, some] of Map.groupBy(notices, ([, one]) => one.delivery)) {
    if (!waiting.has(delivery) || underWay?.has(delivery) || step.takenBack.includes(delivery)) continue;
    if (!some.every(mayBe)) continue;
    for (const [key, one] of some) step.notices.set(key, unsent(one, hasEnded(alerts, key, one)));
    step.takenBack.push(delivery);
  }
}

/** Sorts what was reported into open and over; forgets what needs no further message. */
function sorted(situation: Situation, step: Plan): Record<'open' | 'over', [string, Notice][]> {
  const { notices, alerts } = situation;
  const open: [string, Notice][] = [];
  const over: [string, Notice][] = [];
  for (const [key, one] of notices) {
    const alert = alerts.get(key);
    if (isDone(situation, one, alert)) step.notices.set(key, undefined);
    else if (isEnd(one.type)) continue;
    else if (alert === undefined) {
      const ended = asOver(one);
      if (ended !== one) step.notices.set(key, ended);
      over.push([key, ended]);
    } else if (!isNew(one)) open.push([key, { ...one, item: alert }]);
  }
  return { open, over };
}

/** Its end was sent, or it was owed and is over or no longer for this target. */
const isDone = (
  situation: Situation,
  { type, owed, over, delivery }: Notice,
  alert: Alert | undefined,
): boolean =>
  isEnd(type)
    ? !situation.waiting.has(delivery)
    : owed === true && over === undefined && (alert === undefined || !isFor(situation, alert));

/** Targets that can change a message that has arrived. */
const changing: readonly string[] = ['telegram', 'ntfy'];

function closings(target: NotifyTarget, over: readonly [string, Notice][]): Telling[] {
  const [alone = [], others = []] = [true, false].map((wanted) =>
    over.filter(([, one]) => isClosedAlone(target, one) === wanted),
  );
  return [
    ...alone.map((one): Telling => ({ type: 'needs_you.settled', some: [one] })),
    ...grouped(others, ([, { topics }]) => closingType(target, topics), SINGLY).map(([type, some]) => ({
      type,
      some,
    })),
  ];
}

/** A recovery is news of its own; a settled need only has its message changed. */
const isClosedAlone = (target: NotifyTarget, { topics, alone = [] }: Notice): boolean =>
  changing.includes(target.use) && alone.length > 0 && closingType(target, topics) === 'needs_you.settled';

interface Telling {
  /** Undefined when this target gets no message about the end. */
  type: MessageType | undefined;
  some: readonly (readonly [string, Notice])[];
}

function tell({ now, newId }: Situation, step: Plan, tellings: readonly Telling[]): void {
  for (const { type, some } of tellings) {
    const delivery = newId();
    const isAlone = some.length === 1;
    for (const [key, one] of some)
      step.notices.set(
        key,
        type && {
          ...one,
          ...(!isEnd(type) && {
            alone: [...(one.alone ?? []), ...(isAlone ? [delivery] : [])].slice(-ALONE),
            toldTogether: !isAlone,
          }),
          // The next message about it is no repetition.
          ...(one.notBefore === undefined && { lost: undefined, perhaps: undefined }),
          notBefore: undefined,
          ...{ item: itemOf(one.item), at: instant(now), type, delivery },
        },
      );
  }
}

const itemOf = ({ key: _key, topics: _topics, ...item }: Item & Partial<Alert>): Item => item;

const firstNotice = (alert: Alert, now: number, before?: Notice): Notice => ({
  item: alert,
  topics: alert.topics,
  first: before?.owed ? before.first : instant(now),
  at: instant(now),
  type: 'needs_you.opened',
  delivery: '',
  ...(before?.notBefore && {
    lost: before.lost,
    notBefore: before.notBefore,
    perhaps: before.perhaps,
  }),
  ...(before?.over && !isEnd(before.type) && { over: 'before', alone: before.alone ?? [] }),
});

const isOver = ({ over }: Notice): boolean => over === 'now' || over === 'again';

/** What came back and was not reported again yet is over as it was before. */
const asOver = (one: Notice): Notice =>
  isOver(one) ? one : { ...one, owed: undefined, over: one.over === 'before' && !one.owed ? 'again' : 'now' };

/** Also what was over and is there again. */
const isNew = (one: Notice | undefined): boolean =>
  one === undefined || one.owed === true || isOver(one) || isEnd(one.type);

const hasEnded = (alerts: Situation['alerts'], key: string, one: Notice): boolean =>
  !isEnd(one.type) && (isOver(one) || !alerts.has(key));

const owed = (one: Notice): Notice => ({
  ...one,
  type: 'needs_you.opened',
  delivery: NO_DELIVERY,
  alone: (one.alone ?? []).filter((delivery) => delivery !== one.delivery),
  owed: true,
});

/**
 * The notification before its last message, which is kept back; undefined when that was the first and it is over.
 * Escalation still counts from when it should have been sent.
 */
function unsent({ alone = [], ...one }: Notice, hasEnded: boolean): Notice | undefined {
  const wasNotified = !isOpening(one.type) || one.over === 'before' || one.over === 'again';
  if (hasEnded && !wasNotified) return undefined;
  if (isOpening(one.type) && !hasEnded) return owed({ ...one, alone });
  const before = alone.filter((delivery) => delivery !== one.delivery);
  return {
    ...one,
    ...{ alone: before, type: 'needs_you.opened', delivery: before.at(-1) ?? NO_DELIVERY },
    at: isEnd(one.type) ? one.at : one.first,
    ...(hasEnded && { over: 'now' }),
  };
}

/** True when many alerts were reported just now, because a flood comes in pieces. */
const isFlooded = (notices: ReadonlyMap<string, Notice>, now: number): boolean =>
  [...notices.values()].filter((one) => !one.owed && now - toMs(openedAt(one)) < FLOOD_MS).length >= SINGLY;
const openedAt = ({ type, first, at }: Notice): Instant => (isOpening(type) ? at : first);

const mayWait = ({ urgent, topics }: Alert): boolean => !urgent && !topics.includes('trouble');

/** By type: one by one when there are few, otherwise together. */
function grouped<T, Type>(all: readonly T[], typeOf: (one: T) => Type, singly: number): [Type, T[]][] {
  return [...Map.groupBy(all, typeOf)].flatMap(([type, some]): [Type, T[]][] =>
    some.length > singly ? [[type, some]] : some.map((one) => [type, [one]]),
  );
}

const isOpening = (type: MessageType): boolean => !isEnd(type) && type !== 'needs_you.reminder';
export const isEnd = (type: string): boolean => type === 'needs_you.settled' || type === 'health.recovered';

/** About how a target is doing. */
const isAboutTarget = ({ kind, subject }: Pick<Item, 'kind' | 'subject'>): boolean =>
  kind === 'connector' && subject.startsWith(deliveriesTo(''));

/** About another target, while this one does not work or has not for long: neither beginning nor end is news then. */
const isPerhapsItsOwn = ({ troubledAt = Number.NEGATIVE_INFINITY, now }: Situation, item: Item): boolean =>
  isAboutTarget(item) && now - troubledAt < WORKING_MS;

function isFor(situation: Situation, alert: Alert): boolean {
  const { target, escalated } = situation;
  const { key, topics, clinic, subject } = alert;
  if (isAboutTarget(alert) && subject === deliveriesTo(target.name)) return false;
  if (isPerhapsItsOwn(situation, alert)) return false;
  if (clinic !== null && target.clinics !== undefined && !target.clinics.includes(clinic)) return false;
  return (
    escalated.has(key) || situation.unreached?.has(key) || topics.some((topic) => target.on.includes(topic))
  );
}

/** Due reminders together with those due soon, to send one message instead of several. */
function dueOf(
  { target: { remindMs }, now, waitedUntil }: Situation,
  open: readonly [string, Notice][],
): [string, Notice][] {
  if (remindMs === undefined) return [];
  const notifiedFor = ([, { at, delivery }]: [string, Notice]) =>
    now - Math.max(toMs(at), waitedUntil?.get(delivery) ?? 0);
  // Nobody can end a silence quickly: with holidays it would be eighty messages.
  const isPatient = ([, { topics }]: [string, Notice]) => topics.includes('silence');
  const remindAfter = (one: [string, Notice]) => (isPatient(one) ? Math.max(remindMs, DAY) : remindMs);
  return open.some((one) => notifiedFor(one) >= remindAfter(one))
    ? open.filter((one) => notifiedFor(one) >= (isPatient(one) ? DAY : remindMs / 2))
    : [];
}

function openingType({ on }: NotifyTarget, topics: readonly Topic[]): MessageType {
  if (topics.includes('silence')) return 'silence';
  return topics.includes('trouble') && on.includes('trouble') ? 'health.trouble' : 'needs_you.opened';
}

/** Mail cannot be changed, and a second one would be more noise than news. */
function closingType({ on, use }: NotifyTarget, topics: readonly Topic[]): MessageType | undefined {
  if (topics.includes('trouble') && on.includes('recovered')) return 'health.recovered';
  if (topics.includes('trouble') && on.includes('trouble')) return undefined;
  return topics.includes('needs_you') && use !== 'email' ? 'needs_you.settled' : undefined;
}

function isIn({ quiet }: NotifyTarget, now: number, zone: string): boolean {
  if (quiet === undefined) return false;
  const { time } = wallClockAt(now, zone);
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  const { from, to } = quiet;
  return from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
}

/** Keys of the alerts that a target escalates by now, and to whom. Pure. */
export function escalations(
  { escalate }: NotifyTarget,
  notices: ReadonlyMap<string, Notice>,
  now: number,
): { to: string; keys: string[] } | undefined {
  if (escalate === undefined) return undefined;
  const late = [...notices].filter(
    ([, one]) => !isEnd(one.type) && !isOver(one) && now - toMs(one.first) >= escalate.afterMs,
  );
  return { to: escalate.to, keys: late.map(([key]) => key) };
}

/** An urgent thing is told to another target if this one has not taken it for so long. */
const UNREACHED_MS = MINUTE;

/** Keys of the urgent alerts of which a target should have been told, and was not. Pure. */
export const unreached = (
  notices: ReadonlyMap<string, Notice>,
  waiting: ReadonlySet<string>,
  now: number,
): string[] =>
  [...notices]
    .filter(
      ([, one]) =>
        one.item.urgent &&
        isOpening(one.type) &&
        !isOver(one) &&
        (one.owed || waiting.has(one.delivery)) &&
        now - toMs(one.first) >= UNREACHED_MS,
    )
    .map(([key]) => key);

/** The message of these notifications, which share a delivery. Pure. */
export function noticeMessageOf(all: readonly Notice[], publicUrl: string | null): Message | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const kinds: Record<string, number> = {};
  for (const { item } of all) kinds[item.kind] = (kinds[item.kind] ?? 0) + 1;
  const items = all.map(({ item }) => item).toSorted((a, b) => Number(b.urgent) - Number(a.urgent));
  return {
    type: first.type,
    at: first.at,
    items: items.slice(0, NAMED),
    count: all.length,
    kinds,
    url: publicUrl,
    ...(all.some(({ perhaps }) => perhaps) && { perhaps: true }),
    ...(all.length === 1 &&
      first.type === 'needs_you.settled' &&
      first.alone?.length && {
        closes: { deliveries: first.alone, toldTogether: first.toldTogether === true },
      }),
  };
}
