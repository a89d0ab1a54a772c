import { describe, expect, it } from 'vitest';
import { noMailServer } from '../config/mail.ts';
import type { NotifyTarget } from '../config/notify.ts';
import { instant } from '../platform/clock.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';
import { type Alert, alertsOf } from './alerts.ts';
import { escalations, noticeMessageOf, plan } from './plan.ts';
import type { Notice, Situation } from './situation.ts';

const NOON = Date.parse('2026-03-02T12:00:00Z');
const NIGHT = Date.parse('2026-03-02T23:00:00Z');

const desk: NotifyTarget = {
  name: 'desk',
  use: 'slack',
  on: ['needs_you'],
  remindMs: 4 * HOUR,
  quiet: { from: 20 * 60, to: 7 * 60 },
  escalate: { to: 'phone', afterMs: 30 * MINUTE },
  linksMs: undefined,
  clinics: undefined,
  includePatient: false,
  language: 'en',
  allowNetworks: [],
  settings: { url: '', mail: noMailServer, from: '', to: [], token: '', chat: '', thread: '', secret: '' },
};

const alert = (n: number, over: Partial<Alert> = {}): Alert => ({
  key: `booking CS-${n}`,
  topics: ['needs_you'],
  kind: 'booking',
  clinic: 'main',
  subject: `CS-${n}`,
  sentence: 'It waits.',
  action: 'Decide.',
  since: instant(NOON),
  urgent: false,
  url: null,
  ...over,
});
const alerts = (count: number, over?: Partial<Alert>) =>
  new Map(Array.from({ length: count }, (_, n) => alert(n, over)).map((one) => [one.key, one]));

let lastId = 0;

/** Plans, and keeps what is to be stored. */
function step(memory: Map<string, Notice>, over: Partial<Situation>) {
  const ids = new Set<string>();
  const now = over.now ?? NOON;
  const made = plan({
    target: desk,
    alerts: new Map(),
    notices: memory,
    escalated: new Set(),
    waiting: new Set(),
    now,
    zoneOf: () => 'UTC',
    newId() {
      lastId += 1;
      ids.add(`ntf_${lastId}`);
      return `ntf_${lastId}`;
    },
    ...over,
  });
  for (const [key, one] of made.notices) one === undefined ? memory.delete(key) : memory.set(key, one);
  const told = [...made.notices.values()].filter((one) => one !== undefined);
  const sent = told.filter(({ delivery }) => ids.has(delivery));
  const messages = [...Map.groupBy(sent, ({ delivery }) => delivery).values()].map((all) =>
    noticeMessageOf(all, null),
  );
  return { ...made, messages: messages.map((message) => [message?.type, message?.count]) };
}

