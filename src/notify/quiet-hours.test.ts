import { fc, it } from '@fast-check/vitest';
import { expect } from 'vitest';
import { sampleTarget } from '../../test/support/notify/sample-target.ts';
import type { NotifyTarget } from '../config/notify.ts';
import { instant } from '../platform/clock.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';
import type { Alert } from './alerts.ts';
import type { MessageType } from './message.ts';
import { escalations, noticeMessageOf, plan } from './plan.ts';
import type { Notice } from './situation.ts';

/**
 * Quiet hours, outages of a target, reminders, escalation and restarts in all their combinations, over a day and a half,
 * against what the documentation promises, said once more in `expected`.
 */

const numRuns = 150 * Number(process.env.VERIFY_RUNS ?? 1);

/** Hours since the midnight before: from five in the afternoon on, every quarter of an hour. */
const looks = Array.from({ length: 30 * 4 }, (_, n) => 17 + n / 4);
const LOOK_MS = 15 * MINUTE;
const msOf = ({ from }: Case, hours: number) => from + hours * HOUR;

interface Case {
  zone: string;
  /** Local midnight before it. */
  from: number;
  deskQuiet: NotifyTarget['quiet'];
  phoneQuiet: NotifyTarget['quiet'];
  escalateMs: number;
  remindMs: number | undefined;
  /** Hours since `from`; the desk takes no messages between these. */
  deskDown: readonly [number, number];
  restartAt: number;
  alerts: readonly Lasting[];
}
interface Lasting {
  name: string;
  urgent: boolean;
  opened: number;
  closed: number;
}
interface Arrived {
  target: string;
  type: MessageType;
  name: string;
  at: number;
}

const at = (hour: number, minute = 0) => hour * 60 + minute;
const days: Record<string, [zone: string, from: string]> = {
  'on any day': ['Asia/Dhaka', '2026-03-01T18:00:00Z'],
  'when the clocks go forward in London': ['Europe/London', '2026-03-28T00:00:00Z'],
  'when the clocks go back in London': ['Europe/London', '2026-10-23T23:00:00Z'],
  'when the clocks go back in New York': ['America/New_York', '2026-10-31T04:00:00Z'],
};

