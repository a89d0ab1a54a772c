import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { type Receiver, startReceiver } from '../../test/support/http/receiver.ts';
import { until } from '../../test/support/until.ts';
import type { HealthReason } from '../domain/report.ts';
import { MINUTE } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import { startHeartbeat } from './heartbeat.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

it('pings while health is ok, and only then', async () => {
  const clock = fakeClock();
  const trouble: HealthReason = {
    health: 'trouble',
    kind: 'unreachable',
    clinic: 'main',
    subject: 'unreachable',
    sentence: 'the clinic does not answer',
    since: null,
  };
  let reasons: HealthReason[] = [];
  const warned: string[] = [];
  const heartbeat = { url: `${receiver.url}/ping/hidden`, everyMs: 5 * MINUTE, allowNetworks: ['127.0.0.1'] };
  const log = {
    ...silentLog,
    warn: (text: string, fields?: object) => void warned.push(`${text} ${JSON.stringify(fields)}`),
  };
  const loop = startHeartbeat({ heartbeat, reasons: async () => reasons, clock, log });
  onTestFinished(() => loop.stop());
  const asleep = () => until('it rests', () => clock.sleeping === 1);

  await asleep();
  await clock.advance(5 * MINUTE);
  await receiver.until(2);
  await asleep();
  reasons = [trouble];
  await clock.advance(20 * MINUTE);
  reasons = [];
  receiver.answer = (_request, response) => response.writeHead(500).end();
  await clock.advance(5 * MINUTE);
  await receiver.until(3);
  await asleep();

  expect(receiver.received).toHaveLength(3);
  expect(warned).toHaveLength(1);
  expect(warned[0]).not.toContain('hidden');
});

it('says what to do when its address is in a network that is not allowed', async () => {
  const warned = Promise.withResolvers<object | undefined>();
  const log = { ...silentLog, warn: (_text: string, fields?: object) => warned.resolve(fields) };
  const heartbeat = { url: receiver.url, everyMs: 5 * MINUTE, allowNetworks: [] };
  const loop = startHeartbeat({ heartbeat, reasons: async () => [], clock: fakeClock(), log });
  onTestFinished(() => loop.stop());

  expect(await warned.promise).toMatchObject({
    problem: expect.stringContaining('has only private or local addresses'),
    hint: expect.stringContaining('add its network to allow_networks'),
  });
});
