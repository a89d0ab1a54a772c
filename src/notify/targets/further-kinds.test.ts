import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { type Receiver, startReceiver } from '../../../test/support/http/receiver.ts';
import { sampleTarget } from '../../../test/support/notify/sample-target.ts';
import { asServicesDo } from '../../../test/support/notify/services.ts';
import type { NotifyTarget } from '../../config/notify.ts';
import { instant } from '../../platform/clock.ts';
import { hardestMessage } from '../message.ts';
import { sendNotification } from './send-notification.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
  receiver.answer = asServicesDo;
});
afterEach(() => receiver[Symbol.asyncDispose]());

const clock = fakeClock();
const page = 'https://clinic.example/sync/';

function tell(use: NotifyTarget['use'], settings: Partial<NotifyTarget['settings']>) {
  const target = sampleTarget({
    use,
    settings: { ...sampleTarget().settings, url: receiver.url, ...settings },
  });
  const body = JSON.stringify(hardestMessage(instant(clock.now()), page));
  return sendNotification(
    target,
    { id: 'ntf_1', body },
    {
      ...{ clock, clinics: [], signal: new AbortController().signal },
      patientOf: async () => undefined,
      linksOf: async () => [{ action: 'drop', url: `${page}links/x` }],
    },
  );
}

it('asks Discord for the message as a proof, within its limit and with nobody mentioned', async () => {
  const { proof } = await tell('discord', { url: `${receiver.url}/api/webhooks/1/secret` });

  const { path, body } = receiver.received[0] ?? { path: '', body: '{}' };
  const { content, allowed_mentions } = JSON.parse(body);
  expect(proof).not.toBe('');
  expect(path).toBe('/api/webhooks/1/secret?wait=true');
  expect(content.length).toBeLessThanOrEqual(2_000);
  expect(content).toContain(`(<${page}links/x>)`);
  expect(allowed_mentions).toEqual({ parse: [] });
});

it('does not believe Discord without the message', async () => {
  receiver.answer = (_request, response) => response.writeHead(204).end();

  await expect(tell('discord', {})).rejects.toThrow('not as Discord does');
});

it('gives Gotify the token in a header, and the page to open', async () => {
  await tell('gotify', { token: 'hidden' });

  const [request] = receiver.received;
  expect([request?.path, request?.headers['x-gotify-key']]).toEqual(['/message', 'hidden']);
  expect(JSON.parse(request?.body ?? '{}').extras['client::notification'].click.url).toBe(page);
});

it('writes into a topic of Telegram', async () => {
  await tell('telegram', { token: '1:x', chat: '-1001', thread: '15' });

  expect(JSON.parse(receiver.received[0]?.body ?? '{}')).toMatchObject({
    chat_id: '-1001',
    message_thread_id: 15,
  });
});

describe('Apprise', () => {
  const told = () => tell('apprise', { url: `${receiver.url}/notify/clinic?tag=desk` });
  const answering = (status: number, text: string) => {
    receiver.answer = (_request, response) => response.writeHead(status).end(text);
  };

  it('is given title, text with links, and how bad it is', async () => {
    await told();

    const [{ path, body, headers } = { path: '', body: '{}', headers: {} }] = receiver.received;
    const sent = JSON.parse(body);
    expect(path).toBe('/notify/clinic?tag=desk');
    expect(headers).toMatchObject({ accept: 'application/json', 'content-type': 'application/json' });
    expect(sent).toMatchObject({ type: 'info', format: 'text', title: expect.any(String) });
    expect(sent.body).toContain(`: ${page}links/x`);
    expect(Object.keys(sent).sort()).toEqual(['body', 'format', 'title', 'type']);
  });

  it.each([
    ['the log of a service', 200, '2026-01-01 12:00:00,000 - INFO - Sent Pushover notification.'],
    ['nothing', 200, ''],
  ])('has taken a message when it answers with %s', async (_what, status, text) => {
    answering(status, text);

    await expect(told()).resolves.toMatchObject({ proof: '' });
  });

  it.each([
    ['knows nobody to tell', 204, '', { kind: 'transient', lasting: true, hint: /No service is configured/ }],
    [
      'told only some',
      424,
      '{"error":"Une ou plusieurs notifications","details":[]}',
      { kind: 'ambiguous', lasting: true, hint: /see its log/ },
    ],
    [
      'is an other page',
      200,
      '<!doctype html><p>Welcome',
      { kind: 'transient', lasting: false, hint: /proxy/ },
    ],
    ['names an error', 200, '{"error":"no"}', { kind: 'transient', lasting: false, hint: /proxy/ }],
    ['calls itself in a circle', 406, '', { kind: 'transient', lasting: true, hint: /which kind of target/ }],
    ['is full', 500, '', { kind: 'transient', lasting: false, hint: /a problem itself/ }],
  ])('has not taken it when it %s', async (_what, status, text, { kind, lasting, hint }) => {
    answering(status, text);

    await expect(told()).rejects.toMatchObject({ kind, lasting, hint: expect.stringMatching(hint) });
    expect(receiver.received).toHaveLength(1);
  });

  it.each([400, 431])('gets what it refuses with %i once more in plain form', async (status) => {
    receiver.answer = (request, response) =>
      request.body.includes('links/x') ? response.writeHead(status).end() : asServicesDo(request, response);

    const { plain } = await told();

    expect(plain?.message).toContain(`(${status})`);
    expect(plain?.message).not.toContain('clinic?tag');
  });
});
