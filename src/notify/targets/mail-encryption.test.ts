import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { makeCertificate } from '../../../test/support/http/certificate.ts';
import { type Receiver, startReceiver } from '../../../test/support/http/receiver.ts';
import { sampleTarget } from '../../../test/support/notify/sample-target.ts';
import { type SmtpServer, startSmtpServer } from '../../../test/support/notify/smtp-server.ts';
import { type MailServer, noMailServer } from '../../config/mail.ts';
import type { Memory } from '../../connector.ts';
import { problemWords } from '../../domain/texts/problem.ts';
import { instant } from '../../platform/clock.ts';
import type { Failure } from '../../platform/failure.ts';
import { localeOf } from '../../platform/text/locale.ts';
import { loadTexts } from '../../texts/texts.ts';
import { testMessage } from '../message.ts';
import { sendNotification } from './send-notification.ts';

const { key, cert } = await makeCertificate();
await loadTexts('de');
const clock = fakeClock();

const memoryIn = (kept: Map<string, string>): Memory => ({
  get: async (name) => kept.get(name),
  set: async (entries) => {
    for (const [name, value] of Object.entries(entries))
      if (value === undefined) kept.delete(name);
      else kept.set(name, value);
  },
  list: async (prefix) => Object.fromEntries([...kept].filter(([name]) => name.startsWith(prefix))),
});

/** Sent once, through a server on 127.0.0.1. */
function mail(server: SmtpServer, over: Partial<MailServer> = {}, kept = new Map<string, string>()) {
  const { port, protocol } = new URL(server.url);
  const target = sampleTarget({
    use: 'email',
    settings: {
      ...sampleTarget().settings,
      from: 'sync@clinic.example',
      to: ['it@clinic.example'],
      mail: {
        ...noMailServer,
        ...{ host: '127.0.0.1', port: Number(port), secure: protocol === 'smtps:', hello: 'clinic.example' },
        ...over,
      },
    },
  });
  const body = JSON.stringify(testMessage(instant(clock.now()), null));
  return sendNotification(
    target,
    { id: 'ntf_1', body },
    {
      ...{ clock, clinics: [], signal: new AbortController().signal, memory: memoryIn(kept) },
      patientOf: async () => undefined,
      linksOf: async () => [],
    },
  );
}

describe('a mail server', () => {
  it.each(['at once', 'STARTTLS'] as const)(
    'that encrypts %s is believed by the certificate of `ca_file`, and the password is encrypted',
    async (when) => {
      await using server = await startSmtpServer({ when, key, cert });

      await mail(server, { tls: 'required', ca: cert, user: 'sync', password: 'hidden' });

      expect(server.mails).toHaveLength(1);
      expect(server.signedIn).toMatchObject([{ encrypted: true }]);
    },
  );

  it.each(['at once', 'STARTTLS'] as const)(
    'that encrypts %s with a certificate nobody knows gets no password, and is named with the way out',
    async (when) => {
      await using server = await startSmtpServer({ when, key, cert });

      const sent = mail(server, { user: 'sync', password: 'hidden' });

      const failure = await sent.catch((error: unknown) => error);
      expect(failure).toMatchObject({
        kind: 'transient',
        message: expect.stringContaining('has a self-signed certificate'),
        hint: expect.stringContaining('ca_file'),
      });
      expect(problemWords((failure as Failure).said, localeOf('de'))).toMatch(
        /^127\.0\.0\.1 hat ein selbst signiertes Zertifikat\. .* ca_file /,
      );
      expect([server.signedIn, server.mails]).toEqual([[], []]);
    },
  );

  it('on this machine may have the certificate that its package made, where nobody signs in', async () => {
    await using server = await startSmtpServer({ when: 'STARTTLS', key, cert });

    await mail(server);

    expect(server.mails).toHaveLength(1);
  });

  it('that offers encryption and must not be asked for it gets the mail in the clear', async () => {
    await using server = await startSmtpServer({ when: 'STARTTLS', key, cert });
    const asked: string[] = [];
    server.script.STARTTLS = (argument) => void asked.push(argument) as undefined;

    await mail(server, { tls: 'off' });

    expect([server.mails.length, asked]).toEqual([1, []]);
  });

  it('that offers none gets no mail where encryption is required', async () => {
    await using server = await startSmtpServer();

    const sent = mail(server, { tls: 'required' });

    await expect(sent).rejects.toMatchObject({ lasting: true, message: expect.stringMatching(/encryption/) });
    expect(server.mails).toEqual([]);
  });

  it('that cannot encrypt just now is asked again, and one that never can is named', async () => {
    await using server = await startSmtpServer({ when: 'STARTTLS', key, cert });
    const said = (reply: string) => {
      server.script.STARTTLS = () => reply;
      return mail(server, { tls: 'required', ca: cert });
    };

    await expect(said('454 4.7.0 TLS not available')).rejects.toMatchObject({
      ...{ kind: 'transient', lasting: false },
      hint: expect.stringContaining('Temporary'),
    });
    await expect(said('502 5.5.1 not implemented')).rejects.toMatchObject({
      lasting: true,
      message: expect.stringContaining('does not switch to encryption (502 5.5.1)'),
    });
  });

  it('that closes during STARTTLS has not taken the mail, which is tried again', async () => {
    await using server = await startSmtpServer({ when: 'STARTTLS', key, cert });
    server.script.STARTTLS = () => 'close';

    await expect(mail(server, { tls: 'required' })).rejects.toMatchObject({ kind: 'transient' });
  });
});

