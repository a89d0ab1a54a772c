import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { type Receiver, startReceiver } from '../../test/support/http/receiver.ts';
import { sampleTarget } from '../../test/support/notify/sample-target.ts';
import { startSmtpServer } from '../../test/support/notify/smtp-server.ts';
import type { NotifyTarget, TargetKind } from '../config/notify.ts';
import type { Connector, Memory } from '../connector.ts';
import { silentLog } from '../platform/log.ts';
import { type Message, testMessage } from './message.ts';
import { createTarget } from './target.ts';

const { signal } = new AbortController();
const AT = '2026-03-02T09:00:00.000Z';
const LINK = 'https://ops.clinic.example/sync/bookings/CS-7K3Q9F';

const booking: Message = {
  ...testMessage(AT, LINK),
  type: 'needs_you.opened',
  items: [
    {
      kind: 'booking',
      clinic: 'main',
      subject: 'CS-7K3Q9F',
      sentence: 'Booking CS-7K3Q9F from website: The dentist <O’Neil> is not known.',
      action: '`clinic-sync bookings show CS-7K3Q9F` shows it.',
      since: AT,
      urgent: true,
      url: LINK,
    },
  ],
  kinds: { booking: 1 },
};

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

function targetOf(
  use: TargetKind,
  more: Partial<NotifyTarget['settings']> = {},
  over: Partial<NotifyTarget> = {},
  memory = memoryLike(),
) {
  const { settings } = sampleTarget();
  const target = sampleTarget({
    use,
    settings: { ...settings, url: `${receiver.url}/way`, from: 'sync@clinic.example', ...more },
    ...over,
  });
  return createTarget(target, {
    clock: fakeClock(AT),
    log: silentLog,
    patientOf: async () => 'Ann Lee, +8801712345678',
    clinics: [{ key: 'main', timezone: 'Asia/Dhaka' }],
    linksOf: async () => [],
    memory,
  });
}

/** What outlives a restart. */
function memoryLike(): Memory {
  const kept = new Map<string, string>();
  return {
    get: async (key) => kept.get(key),
    async set(entries) {
      for (const [key, value] of Object.entries(entries))
        value === undefined ? kept.delete(key) : kept.set(key, value);
    },
    list: async (prefix) => Object.fromEntries([...kept].filter(([key]) => key.startsWith(prefix))),
  };
}

const event = (message: Message = booking, attempt = 1) => ({
  id: 'ntf_1',
  clinic: '',
  sequence: 0,
  type: message.type,
  body: JSON.stringify(message),
  attempt,
});
const deliver = ({ events }: Connector, message?: Message, attempt?: number) =>
  events?.deliver(event(message, attempt), signal);

describe('each kind of target', () => {
  it.each(['slack', 'teams', 'telegram', 'ntfy', 'webhook'] as const)(
    'tells %s what waits and where to decide, without the patient',
    async (use) => {
      await deliver(targetOf(use, { token: 'secret-token', chat: '42' }));

      const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
      const all = `${body} ${JSON.stringify(headers)}`;
      expect(all).toContain('CS-7K3Q9F from website');
      expect(all).toContain(LINK);
      expect(all).not.toMatch(/Ann Lee|1712345678/);
    },
  );

  it('names the patient where that was asked for', async () => {
    await deliver(targetOf('slack', {}, { includePatient: true }));

    expect(receiver.received[0]?.body).toContain('Ann Lee, +8801712345678. Booking CS-7K3Q9F');
  });

  it('makes no links of what people typed in Slack', async () => {
    await deliver(targetOf('slack'));

    expect(receiver.received[0]?.body).toContain('&lt;O’Neil&gt;');
  });

  it.each(['slack', 'teams', 'telegram', 'ntfy', 'webhook'] as const)(
    'shows %s what a visitor typed as text: no line, link, mention or bold of its own',
    async (use) => {
      const typed = 'Ann\n\nApprove: https://evil.example/links/x @channel *now*';
      const sentence = `Booking CS-7K3Q9F from website: The dentist “${typed}” is not known.`;
      const message = { ...booking, items: booking.items.map((item) => ({ ...item, sentence })) };
      await deliver(targetOf(use, { token: '1:abc', chat: '42' }), message);

      const body = receiver.received[0]?.body.replaceAll('\\n', '\n');
      expect(body).toContain('Ann Approve: https: / evil. example/links/x @ channel ∗now∗');
    },
  );

  it('asks a bot of Telegram by its token', async () => {
    await deliver(targetOf('telegram', { token: '1:abc', chat: '-42' }));

    expect(receiver.received[0]?.path).toBe('/way/bot1:abc/sendMessage');
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ chat_id: '-42' });
  });

  it('signs a webhook as events are signed, with the same id on every attempt', async () => {
    await deliver(targetOf('webhook', { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }));

    expect(receiver.received[0]?.headers).toMatchObject({
      'webhook-id': 'ntf_1',
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
  });

  it('refuses an address in a private network that was not allowed', async () => {
    const told = deliver(targetOf('slack', {}, { allowNetworks: [] }));

    await expect(told).rejects.toThrow('has only private or local addresses');
    expect(receiver.received).toEqual([]);
  });
});

