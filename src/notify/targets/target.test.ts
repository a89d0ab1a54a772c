import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { type Receiver, startReceiver } from '../../../test/support/http/receiver.ts';
import { sampleTarget } from '../../../test/support/notify/sample-target.ts';
import { asServicesDo } from '../../../test/support/notify/services.ts';
import { startSmtpServer } from '../../../test/support/notify/smtp-server.ts';
import { type MailServer, noMailServer } from '../../config/mail.ts';
import type { NotifyTarget, TargetKind } from '../../config/notify.ts';
import type { Connector, Memory } from '../../connector.ts';
import { HOUR, MINUTE } from '../../platform/duration.ts';
import { silentLog } from '../../platform/log.ts';
import { type Message, testMessage } from '../message.ts';
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
  receiver.answer = asServicesDo;
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
  it.each(['slack', 'teams', 'telegram', 'ntfy', 'apprise', 'webhook'] as const)(
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

    expect(receiver.received[0]?.body).toContain('&lt;O’Neil›');
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

  it('takes the place of its message at ntfy', async () => {
    const target = targetOf('ntfy');
    await deliver(target);
    await target.events?.deliver(closing(), signal);

    const sequences = receiver.received.map(({ headers }) => headers['x-sequence-id']);
    expect(sequences).toEqual(['ntf_1', 'ntf_1']);
    expect(receiver.received[1]?.headers).toMatchObject({ priority: 'low', tags: 'white_check_mark' });
  });
});

