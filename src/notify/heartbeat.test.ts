import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { type Receiver, startReceiver } from '../../test/support/http/receiver.ts';
import { until } from '../../test/support/until.ts';
import type { HealthReason } from '../domain/status/report.ts';
import { MINUTE } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import type { ConnectorState } from '../store/ports/deliveries.ts';
import type { Store } from '../store/store.ts';
import { startHeartbeat } from './heartbeat.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

/** What is kept of it. */
let kept: Partial<ConnectorState>;
const stored = () => {
  kept = { paused: false };
  return {
    deliveries: {
      connector: async () => kept,
      report: async (_name: string, state: typeof kept) => void Object.assign(kept, state),
    } as unknown as Store['deliveries'],
  };
};

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
  const loop = startHeartbeat({ heartbeat, reasons: async () => reasons, store: stored(), clock, log });
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
  const loop = startHeartbeat({
    heartbeat,
    reasons: async () => [],
    store: stored(),
    clock: fakeClock(),
    log,
  });
  onTestFinished(() => loop.stop());

  expect(await warned.promise).toMatchObject({
    problem: expect.stringContaining('has only private or local addresses'),
    hint: expect.stringContaining('add its network to allow_networks'),
  });
});

it.each([
  [200, 'OK', true],
  [200, '{"ok":true,"msg":"OK"}', true],
  [204, '', true],
  [200, 'OK (not found)', false],
  [200, 'OK (rate limited)', false],
  [200, '{"ok":false,"msg":"Monitor not found"}', false],
  [200, '<!doctype html><title>Sign in</title>', false],
  [404, 'not found', false],
])('takes the answer %i %s for a receipt: %s', async (status, body, isReceipt) => {
  receiver.answer = (_request, response) => response.writeHead(status).end(body || undefined);
  const clock = fakeClock();
  const heartbeat = { url: receiver.url, everyMs: 4 * MINUTE, allowNetworks: ['127.0.0.1'] };
  const store = stored();
  const loop = startHeartbeat({ heartbeat, reasons: async () => [], store, clock, log: silentLog });
  onTestFinished(() => loop.stop());
  await until('it was noted', async () => clock.sleeping === 1);

  expect(kept).toMatchObject(
    isReceipt ? { failures: 0, last_error: null } : { failures: 1, last_error: expect.any(String) },
  );
  // Twice more within the period, so that one lost packet is no alarm.
  await clock.advance(MINUTE);
  await until('it rests', async () => clock.sleeping === 1);
  expect(receiver.received).toHaveLength(isReceipt ? 1 : 2);
});

it('says each new reason, tries although its own failure is trouble, and rests while it is paused', async () => {
  const clock = fakeClock();
  const warned: string[] = [];
  const log = {
    ...silentLog,
    warn: (_text: string, fields?: object) => void warned.push(JSON.stringify(fields)),
  };
  const itself = { health: 'trouble', kind: 'connector', clinic: null, subject: 'notify.heartbeat' } as const;
  const reasons = async (): Promise<HealthReason[]> => [{ ...itself, sentence: 'failed', since: null }];
  const heartbeat = { url: receiver.url, everyMs: MINUTE, allowNetworks: ['127.0.0.1'] };
  const loop = startHeartbeat({ heartbeat, reasons, store: stored(), clock, log });
  onTestFinished(() => loop.stop());
  const rests = () => until('it rests', async () => clock.sleeping === 1);
  const statuses = [500, 500, 404, 200];
  receiver.answer = (_request, response) => response.writeHead(statuses.shift() ?? 200).end();

  await rests();
  for (let n = 0; n < 3; n += 1) {
    await clock.advance(MINUTE);
    await rests();
  }
  const tried = receiver.received.length;
  kept.paused = true;
  await clock.advance(3 * MINUTE);
  await rests();

  expect(warned).toHaveLength(2);
  expect(warned[1]).toContain('404');
  expect(kept).toMatchObject({ failures: 0, last_error: null, last_success_at: expect.any(String) });
  expect(receiver.received).toHaveLength(tried);
});

it('tells the address for failures once when health turns', async () => {
  const clock = fakeClock();
  let reasons: HealthReason[] = [];
  const heartbeat = {
    url: `${receiver.url}/ping`,
    fail: `${receiver.url}/fail`,
    everyMs: MINUTE,
    allowNetworks: ['127.0.0.1'],
  };
  const loop = startHeartbeat({
    heartbeat,
    reasons: async () => reasons,
    store: stored(),
    clock,
    log: silentLog,
  });
  onTestFinished(() => loop.stop());
  await receiver.until(1);
  await until('it rests', async () => clock.sleeping === 1);
  reasons = [{ health: 'trouble', kind: 'late', clinic: null, subject: 'x', sentence: 'x', since: null }];
  await clock.advance(MINUTE);
  await receiver.until(2);
  await until('it rests', async () => clock.sleeping === 1);
  await clock.advance(5 * MINUTE);

  expect(receiver.received.map(({ path }) => path)).toEqual(['/ping', '/fail']);
});