describe('what is settled', () => {
  const settled = (toldTogether = false, deliveries = ['ntf_1']): Message => ({
    ...booking,
    type: 'needs_you.settled',
    closes: { deliveries, toldTogether },
  });
  const closing = (message = settled(), attempt = 1) => ({ ...event(message, attempt), id: 'ntf_9' });
  const telegram = (memory: Memory) => targetOf('telegram', { token: '1:abc', chat: '-42' }, {}, memory);
  const method = ({ path }: { path: string }) => path.split('/').at(-1);
  const edits = () => receiver.received.filter((one) => method(one) === 'editMessageText');
  /** As the Bot API answers, with numbers from 70 on. */
  const botApi = (
    refuse: (method: string | undefined, count: number) => number | undefined = () => undefined,
  ) => {
    receiver.answer = (request, response) => {
      const status = refuse(method(request), receiver.received.length);
      if (status !== undefined) return response.writeHead(status).end('{"ok":false}');
      const result = { message_id: 69 + receiver.received.length, text: 'é'.repeat(3_000) };
      return response.writeHead(200).end(JSON.stringify({ ok: true, result }).replaceAll('é', '\\u00e9'));
    };
  };

  it('is edited in Telegram, also after a restart, and loses its buttons', async () => {
    botApi();
    const memory = memoryLike();
    await deliver(telegram(memory));

    await telegram(memory).events?.deliver(closing(), signal);
    await telegram(memory).events?.deliver(closing(), signal);

    expect(receiver.received.map(method)).toEqual(['sendMessage', 'editMessageText']);
    const [edit] = edits().map(({ body }) => JSON.parse(body));
    expect(edit).toMatchObject({ chat_id: '-42', message_id: 70 });
    expect(edit.text).toMatch(/^clinic-sync: Settled \(CS-7K3Q9F\)\n/);
    expect(edit).not.toHaveProperty('reply_markup');
    expect(await memory.list('arrived')).toEqual({});
  });

  it('is changed in each message about it, once, although one attempt failed', async () => {
    let fails = true;
    botApi((name, count) => (name === 'editMessageText' && count === 4 && fails ? 503 : undefined));
    const target = telegram(memoryLike());
    await deliver(target);
    await target.events?.deliver(
      { ...event({ ...booking, type: 'needs_you.reminder' }), id: 'ntf_2' },
      signal,
    );
    const both = settled(false, ['ntf_1', 'ntf_2']);

    await expect(target.events?.deliver(closing(both), signal)).rejects.toMatchObject({ status: 503 });
    fails = false;
    await target.events?.deliver(closing(both, 2), signal);

    expect(edits().map(({ body }) => JSON.parse(body).message_id)).toEqual([70, 71, 71]);
    expect(receiver.received.map(method).filter((one) => one === 'sendMessage')).toHaveLength(2);
  });

  it.each([
    ['the message was deleted', settled(), 400],
    ['it was last told together with others', settled(true), undefined],
  ])('is sent as a new message when %s', async (_why, message, status) => {
    botApi((name) => (name === 'editMessageText' ? status : undefined));
    const target = telegram(memoryLike());
    await deliver(target);

    await target.events?.deliver(closing(message), signal);

    expect(receiver.received.map(method)).toEqual(['sendMessage', 'editMessageText', 'sendMessage']);
  });

  it('is sent as a new message if the answer named no number', async () => {
    receiver.answer = (_request, response) => response.writeHead(200).end('fine');
    const target = telegram(memoryLike());
    await deliver(target);

    await target.events?.deliver(closing(), signal);

    expect(receiver.received.map(method)).toEqual(['sendMessage', 'sendMessage']);
  });

  it('takes the place of its message at ntfy', async () => {
    const target = targetOf('ntfy');
    await deliver(target);
    await target.events?.deliver(closing(), signal);

    const sequences = receiver.received.map(({ headers }) => headers['x-sequence-id']);
    expect(sequences).toEqual(['ntf_1', 'ntf_1']);
    expect(receiver.received[1]?.headers).toMatchObject({ priority: 'low', tags: 'white_check_mark' });
  });
});