describe('sign-in by token', () => {
  let tokens: Receiver;
  beforeEach(async () => {
    tokens = await startReceiver();
  });
  afterEach(() => tokens[Symbol.asyncDispose]());
  const oauth = () => ({
    ...{ tokenUrl: tokens.url, clientId: 'app', clientSecret: 'hidden', refreshToken: 'first' },
    scope: 'https://outlook.office.com/SMTP.Send',
  });

  it('sends the token, and follows a provider that replaces the permission with each', async () => {
    await using server = await startSmtpServer({ when: 'STARTTLS', key, cert });
    let count = 0;
    tokens.answer = (_request, response) => {
      count += 1;
      response.end(JSON.stringify({ access_token: `token-${count}`, refresh_token: `next-${count}` }));
    };
    const kept = new Map<string, string>();

    await mail(server, { ca: cert, user: 'sync@clinic.example', oauth: oauth() }, kept);
    await mail(server, { ca: cert, user: 'sync@clinic.example', oauth: oauth() }, kept);

    const proofs = server.signedIn.map(({ proof }) => proof.split(' '));
    expect(proofs.map(([, method]) => method)).toEqual(['XOAUTH2', 'XOAUTH2']);
    expect(
      proofs.map(([, , proof = '']) => Buffer.from(proof, 'base64').toString().split('\x01')),
    ).toMatchObject([
      ['user=sync@clinic.example', 'auth=Bearer token-1', '', ''],
      ['user=sync@clinic.example', 'auth=Bearer token-2', '', ''],
    ]);
    const permissions = tokens.received.map(({ body }) => new URLSearchParams(body).get('refresh_token'));
    expect(permissions).toEqual(['first', 'next-1']);
  });

  it.each([
    [400, '{"error":"invalid_grant","error_description":"hidden"}', 'invalid_grant', true],
    [401, '{"error":"invalid_client"}', 'invalid_client', true],
    [503, '', '503', false],
    [200, '<!doctype html><title>Sign in</title>', '200', false],
  ])('says why no token came (%i %s), and whether that lasts', async (status, body, word, lasting) => {
    await using server = await startSmtpServer({ when: 'STARTTLS', key, cert });
    tokens.answer = (_request, response) => response.writeHead(status).end(body);

    const sent = mail(server, { ca: cert, user: 'sync', oauth: oauth() });

    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining(word), lasting });
    await expect(sent).rejects.not.toMatchObject({ message: expect.stringContaining('hidden') });
    expect(server.sessions).toBe(0);
  });

  it('says that the sign-in is refused where the server does not take the token', async () => {
    await using server = await startSmtpServer({ when: 'STARTTLS', key, cert });
    tokens.answer = (_request, response) => response.end('{"access_token":"short"}');
    server.script.AUTH = () => '535 5.7.3 Authentication unsuccessful';

    await expect(mail(server, { ca: cert, user: 'sync', oauth: oauth() })).rejects.toMatchObject({
      lasting: true,
      message: expect.stringMatching(/refused the sign-in \(535 5\.7\.3\)/),
    });
  });
});