describe('sent means sent', () => {
  it.each([
    [429, false],
    [500, false],
    [404, true],
    [410, true],
  ])('tries again after %i, which says that nobody was told', async (status, lasting) => {
    const target = targetOf('slack');
    receiver.answer = (_request, response) => response.writeHead(status, { 'retry-after': '90' }).end();
    await expect(deliver(target)).rejects.toMatchObject({ kind: 'transient', status, lasting });

    receiver.answer = asServicesDo;
    await deliver(target, booking, 2);

    expect(receiver.received).toHaveLength(2);
  });

  it.each([
    ['slack', 200, '<!doctype html><title>Sign in</title>'],
    ['slack', 200, ''],
    ['teams', 200, '<html>Sign in</html>'],
    ['telegram', 200, '{"ok":false}'],
    ['telegram', 200, '{"ok":true,"result":true}'],
    ['ntfy', 200, '{"status":"ok"}'],
    ['webhook', 200, '<!DOCTYPE html><p>Welcome to our network'],
  ] as const)('takes the %s answer %i %s for no proof, and tries again', async (use, status, body) => {
    const target = targetOf(use, { token: '1:abc', chat: '-42' });
    receiver.answer = (_request, response) => response.writeHead(status).end(body);
    const told = deliver(target);

    await expect(told).rejects.toMatchObject({ kind: 'transient' });
    await expect(told).rejects.toThrow(/answered 200, but not as .* does/);
    receiver.answer = asServicesDo;
    await deliver(target, booking, 2);

    expect(receiver.received).toHaveLength(2);
  });

  it.each(['slack', 'teams', 'telegram'] as const)(
    'gives a message to %s up when the answer is lost, so that its thing is told again',
    async (use) => {
      const memory = memoryLike();
      const target = targetOf(use, { token: '1:abc', chat: '-42' }, {}, memory);
      receiver.answer = (_request, response) => response.destroy();

      await expect(deliver(target)).rejects.toMatchObject({ kind: 'refused' });

      expect(await memory.get('lost ntf_1')).toBe('unsure');
      expect(receiver.received).toHaveLength(1);
    },
  );

  it('says that Apprise told only some, and owes its thing to all again', async () => {
    const memory = memoryLike();
    receiver.answer = (_request, response) => response.writeHead(424).end();

    await expect(deliver(targetOf('apprise', {}, {}, memory))).rejects.toMatchObject({ kind: 'refused' });

    expect(await memory.get('lost ntf_1')).toBe('unsure');
    expect(JSON.stringify(await memory.list(''))).toContain('Apprise could not tell all');
    expect(receiver.received).toHaveLength(1);
  });

  it.each(['ntfy', 'webhook'] as const)(
    'repeats a message to %s under the same id when the answer is lost',
    async (use) => {
      const target = targetOf(use);
      receiver.answer = (_request, response) => response.destroy();
      await expect(deliver(target)).rejects.toMatchObject({ kind: 'transient', retryAfterMs: 5 * MINUTE });

      receiver.answer = asServicesDo;
      await deliver(target, booking, 2);

      const ids = receiver.received.map(({ headers }) => headers['webhook-id'] ?? headers['x-sequence-id']);
      expect(ids).toEqual(['ntf_1', 'ntf_1']);
    },
  );

  it('tries again where no HTTP is spoken: nobody there saw the message', async () => {
    await using server = await startSmtpServer();
    const target = targetOf('slack', { url: server.url.replace('smtp:', 'http:') });

    const told = deliver(target);

    await expect(told).rejects.toMatchObject({ kind: 'transient' });
    await expect(told).rejects.toThrow('does not speak HTTP there');
  });

  it('sends after a kill what had not left, repeats what had as a repetition, and keeps what arrived', async () => {
    const memory = memoryLike();
    await memory.set({ begun: 'ntf_1 1' });
    await deliver(targetOf('slack', {}, {}, memory));
    await deliver(targetOf('slack', {}, {}, memory));

    expect(receiver.received).toHaveLength(1);
    await memory.set({ begun: 'ntf_2 1', leaving: 'ntf_2' });
    const again = targetOf('slack', {}, {}, memory).events?.deliver({ ...event(), id: 'ntf_2' }, signal);
    await expect(again).rejects.toMatchObject({ kind: 'refused' });
    expect(await memory.get('lost ntf_2')).toBe('unsure');
  });

  it('tells again, as a repetition, what arrived while the disk was full', async () => {
    const memory = memoryLike();
    const full: Memory = {
      ...memory,
      set: (entries) => ('proven' in entries ? Promise.reject(new Error('full')) : memory.set(entries)),
    };
    await expect(deliver(targetOf('slack', {}, {}, full))).rejects.toThrow('full');

    await expect(deliver(targetOf('slack', {}, {}, memory))).rejects.toMatchObject({ kind: 'refused' });

    expect(await memory.get('lost ntf_1')).toBe('unsure');
  });

  it('fits into a message of Telegram, however many emoji visitors are called', async () => {
    const sentence = `${'👩‍👩‍👧😀'.repeat(60)} from website: held.`;
    const items = booking.items.flatMap((item) => Array.from({ length: 10 }, () => ({ ...item, sentence })));
    await deliver(targetOf('telegram', { token: '1:abc', chat: '-42' }), { ...booking, items, count: 10 });

    const { text } = JSON.parse(receiver.received[0]?.body ?? '');
    expect(text.length).toBeLessThanOrEqual(4_096);
    expect(text.isWellFormed()).toBe(true);
  });

  it('marks that a message leaves before its first byte', async () => {
    const memory = memoryLike();
    let marked: string | undefined;
    receiver.answer = async (request, response) => {
      marked = await memory.get('leaving');
      asServicesDo(request, response);
    };

    await deliver(targetOf('slack', {}, {}, memory));

    expect(marked).toBe('ntf_1');
    expect(await memory.get('leaving')).toBeUndefined();
  });
});