describe('the messages of a target', () => {
  it('hears of each alert once, and once that it is settled', () => {
    const memory = new Map<string, Notice>();

    const first = step(memory, { alerts: alerts(2) });
    const again = step(memory, { alerts: alerts(2) });
    const settled = step(memory, { alerts: alerts(1) });
    step(memory, { alerts: alerts(1) });
    const reopened = step(memory, { alerts: alerts(2) });

    expect(first.messages).toEqual([
      ['needs_you.opened', 1],
      ['needs_you.opened', 1],
    ]);
    expect(again.messages).toEqual([]);
    expect(settled.messages).toEqual([['needs_you.settled', 1]]);
    expect(reopened.messages).toEqual([['needs_you.opened', 1]]);
  });

  it('gets one message for ten thousand alerts at once, with the urgent ones named', () => {
    const many = alerts(10_000);
    many.set('booking CS-9', alert(9, { urgent: true }));
    const memory = new Map<string, Notice>();

    const { messages, notices } = step(memory, { alerts: many });

    expect(messages).toEqual([['needs_you.opened', 10_000]]);
    const named = noticeMessageOf(
      [...notices.values()].filter((one) => one !== undefined),
      null,
    )?.items;
    expect(named).toHaveLength(10);
    expect(named?.[0]).toMatchObject({ subject: 'CS-9', urgent: true });
  });

  it('gets in two messages what was told one by one before its outage was known', () => {
    const memory = new Map<string, Notice>();
    const four = alerts(4, { urgent: true });
    step(memory, { alerts: four });
    const waiting = new Set([...memory.values()].map(({ delivery }) => delivery));
    const [leaving = ''] = waiting;

    const failed = step(memory, { alerts: four, waiting, underWay: new Set([leaving]), troubledAt: NOON });
    const after = step(memory, { alerts: four, now: NOON + MINUTE });

    expect(failed.takenBack).toEqual([...waiting].slice(1));
    expect(after.messages).toEqual([['needs_you.opened', 3]]);
  });

  it('gets one message of what left two by two while its outage was not known', () => {
    const memory = new Map<string, Notice>();
    const news = [alerts(2), alerts(4)] as const;
    step(memory, { alerts: news[0] });
    const waiting = new Set([...memory.values()].map(({ delivery }) => delivery));

    const failed = step(memory, { alerts: news[1], waiting, now: NOON + MINUTE, troubledAt: NOON + MINUTE });
    const after = step(memory, { alerts: news[1], now: NOON + 2 * MINUTE });

    expect(failed.takenBack).toEqual([...waiting]);
    expect(after.messages).toEqual([['needs_you.opened', 4]]);
  });

  it('gets few messages for a flood that comes piece by piece, and of trouble at once', {
    tags: ['thorough'],
  }, () => {
    const memory = new Map<string, Notice>();
    const tenSeconds = (n: number) => NOON + n * 10_000;

    const flood = Array.from({ length: 90 }, (_, n) =>
      step(memory, { alerts: alerts((n + 1) * 20), now: tenSeconds(n) }),
    ).flatMap(({ messages }) => messages);
    const outage = alert(1, { key: 'clinic main', topics: ['needs_you', 'trouble'] });
    const trouble = step(memory, {
      alerts: new Map([...alerts(1_800), [outage.key, outage]]),
      now: tenSeconds(90) - 1,
    });

    expect(flood.map(([, count]) => count)).toEqual([20, 600, 600]);
    expect(trouble.messages).toEqual([['needs_you.opened', 1]]);
  });

  it('is reminded of all that still waits, in one message', () => {
    const memory = new Map<string, Notice>();
    step(memory, { alerts: alerts(3) });

    const early = step(memory, { alerts: alerts(3), now: NOON + 4 * HOUR - 1 });
    const due = step(memory, { alerts: alerts(3), now: NOON + 4 * HOUR });
    const after = step(memory, { alerts: alerts(3), now: NOON + 4 * HOUR + 1 });

    expect(early.messages).toEqual([]);
    expect(due.messages).toEqual([['needs_you.reminder', 3]]);
    expect(after.messages).toEqual([]);
  });

  it('is reminded of what arrived late only when it has waited since', () => {
    const memory = new Map<string, Notice>();
    step(memory, { alerts: alerts(1) });
    const [{ delivery } = { delivery: '' }] = memory.values();
    const waitedUntil = new Map([[delivery, NOON + 3 * HOUR]]);

    const soon = step(memory, { alerts: alerts(1), now: NOON + 4 * HOUR, waitedUntil });
    const later = step(memory, { alerts: alerts(1), now: NOON + 7 * HOUR, waitedUntil });

    expect(soon.messages).toEqual([]);
    expect(later.messages).toEqual([['needs_you.reminder', 1]]);
  });

  it('hears in quiet hours of what is urgent only, and of the rest after them', () => {
    const memory = new Map<string, Notice>();
    const both = new Map([...alerts(2), ['disk', alert(7, { key: 'disk', urgent: true })] as const]);

    const night = step(memory, { alerts: both, now: NIGHT });
    const morning = step(memory, { alerts: both, now: Date.parse('2026-03-03T07:00:00Z') });

    expect(night.messages).toEqual([['needs_you.opened', 1]]);
    expect([...night.notices.keys()]).toEqual(['disk']);
    expect(morning.messages.filter(([type]) => type === 'needs_you.opened')).toHaveLength(2);
  });

  it('gets nothing more while a message waits to be sent, and then all of it together', () => {
    const memory = new Map<string, Notice>();
    step(memory, { alerts: alerts(1) });
    const waiting = new Set([...memory.values()].map(({ delivery }) => delivery));

    const meanwhile = step(memory, { alerts: alerts(8), waiting });
    const back = step(memory, { alerts: alerts(8) });

    expect(meanwhile.messages).toEqual([]);
    expect(back.messages).toEqual([['needs_you.opened', 7]]);
  });

  it('never hears of what was settled before it could be sent', () => {
    const memory = new Map<string, Notice>();
    step(memory, { alerts: alerts(1) });
    const [{ delivery } = { delivery: '' }] = memory.values();

    const settled = step(memory, { waiting: new Set([delivery]) });

    expect(settled).toMatchObject({ takenBack: [delivery], messages: [] });
    expect(memory.size).toBe(0);
  });

  it('hears that an alert is over when the message about it was just leaving', () => {
    const memory = new Map<string, Notice>();
    step(memory, { alerts: alerts(1) });
    const [{ delivery } = { delivery: '' }] = memory.values();

    const leaving = step(memory, { waiting: new Set([delivery]), underWay: new Set([delivery]) });
    const after = step(memory, {});

    expect(leaving).toMatchObject({ takenBack: [], messages: [] });
    expect(after.messages).toEqual([['needs_you.settled', 1]]);
  });

  it('never hears of what was over while the message about it was being sent, when that attempt failed', () => {
    const memory = new Map<string, Notice>();
    step(memory, { alerts: alerts(1) });
    const [{ delivery } = { delivery: '' }] = memory.values();
    const waiting = new Set([delivery]);

    step(memory, { waiting, underWay: new Set([delivery]) });
    const failed = step(memory, { waiting });
    const after = step(memory, {});

    expect(failed.takenBack).toEqual([delivery]);
    expect(after.messages).toEqual([]);
  });

  it('hears once of what was over and came back while the message about it was being sent, when that failed', () => {
    const memory = new Map<string, Notice>();
    step(memory, { alerts: alerts(1) });
    const [{ delivery } = { delivery: '' }] = memory.values();
    const waiting = new Set([delivery]);

    step(memory, { waiting, underWay: new Set([delivery]) });
    const failed = step(memory, { alerts: alerts(1), waiting });
    const after = step(memory, { alerts: alerts(1) });
    const settled = step(memory, {});

    expect(failed.takenBack).toEqual([delivery]);
    expect(after.messages).toEqual([['needs_you.opened', 1]]);
    expect(settled.messages).toEqual([['needs_you.settled', 1]]);
  });

  it('hears of the end of what came back and was over again while the message about that was being sent and failed', () => {
    const memory = new Map<string, Notice>();
    const now = NIGHT + 9 * HOUR;
    step(memory, { alerts: alerts(1) });
    step(memory, { now: NIGHT });
    step(memory, { alerts: alerts(1), now });
    const [{ delivery } = { delivery: '' }] = memory.values();
    const waiting = new Set([delivery]);

    step(memory, { waiting, underWay: new Set([delivery]), now });
    const failed = step(memory, { waiting, now });
    const after = step(memory, { now });

    expect(failed.takenBack).toEqual([delivery]);
    expect(after.messages).toEqual([['needs_you.settled', 1]]);
  });

  it('hears of the end of what was over while a message about it and others waited, unless all of it was', () => {
    const [memory, all] = [new Map<string, Notice>(), new Map<string, Notice>()];
    for (const one of [memory, all]) step(one, { alerts: alerts(6) });
    const waitingOf = (one: typeof memory) =>
      new Set([...one.values()].map(({ delivery }) => delivery).filter(Boolean));

    const five = step(memory, { alerts: alerts(5), waiting: waitingOf(memory) });
    const after = step(memory, { alerts: alerts(5) });
    step(all, { alerts: alerts(5), waiting: waitingOf(all) });
    const over = step(all, { waiting: waitingOf(all) });

    expect(five.takenBack).toEqual([]);
    expect(after.messages).toEqual([['needs_you.settled', 1]]);
    expect(over.takenBack).toHaveLength(1);
    expect(all.size).toBe(0);
  });

  it('hears in the morning of what it could not take in the evening', () => {
    const memory = new Map<string, Notice>();
    const evening = step(memory, { alerts: alerts(2) });
    const waiting = new Set([...evening.notices.values()].flatMap((one) => one?.delivery ?? []));
    const [urgent] = [...alerts(1, { urgent: true })];
    const later = new Map([...alerts(2), ...(urgent === undefined ? [] : [urgent])]);

    const night = step(memory, { alerts: later, waiting, now: NIGHT });
    const morning = step(memory, { alerts: later, now: NIGHT + 9 * HOUR });

    expect(night.takenBack).toEqual([[...evening.notices.values()][1]?.delivery]);
    expect(morning.messages.filter(([type]) => type === 'needs_you.opened')).toEqual([
      ['needs_you.opened', 1],
    ]);
  });

  it('hears in the morning of what was over in the night and came back, and others only later', () => {
    const memory = new Map<string, Notice>();
    const keys = () => escalations(desk, memory, now)?.keys;
    const telegram = { ...desk, use: 'telegram' as const };
    step(memory, { alerts: alerts(1), target: telegram });
    let now = NIGHT;
    const over = step(memory, { now, target: telegram });
    now += HOUR;
    const back = step(memory, { alerts: alerts(1), now, target: telegram });
    const escalatedAtNight = keys();
    now = NIGHT + 9 * HOUR;
    const morning = step(memory, { alerts: alerts(1), now, target: telegram });
    const escalatedAtOnce = keys();
    now += 30 * MINUTE;

    expect([...over.messages, ...back.messages]).toEqual([]);
    expect(escalatedAtNight).toEqual([]);
    expect(morning.messages).toEqual([['needs_you.opened', 1]]);
    expect(escalatedAtOnce).toEqual([]);
    expect(keys()).toEqual(['booking CS-0']);
    const closed = step(memory, { now, target: telegram });
    expect(closed.messages).toEqual([['needs_you.settled', 1]]);
    expect(noticeMessageOf([...memory.values()], null)?.closes?.deliveries).toHaveLength(2);
  });

  it('hears of the end of what was reported, even if it came back and ended while the target took no messages', () => {
    const memory = new Map<string, Notice>();
    const waiting = new Set(['another']);
    step(memory, { alerts: alerts(1) });

    step(memory, { waiting });
    step(memory, { alerts: alerts(1), waiting, now: NOON + HOUR });
    const escalated = escalations(desk, memory, NOON + HOUR)?.keys;
    const escalatedLater = escalations(desk, memory, NOON + 1.5 * HOUR)?.keys;
    step(memory, { waiting, now: NOON + 2 * HOUR });
    const after = step(memory, { now: NOON + 2 * HOUR });

    expect(escalated).toEqual([]);
    expect(escalatedLater).toEqual(['booking CS-0']);
    expect(after.messages).toEqual([['needs_you.settled', 1]]);
  });

  it('hears of what is back that it is settled first, when that had not left yet', () => {
    const memory = new Map<string, Notice>();
    step(memory, { alerts: alerts(1) });
    const [end] = [...step(memory, { now: NOON + HOUR }).notices.values()];

    const waiting = new Set([end?.delivery ?? '']);
    const back = step(memory, { alerts: alerts(1), waiting, now: NOON + 2 * HOUR });
    const escalated = escalations(desk, memory, NOON + 2 * HOUR + 30 * MINUTE);
    const after = step(memory, { alerts: alerts(1), now: NOON + 3 * HOUR });

    expect(back).toMatchObject({ takenBack: [], messages: [] });
    expect(escalated?.keys).toEqual(['booking CS-0']);
    expect(after.messages).toEqual([['needs_you.opened', 1]]);
  });

  it('hears in the morning that something was settled in the evening, when it took nothing before the night', () => {
    const memory = new Map<string, Notice>();
    step(memory, { alerts: alerts(1) });
    const [end] = [...step(memory, { now: NOON + HOUR }).notices.values()];

    const night = step(memory, { waiting: new Set([end?.delivery ?? '']), now: NIGHT });
    const later = step(memory, { now: NIGHT + HOUR });
    const morning = step(memory, { now: NIGHT + 9 * HOUR });

    expect(night.takenBack).toEqual([end?.delivery]);
    expect(later.messages).toEqual([]);
    expect(morning.messages).toEqual([['needs_you.settled', 1]]);
  });

  it('hears at the end of what was settled while a reminder of it waited', () => {
    const memory = new Map<string, Notice>();
    const [opening] = [...step(memory, { alerts: alerts(1) }).notices.values()];
    const reminded = step(memory, { alerts: alerts(1), now: NOON + 4 * HOUR });
    const [reminder] = [...reminded.notices.values()];

    const meanwhile = step(memory, { waiting: new Set([reminder?.delivery ?? '']), now: NOON + 5 * HOUR });
    const after = step(memory, { now: NOON + 6 * HOUR });

    expect(meanwhile).toMatchObject({ takenBack: [reminder?.delivery] });
    expect(after.messages).toEqual([['needs_you.settled', 1]]);
    expect([...after.notices.values()][0]?.alone).toEqual([opening?.delivery]);
  });

  it.each([
    ['telegram', [1, 1, 1, 1, 1, 1]],
    ['slack', [6]],
  ] as const)('hears in %s of six that are settled at once in messages about %j', (use, counts) => {
    const target = { ...desk, use };
    const memory = new Map<string, Notice>();
    step(memory, { target, alerts: alerts(3) });
    step(memory, { target, alerts: alerts(6), now: NOON + HOUR });

    const settled = step(memory, { target, now: NOON + 2 * HOUR });

    expect(settled.messages).toEqual(counts.map((count) => ['needs_you.settled', count]));
  });

  it('is not notified about itself', () => {
    const own = alert(1, { key: 'connector notify.desk', kind: 'connector', subject: 'notify.desk' });

    const { messages } = step(new Map(), { alerts: new Map([[own.key, own]]) });

    expect(messages).toEqual([]);
  });

  it('hears neither the beginning nor the end of another target’s trouble until it has worked for ten minutes', () => {
    const other = alert(1, { key: 'connector notify.boss', kind: 'connector', subject: 'notify.boss' });
    const failing = new Map([[other.key, other]]);
    const memory = new Map<string, Notice>();
    const messagesOf = (over: Partial<Situation>) => step(memory, over).messages;

    const begun = messagesOf({ alerts: failing, troubledAt: NOON - 10 * MINUTE });
    const early = messagesOf({ now: NOON + 19 * MINUTE, troubledAt: NOON + 10 * MINUTE });
    const over = messagesOf({ now: NOON + 20 * MINUTE, troubledAt: NOON + 10 * MINUTE });
    const again = messagesOf({ alerts: failing, now: NOON + 29 * MINUTE, troubledAt: NOON + 20 * MINUTE });

    expect([begun, early, over, again]).toEqual([
      [['needs_you.opened', 1]],
      [],
      [['needs_you.settled', 1]],
      [],
    ]);
  });

  it('is not reminded of another target’s trouble while it does not work itself', () => {
    const other = alert(1, { key: 'connector notify.boss', kind: 'connector', subject: 'notify.boss' });
    const failing = new Map([[other.key, other]]);
    const memory = new Map<string, Notice>();
    step(memory, { alerts: failing });

    const { messages } = step(memory, {
      alerts: failing,
      now: NOON + 5 * HOUR,
      troubledAt: NOON + 5 * HOUR - MINUTE,
    });

    expect(messages).toEqual([]);
  });

  it('hears of its own clinics only', () => {
    const target = { ...desk, clinics: ['south'] };

    const { messages } = step(new Map(), { target, alerts: alerts(1) });

    expect(messages).toEqual([]);
  });

  it('escalates when no one acted', () => {
    const memory = new Map<string, Notice>();
    step(memory, { alerts: alerts(1) });
    const phone: NotifyTarget = { ...desk, name: 'phone', on: ['trouble'], escalate: undefined };

    const early = escalations(desk, memory, NOON + 30 * MINUTE - 1);
    const late = escalations(desk, memory, NOON + 30 * MINUTE);
    const told = step(new Map(), { target: phone, alerts: alerts(1), escalated: new Set(late?.keys) });

    expect(early?.keys).toEqual([]);
    expect(late).toEqual({ to: 'phone', keys: ['booking CS-0'] });
    expect(told.messages).toEqual([['needs_you.opened', 1]]);
  });

  it('hears that trouble is over only if configured, and if the trouble was reported to it', () => {
    const it = { ...desk, on: ['trouble', 'recovered'] as NotifyTarget['on'] };
    const outage = alerts(1, { topics: ['trouble'], kind: 'unreachable' });
    const memory = new Map<string, Notice>();

    const begun = step(memory, { target: it, alerts: outage });
    const over = step(memory, { target: it });
    const silent = new Map<string, Notice>();
    step(silent, { target: { ...it, on: ['trouble'] }, alerts: outage });
    const nothing = step(silent, { target: { ...it, on: ['trouble'] } });

    expect(begun.messages).toEqual([['health.trouble', 1]]);
    expect(over.messages).toEqual([['health.recovered', 1]]);
    expect(nothing.messages).toEqual([]);
  });

  it('hears that an outage is settled if it was reported as needing a person', () => {
    const outage = alerts(1, { topics: ['needs_you', 'trouble'], kind: 'clinic' });
    const memory = new Map<string, Notice>();

    const begun = step(memory, { alerts: outage });
    const over = step(memory, {});

    expect(begun.messages).toEqual([['needs_you.opened', 1]]);
    expect(over.messages).toEqual([['needs_you.settled', 1]]);
  });
});

