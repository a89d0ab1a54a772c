import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../test/support/http/receiver.ts';
import { People } from '../../test/support/notify/people.ts';
import { startSmtpServer } from '../../test/support/notify/smtp-server.ts';
import { noMailServer } from '../config/mail.ts';
import type { NotifyTarget } from '../config/notify.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/duration.ts';

let receiver: Receiver;
let people: People;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await people.stop();
  await receiver[Symbol.asyncDispose]();
});

async function start(...targets: Partial<NotifyTarget>[]): Promise<void> {
  people = new People(receiver, targets);
  await people.start();
}

/** The first of these things that happens fails once. */
const once = (fails: (target: string) => boolean) => {
  const failed = new Set<string>();
  return (target: string): 'breaks' | undefined => {
    if (failed.has(target) || !fails(target)) return undefined;
    failed.add(target);
    return 'breaks';
  };
};

it('tells everybody of an urgent lead although each of four targets fails once', async () => {
  await using server = await startSmtpServer();
  const { hostname, port } = new URL(server.url);
  const mail = { ...noMailServer, host: hostname, port: Number(port) };
  const settings = { mail, from: 'sync@clinic.example', to: ['it@clinic.example'] };
  await start(
    { name: 'it', use: 'email', settings: settings as NotifyTarget['settings'] },
    { name: 'desk', use: 'slack' },
    { name: 'boss', use: 'teams' },
    { name: 'phone', use: 'telegram' },
  );
  let refusals = 1;
  server.script = { RCPT: () => (refusals-- > 0 ? '421 4.3.2 closing' : undefined) };
  people.behaviour = once(() => true);
  people.needs = [people.need(1, { urgent: true })];

  await people.passUntil(() => people.heard.length === 3, MINUTE);
  await people.passUntil(() => server.mails.length === 1, MINUTE);
  const began = people.clock.now();
  await people.skip(5 * MINUTE);
  await people.passUntil(() => people.heard.length === 6, 5 * MINUTE);

  expect(people.clock.now() - began).toBeLessThan(10 * MINUTE);
  expect(server.mails).toHaveLength(1);
  for (const target of ['desk', 'boss', 'phone']) {
    const [first, again, ...more] = people.about(target, 'CS-1');
    expect(first).not.toContain('You may have been told this already.');
    expect(again).toContain('You may have been told this already.');
    expect(more).toEqual([]);
  }
});

it('tells again and reminds although the clock was set back by weeks', async () => {
  await start({ name: 'desk', use: 'slack', remindMs: HOUR });
  people.behaviour = once(() => true);
  people.needs = [people.need(1)];
  await people.passUntil(() => people.heard.length === 1, MINUTE);
  people.clock.jump(-30 * DAY);

  await people.passUntil(() => people.heard.length === 2, 10 * MINUTE);
  people.clock.jump(-30 * DAY);
  await people.pass(MINUTE);
  await people.skip(HOUR);
  await people.passUntil(() => people.heard.length === 3, 5 * MINUTE);

  expect(people.about('desk', 'CS-1')).toHaveLength(3);
});

it('tells of the next thing although one message is refused, and of that one again later', async () => {
  await start({ name: 'desk', use: 'webhook' });
  people.behaviour = (_target, { body }) => (body.includes('CS-1') ? [413, ''] : undefined);
  people.needs = [people.need(1)];
  await people.pass(MINUTE);
  people.needs = [...people.needs, people.need(2)];
  await people.pass(MINUTE);

  expect(people.about('desk', 'CS-2')).toHaveLength(1);
  people.behaviour = () => undefined;
  await people.skip(30 * MINUTE);

  expect(people.about('desk', 'CS-1')).toHaveLength(1);
  const { dead } = await people.store.deliveries.counts('notify.desk');
  expect(dead).toBe(0);
});

it('lets what is urgent overtake what waits, and tells all of it in one message', async () => {
  await start({ name: 'desk', use: 'slack' });
  people.behaviour = () => [503, ''];
  people.needs = [people.need(1)];
  await people.pass(MINUTE);
  people.needs = [people.need(1), people.need(2), people.need(3), people.need(4, { urgent: true })];
  await people.skip(30 * MINUTE);
  people.behaviour = () => undefined;

  await people.skip(5 * MINUTE);

  expect(people.heard).toHaveLength(1);
  const [{ text } = { text: '' }] = people.heard;
  expect(text.indexOf('CS-4')).toBeLessThan(text.indexOf('CS-1'));
});