describe('a refusal', () => {
  it.each([
    ['slack', 400, 'invalid_payload'],
    ['slack', 413, ''],
    ['telegram', 400, '{"ok":false,"description":"Bad Request: BUTTON_URL_INVALID"}'],
    ['teams', 400, '{"error":{"code":"TriggerInputSchemaMismatch"}}'],
    ['teams', 200, 'delivery failed: Microsoft Teams endpoint returned HTTP error 413 with ContextId 1'],
    ['ntfy', 400, '{"code":40009,"error":"invalid request"}'],
    ['webhook', 422, ''],
  ] as const)(
    'of the content by %s (%i %s) is answered with the plain form, and noted',
    async (use, status, body) => {
      const memory = memoryLike();
      const target = targetOf(use, { token: '1:abc', chat: '-42' }, { includePatient: true }, memory);
      receiver.answer = (request, response) =>
        receiver.received.length === 1
          ? response.writeHead(status).end(body)
          : asServicesDo(request, response);

      await deliver(target);

      const [, again] = receiver.received;
      expect(again?.body).toContain('CS-7K3Q9F');
      expect(again?.body).not.toMatch(/Ann Lee|https:/);
      expect(await memory.get('problems')).toContain('took it in plain form');
    },
  );

  it('of the plain form, too, gives the message up and not the thing, and is trouble of the target', async () => {
    const memory = memoryLike();
    const target = targetOf('slack', {}, {}, memory);
    receiver.answer = (_request, response) => response.writeHead(400).end('invalid_payload');

    await expect(deliver(target)).rejects.toMatchObject({ kind: 'refused' });

    expect(await memory.get('lost ntf_1')).toBe('refused');
    expect(await memory.get('problems')).toMatch(/"trouble".*not even in plain form/);
    receiver.answer = asServicesDo;
    await target.events?.deliver({ ...event(booking), id: 'ntf_2' }, signal);
    expect(await memory.get('problems')).toBeUndefined();
  });

  it.each([
    ['slack', 410, 'channel_is_archived', 'archived'],
    ['slack', 200, '{"ok":false,"error":"channel_is_archived"}', 'archived'],
    ['slack', 403, 'action_prohibited', 'administrator'],
    ['slack', 404, 'no_service', 'make a new one'],
    ['telegram', 400, '{"ok":false,"description":"Bad Request: chat not found"}', 'Check `chat`'],
    ['telegram', 403, '{"ok":false,"description":"Forbidden: bot was blocked by the user"}', 'unblock it'],
    [
      'telegram',
      403,
      '{"ok":false,"description":"Forbidden: bot can\'t initiate conversation"}',
      'write to the bot',
    ],
    ['telegram', 400, '{"ok":false,"description":"Bad Request: CHAT_RESTRICTED"}', 'Let the bot write'],
    ['teams', 400, '{"error":{"code":"MissingApiVersionParameter"}}', 'Copy it again'],
    ['telegram', 401, '{"ok":false,"description":"Unauthorized"}', '@BotFather'],
    ['teams', 404, '{"error":{"code":"WorkflowNotFound"}}', 'Power Automate'],
    ['ntfy', 403, '{"code":40301,"http":403,"error":"forbidden"}', 'Check the token'],
    ['webhook', 401, '', 'Check the token or the secret'],
  ] as const)(
    'by %s (%i %s) says what to do, is tried three times, then rarely',
    async (use, status, body, hint) => {
      const memory = memoryLike();
      const target = targetOf(use, { token: '1:abc', chat: '-42' }, {}, memory);
      receiver.answer = (_request, response) => response.writeHead(status).end(body);

      for (let attempt = 1; attempt <= 5; attempt += 1)
        await expect(deliver(target, booking, attempt)).rejects.toMatchObject({
          kind: 'transient',
          hint: expect.stringContaining(hint),
          ...(attempt >= 3 && { retryAfterMs: 4 * HOUR }),
        });

      expect(receiver.received).toHaveLength(3);
      expect(await memory.get('problems')).toContain('"trouble"');
    },
  );

  it('never shows the token that a target repeats', async () => {
    receiver.answer = (_request, response) =>
      response.writeHead(400).end('{"ok":false,"description":"chat not found for 1:secret-token in -4242"}');

    const told = deliver(targetOf('telegram', { token: '1:secret-token', chat: '-4242' }));

    await expect(told).rejects.toThrow('chat not found for … in …');
  });

  it('by a group of Telegram that became a supergroup leads to its new number', async () => {
    const memory = memoryLike();
    receiver.answer = (request, response) => {
      if (JSON.parse(request.body).chat_id !== '-42') return asServicesDo(request, response);
      const description = 'Bad Request: group chat was upgraded to a supergroup chat';
      response
        .writeHead(400)
        .end(JSON.stringify({ ok: false, description, parameters: { migrate_to_chat_id: -10077 } }));
    };
    const target = targetOf('telegram', { token: '1:abc', chat: '-42' }, {}, memory);

    await deliver(target);
    await target.events?.deliver({ ...event(), id: 'ntf_2' }, signal);

    const chats = receiver.received.map(({ body }) => JSON.parse(body).chat_id);
    expect(chats).toEqual(['-42', '-10077', '-10077']);
    expect(await memory.get('problems')).toContain('-10077');
  });
});