/** Hour and minute on the clinic's wall, as `Intl` knows them. */
const walls = new Map<string, Map<number, number>>();
function minuteOfDay(ms: number, zone: string): number {
  const known = walls.get(zone) ?? new Map<number, number>();
  walls.set(zone, known);
  const found = known.get(ms);
  if (found !== undefined) return found;
  const options = { timeZone: zone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const;
  const [hour = 0, minute = 0] = new Intl.DateTimeFormat('en-GB', options).format(ms).split(':').map(Number);
  known.set(ms, hour * 60 + minute);
  return hour * 60 + minute;
}
function isQuietFor(quiet: NotifyTarget['quiet'], ms: number, zone: string): boolean {
  if (quiet === undefined) return false;
  const now = minuteOfDay(ms, zone);
  return quiet.from < quiet.to ? quiet.from <= now && now < quiet.to : now >= quiet.from || now < quiet.to;
}

const isOpenAt = ({ opened, closed }: Lasting, hours: number) => opened <= hours && hours < closed;
const isDown = ({ deskDown: [from, to] }: Case, hours: number) => from <= hours && hours < to;

function live(one: Case): Arrived[] {
  const { deskQuiet, phoneQuiet, remindMs, escalateMs } = one;
  const escalate = { to: 'phone', afterMs: escalateMs };
  const desk = sampleTarget({ name: 'desk', use: 'slack', remindMs, quiet: deskQuiet, escalate });
  const phone = sampleTarget({ name: 'phone', use: 'slack', on: ['guard'], quiet: phoneQuiet });
  const [atDesk, atPhone] = [new Desk(one, desk), new Desk(one, phone)];
  for (const hours of looks) {
    // Once more after what waited has left.
    for (let pass = 0; pass < 2; pass += 1) {
      atDesk.look(hours, []);
      atPhone.look(hours, escalations(desk, atDesk.notices, msOf(one, hours))?.keys ?? []);
      if (!isDown(one, hours)) atDesk.take(hours);
      atPhone.take(hours);
    }
    if (hours === one.restartAt) for (const target of [atDesk, atPhone]) target.restart();
  }
  return [...atDesk.arrived, ...atPhone.arrived];
}

/** One target, its notices, and what waits for it. */
class Desk {
  readonly arrived: Arrived[] = [];
  notices = new Map<string, Notice>();
  private ids = 0;
  private readonly waiting = new Map<string, Omit<Arrived, 'at'>[]>();
  private readonly waitedUntil = new Map<string, number>();
  private readonly one: Case;
  private readonly target: NotifyTarget;
  constructor(one: Case, target: NotifyTarget) {
    this.one = one;
    this.target = target;
  }

  look(hours: number, escalated: readonly string[]): void {
    const { target, notices, waiting, waitedUntil, one } = this;
    const now = msOf(one, hours);
    for (const id of waiting.keys()) waitedUntil.set(id, now);
    const made: string[] = [];
    const step = plan({
      ...{ target, notices, now, waitedUntil, zoneOf: () => one.zone, escalated: new Set(escalated) },
      alerts: new Map(one.alerts.filter((alert) => isOpenAt(alert, hours)).map(alertOf)),
      waiting: new Set(waiting.keys()),
      newId: () => {
        this.ids += 1;
        made.push(`m${this.ids}`);
        return `m${this.ids}`;
      },
    });
    for (const id of step.takenBack) waiting.delete(id);
    for (const [key, note] of step.notices) note === undefined ? notices.delete(key) : notices.set(key, note);
    for (const id of made) {
      const message = noticeMessageOf(
        [...notices.values()].filter(({ delivery }) => delivery === id),
        null,
      );
      if (message === undefined) continue;
      const { type, items } = message;
      waiting.set(
        id,
        items.map(({ subject }) => ({ target: target.name, type, name: subject })),
      );
    }
  }

  take(hours: number): void {
    for (const message of [...this.waiting.values()].flat()) this.arrived.push({ ...message, at: hours });
    this.waiting.clear();
  }

  restart(): void {
    this.notices = new Map(JSON.parse(JSON.stringify([...this.notices])));
  }
}

function alertOf({ name, urgent }: Lasting): [string, Alert] {
  const said = { sentence: 'It waits.', action: 'Decide.', since: instant(0), url: null };
  return [
    name,
    { key: name, topics: ['needs_you'], kind: 'booking', clinic: 'main', subject: name, urgent, ...said },
  ];
}

/** What arrives of one alert, reminders aside. */
function expected(one: Case, alert: Lasting): Arrived[] {
  const { name, urgent } = alert;
  const open = looks.filter((hours) => isOpenAt(alert, hours));
  const isHeard = (quiet: Case['deskQuiet']) => (hours: number) =>
    urgent || !isQuietFor(quiet, msOf(one, hours), one.zone);
  const [forDesk, forPhone] = [isHeard(one.deskQuiet), isHeard(one.phoneQuiet)];
  const reachesDesk = (hours: number) => forDesk(hours) && !isDown(one, hours);
  const due = open.find(forDesk) ?? Number.POSITIVE_INFINITY;
  const ends = (target: string, told: number | undefined, hears: (hours: number) => boolean) => {
    const at = told === undefined ? undefined : looks.find((hours) => hours >= alert.closed && hears(hours));
    return at === undefined ? [] : [{ target, type: 'needs_you.settled' as const, name, at }];
  };
  const opens = (target: string, at: number | undefined) =>
    at === undefined ? [] : [{ target, type: 'needs_you.opened' as const, name, at }];
  const desk = open.find((hours) => hours >= due && reachesDesk(hours));
  const phone = open.find((hours) => hours >= due + one.escalateMs / HOUR && forPhone(hours));
  return [
    ...opens('desk', desk),
    ...ends('desk', desk, reachesDesk),
    ...opens('phone', phone),
    ...ends('phone', phone, forPhone),
  ];
}

const inOrder = (all: readonly Arrived[]) =>
  all
    .map(({ target, type, name, at: hours }) => `${hours} ${target} ${type} ${name}`)
    .toSorted((a, b) => Number.parseFloat(a) - Number.parseFloat(b) || (a < b ? -1 : 1));

/** A reminder comes when it is due or at the first moment it may; never early, in quiet hours, or of what is over. */
function expectReminders(one: Case, arrived: readonly Arrived[], alert: Lasting): void {
  const { remindMs } = one;
  const told = arrived.filter(({ target, name, type }) => {
    return target === 'desk' && name === alert.name && type !== 'needs_you.settled';
  });
  const hears = (each: Lasting) => (hours: number) =>
    !isDown(one, hours) &&
    (each.urgent || !isQuietFor(one.deskQuiet, msOf(one, hours), one.zone)) &&
    isOpenAt(each, hours);
  for (const [n, { at: hours }] of told.entries()) {
    // A message about both is sent when it may be about one of them.
    expect(one.alerts.some((each) => hears(each)(hours))).toBe(true);
    const before = told[n - 1]?.at ?? Number.NEGATIVE_INFINITY;
    expect((hours - before) * HOUR).toBeGreaterThanOrEqual((remindMs ?? Number.POSITIVE_INFINITY) / 2);
  }
  if (remindMs === undefined) return;
  for (const hours of looks.filter(hears(alert))) {
    const last = told.findLast(({ at: before }) => before <= hours)?.at;
    if (last !== undefined) expect((hours - last) * HOUR).toBeLessThan(remindMs + LOOK_MS);
  }
}

const quietHours = [undefined, { from: at(20), to: at(7) }, { from: at(1, 15), to: at(2, 15) }];
const alert = (name: string, hours: readonly number[]) =>
  fc.record({
    name: fc.constant(name),
    urgent: fc.constantFrom(false, false, false, true),
    opened: fc.constantFrom(...hours),
    closed: fc.constantFrom(20.25, 21, 25.5, 31.75, 34, 99),
  });
const cases = fc.record({
  day: fc.constantFrom(...Object.keys(days)),
  deskQuiet: fc.constantFrom(...quietHours),
  phoneQuiet: fc.constantFrom(undefined, { from: at(22), to: at(6) }, { from: at(19, 45), to: at(20, 30) }),
  escalateMs: fc.constantFrom(30 * MINUTE, 3 * HOUR),
  remindMs: fc.constantFrom(undefined, HOUR, 4 * HOUR),
  deskDown: fc.constantFrom<Case['deskDown']>(
    [0, 0],
    [19.5, 21],
    [17, 19.75],
    [19.75, 32],
    [0, 99],
    [24.5, 26],
  ),
  restartAt: fc.constantFrom(0, 19.75, 20, 20.25, 25, 31),
  alerts: fc.tuple(alert('first', [17.25, 19.5, 19.75, 20]), alert('second', [19.75, 20.5, 25, 25.25, 31.5])),
});

it.prop([cases], { numRuns })(
  'hears of each alert, of its end and by escalation at the first moment it may, once, and of reminders when they are due',
  ({ day, ...rest }) => {
    const [zone, from] = days[day] ?? ['UTC', ''];
    const one: Case = { ...rest, zone, from: Date.parse(from) };

    const arrived = live(one);

    expect(inOrder(arrived.filter(({ type }) => type !== 'needs_you.reminder'))).toEqual(
      inOrder(one.alerts.flatMap((each) => expected(one, each))),
    );
    for (const each of one.alerts) expectReminders(one, arrived, each);
  },
);