it('tells another target of what is urgent, and that the first cannot be reached', async () => {
  await start(
    { name: 'desk', use: 'slack', escalate: { to: 'it', afterMs: DAY } },
    { name: 'it', use: 'webhook', on: ['trouble'] },
  );
  people.behaviour = (target) => (target === 'desk' ? [404, 'no_service'] : undefined);
  people.needs = [people.need(1), people.need(2, { urgent: true })];

  await people.pass(3 * MINUTE);

  expect(people.about('it', 'CS-1')).toEqual([]);
  expect(people.about('it', 'CS-2')).toEqual([expect.stringContaining('desk cannot be reached.')]);
});

it('tries a lasting refusal three times, then every few hours, and at once after a restart', async () => {
  await start({ name: 'desk', use: 'slack' });
  people.behaviour = () => [404, 'no_service'];
  people.needs = [people.need(1)];
  await people.pass(3 * MINUTE);
  for (let hour = 0; hour < 10; hour += 1) await people.skip(HOUR);
  expect(receiver.received).toHaveLength(5);

  await people.stop();
  people.behaviour = () => undefined;
  await people.start();
  await people.pass(MINUTE);

  expect(receiver.received).toHaveLength(6);
  expect(people.about('desk', 'CS-1')).toHaveLength(1);
});

it('reports at once that a target refuses for good, and takes that back when it works', async () => {
  await start({ name: 'desk', use: 'slack' });
  people.behaviour = () => [410, 'channel_is_archived'];
  people.needs = [people.need(1)];
  await people.pass(10 * SECOND);
  const { asks } = await people.store.deliveries.connector('notify.desk');
  expect(asks).toEqual([
    expect.objectContaining({ weight: 'trouble', sentence: expect.stringContaining('archived') }),
  ]);

  people.behaviour = () => undefined;
  await people.pass(2 * MINUTE);

  expect(await people.store.deliveries.connector('notify.desk')).toMatchObject({ asks: [], failures: 0 });
});

it('makes of an outage of the network no complaints of targets about each other', async () => {
  await start({ name: 'desk', use: 'slack' }, { name: 'boss', use: 'webhook' }, { name: 'it', use: 'teams' });
  const complaint = (name: string) =>
    people.need(0, {
      kind: 'connector',
      subject: `notify.${name}`,
      sentence: `${name} fails.`,
    });
  people.behaviour = () => [503, ''];
  people.needs = [people.need(1)];
  await people.pass(MINUTE);
  people.needs = [people.need(1), ...['desk', 'boss', 'it'].map(complaint)];
  await people.skip(20 * MINUTE);
  await people.skip(20 * MINUTE);
  people.behaviour = () => undefined;
  await people.skip(6 * MINUTE);
  people.needs = [people.need(1)];
  await people.skip(20 * MINUTE);

  expect(people.heard.map(({ target }) => target).toSorted()).toEqual(['boss', 'desk', 'it']);
  expect(people.heard.filter(({ text }) => text.includes('fails.'))).toEqual([]);
});

it('tells of a target that fails alone to one that works', async () => {
  await start({ name: 'desk', use: 'slack' }, { name: 'boss', use: 'webhook' });
  people.needs = [people.need(0, { kind: 'connector', subject: 'notify.desk', sentence: 'desk fails.' })];

  await people.pass(MINUTE);

  expect(people.heard.map(({ target }) => target)).toEqual(['boss']);
});

it('tries a target that fails no more often because another one works again', async () => {
  await start({ name: 'boss', use: 'webhook', on: ['needs_you', 'trouble', 'recovered'] });
  const complaint = people.need(0, { kind: 'connector', subject: 'notify.desk', sentence: 'desk fails.' });
  people.needs = [complaint];
  await people.pass(MINUTE);
  let tries = 0;
  people.behaviour = () => {
    tries += 1;
    return [503, ''];
  };
  people.needs = [];

  await people.pass(MINUTE);
  const atFirst = tries;
  await people.pass(8 * MINUTE);

  expect(atFirst).toBeGreaterThan(0);
  expect(tries).toBe(atFirst);
});