describe('mail', () => {
  const serverAt = (url: string, more: Partial<MailServer> = {}): MailServer => {
    const { hostname, port } = new URL(url);
    return { ...noMailServer, host: hostname, port: Number(port), hello: 'clinic.example', ...more };
  };
  const settings = (url: string) => ({
    mail: serverAt(url),
    to: ['it@clinic.example', 'gone@clinic.example'],
  });

  it('waits for a server that greets late', async () => {
    await using server = await startSmtpServer();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.greeting = promise;
    const told = deliver(targetOf('email', settings(server.url)));

    resolve();
    await told;

    expect(server.mails[0]).toMatchObject({ to: ['it@clinic.example', 'gone@clinic.example'] });
    expect(server.mails[0]?.text).toContain('Subject: clinic-sync: Needs you (CS-7K3Q9F)');
    expect(server.mails[0]?.text).toContain('Message-ID: <ntf_1@clinic.example>');
  });

  it('reaches the others when the server refuses one recipient for ever, and says which', async () => {
    await using server = await startSmtpServer();
    const memory = memoryLike();
    server.script = { RCPT: (to) => (to === 'gone@clinic.example' ? '550 5.1.1 nobody here' : undefined) };

    await deliver(targetOf('email', settings(server.url), {}, memory));

    expect(server.mails.map(({ to }) => to)).toEqual([['it@clinic.example']]);
    expect(await memory.get('problems')).toContain('Recipient 2 of 2 is refused (550 5.1.1)');
  });

  it('sends a recipient who was put off the same mail later, alone', async () => {
    await using server = await startSmtpServer();
    let puts = 3;
    server.script = {
      RCPT: (to) => (to.startsWith('gone') && puts-- > 0 ? '451 4.7.1 greylisted' : undefined),
    };
    const memory = memoryLike();
    const target = targetOf('email', settings(server.url), {}, memory);

    for (const attempt of [1, 2])
      await expect(deliver(target, booking, attempt)).rejects.toMatchObject({ single: true });
    // As servers do with strangers; after half an hour it is a problem.
    expect(await memory.get('problems')).toBeUndefined();
    await expect(deliver(target, booking, 9)).rejects.toMatchObject({ single: true });
    expect(await memory.get('problems')).toContain('Recipient 2 of 2 is put off (451 4.7.1)');
    await deliver(target, booking, 10);

    expect(server.mails.map(({ to }) => to)).toEqual([['it@clinic.example'], ['gone@clinic.example']]);
    const ids = server.mails.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1]);
    expect(ids[0]).toBe(ids[1]);
    expect(await memory.get('problems')).toBeUndefined();
  });

  it('lets one recipient who is refused in the end keep nothing from the others', async () => {
    await using server = await startSmtpServer();
    const replies = ['451 4.7.1 greylisted', '550 5.1.1 no such user'];
    server.script = { RCPT: (to) => (to.startsWith('gone') ? replies.shift() : undefined) };
    const memory = memoryLike();
    const target = targetOf('email', settings(server.url), {}, memory);

    await expect(deliver(target)).rejects.toMatchObject({ single: true });
    await deliver(target, booking, 2);

    expect(server.mails.map(({ to }) => to)).toEqual([['it@clinic.example']]);
    expect(await memory.get('problems')).toContain('Recipient 2 of 2 is refused (550 5.1.1)');
  });

  it('is sent in plain form to a server that takes only small mails, and said to be too large otherwise', async () => {
    await using server = await startSmtpServer();
    server.script = { EHLO: () => '250-test\r\n250 SIZE 100' };

    await expect(deliver(targetOf('email', settings(server.url)))).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('(552)'),
    });
  });

  it.each([
    ['AUTH', '535 5.7.139 Authentication unsuccessful, basic authentication is disabled.', 'oauth'],
    ['AUTH', '504 5.7.4 Unrecognized authentication type', 'oauth'],
    ['AUTH', '534 5.7.9 Application-specific password required. Learn more', 'App passwords'],
    ['AUTH', '535 5.7.8 Error: authentication failed', 'Check the user and the password'],
    ['MAIL', '530 5.7.0 Authentication Required', 'Set user and password'],
    ['RCPT', '554 5.7.1 <it@clinic.example>: Relay access denied', 'let it relay'],
    ['RCPT', '550 5.1.1 No such user', 'Correct the address under to'],
    ['MAIL', '553 5.7.1 <x>: Sender address rejected: not owned by user', 'Set from'],
    ['RCPT', '504 5.5.2 <x>: Helo command rejected: need fully-qualified hostname', 'Set `hello`'],
    ['RCPT', '554 5.7.1 blocked using zen.spamhaus.org', 'mail server of your provider'],
    ['greeting', '554 No SMTP service here', 'mail server of your provider'],
    ['HELO', '501 5.5.4 Invalid domain name', 'Set `hello`'],
    ['MAIL', '553 Relaying disallowed as it@clinic.example', 'Set from'],
    ['end', '550 The from address does not match a verified Sender Identity.', 'Set from'],
    ['end', '554 5.2.252 SendAsDenied; x@clinic.example not allowed to send as y', 'Set from'],
  ] as const)(
    'says at %s what “%s” asks for, is tried three times, then rarely',
    async (step, reply, hint) => {
      await using server = await startSmtpServer();
      server.script = { [step]: () => reply, ...(step === 'HELO' && { EHLO: () => reply }) };
      const mail = serverAt(server.url, step === 'AUTH' ? { user: 'us', password: 'secret' } : {});
      const target = targetOf('email', { mail, to: ['it@clinic.example'] });
      const tried = [];

      for (let attempt = 1; attempt <= 5; attempt += 1)
        tried.push(await deliver(target, booking, attempt)?.catch((error: unknown) => error));

      expect(tried[0]).toMatchObject({ lasting: true, hint: expect.stringContaining(hint) });
      expect(tried[4]).toMatchObject({ retryAfterMs: 4 * HOUR });
      expect(JSON.stringify(tried)).not.toContain('it@clinic.example');
      expect(server.sessions).toBe(3);
    },
  );

  it.each(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'end'] as const)(
    'is put off, and sent whole again, when the server shuts down at %s',
    async (step) => {
      await using server = await startSmtpServer();
      server.script = { [step]: () => '421 4.3.2 Service shutting down' };
      const target = targetOf('email', settings(server.url));

      await expect(deliver(target)).rejects.toMatchObject({
        ...{ kind: 'transient', lasting: false },
        message: expect.stringContaining('(421 4.3.2)'),
      });
      server.script = {};
      await deliver(target, booking, 2);

      expect(server.mails.map(({ text }) => text.includes('text/html'))).toEqual([true]);
    },
  );

  it('is sent in plain form when its content is refused', async () => {
    await using server = await startSmtpServer();
    let refuse = true;
    server.script = {
      end: () => {
        const reply = refuse ? '554 5.6.0 content refused' : undefined;
        refuse = false;
        return reply;
      },
    };

    await deliver(targetOf('email', settings(server.url)));

    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]?.text).not.toMatch(/text\/html|https:/);
  });

  it('names its thread, and asks for no automatic reply', async () => {
    await using server = await startSmtpServer();

    await deliver(targetOf('email', settings(server.url)));

    const [{ text } = { text: '' }] = server.mails;
    expect(text).toContain('References: <booking.main.CS-7K3Q9F@clinic.example>');
    expect(text).toContain('X-Auto-Response-Suppress: All');
    expect(text).toContain('text/html');
  });

  it('is repeated under the same id when its end was not answered', async () => {
    await using server = await startSmtpServer();
    const target = targetOf('email', settings(server.url));
    server.script = { end: () => 'take and close' };

    await expect(deliver(target)).rejects.toMatchObject({ kind: 'transient', retryAfterMs: 5 * MINUTE });
    server.script = {};
    await deliver(target, booking, 2);

    const ids = server.mails.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1]);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  it('keeps a password to itself where nothing is encrypted', async () => {
    await using server = await startSmtpServer();
    const host = '::ffff:127.0.0.1';
    const mail = serverAt(server.url, { host, user: 'user', password: 'secret-password' });

    const told = deliver(targetOf('email', { mail, to: ['it@clinic.example'] }));

    await expect(told).rejects.toThrow();
    expect(server.mails).toEqual([]);
  });
});
