import { afterEach, beforeEach, expect, it } from 'vitest';
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