describe('alerts', () => {
  it('are one for an outage, however many parts of the report it shows in', () => {
    const of = { clinic: 'main', since: null, sentence: 'the clinic does not answer' };

    const found = alertsOf({
      needs: [
        {
          kind: 'clinic',
          clinic: 'main',
          subject: 'connection',
          sentence: 'The clinic does not answer.',
          action: 'Check it.',
          since: instant(NOON),
          urgent: false,
        },
      ],
      reasons: [
        { ...of, health: 'trouble', kind: 'unreachable', subject: 'unreachable' },
        { ...of, health: 'trouble', kind: 'lane', subject: 'lane' },
        { ...of, health: 'stale', kind: 'stale', subject: 'treatments' },
        { ...of, health: 'stale', kind: 'stale', subject: 'dentists' },
      ],
      at: instant(NOON),
      publicUrl: undefined,
    });

    expect([...found.values()]).toMatchObject([
      { key: 'clinic main', topics: ['needs_you', 'trouble'], action: 'Check it.' },
    ]);
  });

  it('link straight to the booking', () => {
    const found = alertsOf({
      needs: [{ ...alert(1), kind: 'booking', clinic: 'main' }],
      reasons: [],
      at: instant(NOON),
      publicUrl: 'https://ops.clinic.example/sync',
    });

    expect(found.get('booking CS-1')?.url).toBe('https://ops.clinic.example/sync/bookings/CS-1');
  });
});