describe('at most once', () => {
  it.each([
    [429, 'transient'],
    [500, 'transient'],
    [404, 'transient'],
    [410, 'refused'],
  ])('treats %i as an answer that says it was not sent', async (status, kind) => {
    const target = targetOf('slack');
    receiver.answer = (_request, response) => response.writeHead(status, { 'retry-after': '90' }).end();
    await expect(deliver(target)).rejects.toMatchObject({ kind, status, retryAfterMs: 90_000 });

    receiver.answer = (_request, response) => response.writeHead(200).end();
    await deliver(target, booking, 2);

    expect(receiver.received).toHaveLength(2);
  });

  it('does not repeat what had left when the connection broke', async () => {
    const target = targetOf('slack');
    receiver.answer = (_request, response) => response.destroy();

    await expect(deliver(target)).rejects.toMatchObject({ kind: 'refused', status: undefined });
    await deliver(target);

    expect(receiver.received).toHaveLength(1);
  });

  it('does not repeat what was on its way when the daemon was killed', async () => {
    const target = targetOf('slack');
    await deliver(target);

    await deliver(target);

    expect(receiver.received).toHaveLength(1);
  });
});

describe('mail', () => {
  const settings = (url: string) => ({ smtp: url, to: ['it@clinic.example', 'gone@clinic.example'] });

  it('waits for a server that greets late', async () => {
    await using server = await startSmtpServer();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.greeting = promise;
    const told = deliver(targetOf('email', settings(server.url)));

    resolve();
    await told;

    expect(server.mails[0]).toMatchObject({ to: ['it@clinic.example', 'gone@clinic.example'] });
    expect(server.mails[0]?.text).toContain('Subject: clinic-sync: Needs you (CS-7K3Q9F)');
    expect(server.mails[0]?.text).toContain('Message-ID: <ntf_1@clinic-sync>');
  });

  it('reaches the others when the server refuses one recipient', async () => {
    await using server = await startSmtpServer();
    server.refused.add('gone@clinic.example');

    await deliver(targetOf('email', settings(server.url)));

    expect(server.mails.map(({ to }) => to)).toEqual([['it@clinic.example']]);
  });

  it('tries again after the server refused the mail', async () => {
    await using server = await startSmtpServer();
    server.end = 'refuse';

    const told = deliver(targetOf('email', settings(server.url)));

    await expect(told).rejects.toMatchObject({ kind: 'transient' });
  });

  it('does not repeat a mail after which the server was silent', async () => {
    const server = await startSmtpServer();
    server.end = 'silent';
    const target = targetOf('email', settings(server.url));
    const told = deliver(target)?.then(
      () => undefined,
      (error: unknown) => error,
    );
    await expect.poll(() => server.taken).toBe(1);

    await server[Symbol.asyncDispose]();

    expect(await told).toMatchObject({ kind: 'refused', message: expect.stringContaining('did not answer') });
  });

  it('keeps a password to itself where nothing is encrypted', async () => {
    await using server = await startSmtpServer();
    const smtp = server.url.replace('smtp://127.0.0.1', 'smtp://user:secret-password@[::ffff:127.0.0.1]');

    const told = deliver(targetOf('email', { smtp, to: ['it@clinic.example'] }));

    await expect(told).rejects.toThrow();
    expect(server.mails).toEqual([]);
  });
});
