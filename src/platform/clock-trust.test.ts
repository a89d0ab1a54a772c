import { expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { instant, toMs } from './clock.ts';
import { createClockTrust } from './clock-trust.ts';
import { DAY, HOUR, MINUTE, SECOND } from './duration.ts';
import { silentLog } from './log.ts';

const START = '2026-03-02T09:00:00Z';
const trustOf = (options: { seenAt?: string | null; doubtedUntil?: string } = {}) => {
  const clock = fakeClock(START);
  const remembered: (string | undefined)[] = [];
  const remember = (until: string | undefined) => void remembered.push(until);
  return { clock, remembered, trust: createClockTrust({ clock, log: silentLog, remember, ...options }) };
};

it.each([
  ['forward', 400 * DAY],
  ['back', -21 * SECOND],
])('is distrusted for a day after a leap %s', async (_where, leap) => {
  const { clock, trust } = trustOf();

  clock.jump(leap);

  expect(trust.isTrusted()).toBe(false);
  await clock.advance(DAY - 1);
  expect(trust.isTrusted()).toBe(false);
  await clock.advance(1);
  expect(trust.isTrusted()).toBe(true);
});

it('counts leaps ahead, and says what it showed before the last one', async () => {
  const { clock, trust } = trustOf();
  await clock.advance(MINUTE);
  const before = trust.leapsAhead().count;

  clock.jump(-HOUR);
  const back = trust.leapsAhead().count;
  clock.jump(2 * HOUR);

  expect([before, back]).toEqual([0, 0]);
  expect(trust.leapsAhead()).toEqual({ count: 1, before: instant(toMs(START) + MINUTE - HOUR) });
});

it('stays trusted while the machine sleeps, a time server corrects it, or it runs for weeks', async () => {
  const { clock, trust } = trustOf();

  clock.suspend(9 * HOUR);
  clock.jump(15 * SECOND);
  await clock.advance(60 * DAY);

  expect([trust.leapsAhead().count, trust.isTrusted()]).toEqual([0, true]);
});

it('is trusted again at once when a server’s clock agrees, and not when it differs', () => {
  const { clock, trust } = trustOf();
  clock.jump(30 * DAY);

  trust.compare(toMs(START));
  const ahead = trust.isTrusted();
  clock.jump(-30 * DAY);
  trust.compare(toMs(START) + MINUTE);

  expect([ahead, trust.isTrusted()]).toEqual([false, true]);
});

it.each([
  ['a second ago', { seenAt: instant(toMs(START) - SECOND) }, true],
  ['never', { seenAt: null }, true],
  ['months ago', { seenAt: instant(toMs(START) - 90 * DAY) }, false],
  ['in the future', { seenAt: instant(toMs(START) + HOUR) }, false],
  ['a second ago, in doubt', { seenAt: START, doubtedUntil: instant(toMs(START) + HOUR) }, false],
  [
    'a second ago, in doubt by a clock that was ahead',
    { seenAt: START, doubtedUntil: '2126-01-01T00:00:00Z' },
    false,
  ],
  ['after its doubt was over', { seenAt: START, doubtedUntil: instant(toMs(START) - 1) }, true],
])('is judged at a start by when the process before was seen: %s', (_when, options, isTrusted) => {
  expect(trustOf(options).trust.isTrusted()).toBe(isTrusted);
});

it('ends a remembered doubt within a day, also when the clock is set back in between', async () => {
  const { clock, trust, remembered } = trustOf({ seenAt: START, doubtedUntil: '2126-01-01T00:00:00Z' });
  clock.jump(-15 * SECOND);

  await clock.advance(DAY);

  expect(trust.isTrusted()).toBe(true);
  expect(remembered.at(-1)).toBeUndefined();
});

it('tells a fault once it has lasted for a minute, and not when a server soon agrees', async () => {
  const { clock, trust } = trustOf();
  trust.compare(toMs(START) + 10 * MINUTE);
  const atOnce = trust.fault();
  await clock.advance(MINUTE);
  trust.compare(toMs(START) + 11 * MINUTE);
  const after = trust.fault();
  trust.compare(toMs(START) + MINUTE);

  expect(atOnce).toBeUndefined();
  expect(after).toEqual({ since: instant(toMs(START)), offMs: -10 * MINUTE });
  expect(trust.fault()).toBeUndefined();
  expect(trust.isTrusted()).toBe(true);
});

it.each([
  ['before the newest data', instant(toMs(START) + 9 * DAY), { since: instant(toMs(START)), offMs: null }],
  ['long after it', instant(toMs(START) - 9 * DAY), undefined],
])('tells of a start %s: %o', async (_when, seenAt, wanted) => {
  const { clock, trust } = trustOf({ seenAt });

  await clock.advance(2 * MINUTE);

  expect(trust.fault()).toEqual(wanted);
});

it('tells of a start years before the newest data at once, and is behind until the clock has caught up', async () => {
  const { clock, trust } = trustOf({ seenAt: instant(toMs(START) + 90 * DAY) });
  await clock.advance(SECOND);

  const before = [trust.fault()?.offMs, trust.isBehind()];
  clock.jump(90 * DAY);

  expect(before).toEqual([null, true]);
  expect(trust.isBehind()).toBe(false);
});

it('is behind after it was set back, until a server’s clock agrees', async () => {
  const { clock, trust } = trustOf();
  clock.jump(30 * DAY);
  const ahead = trust.isBehind();
  clock.jump(-30 * DAY);
  const back = trust.isBehind();

  trust.compare(toMs(START));

  expect([ahead, back, trust.isBehind()]).toEqual([false, true, false]);
});
