import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hiddenIn, lead, submissionOf, visit } from '../../../test/support/forms/form-visit.ts';

const secret = 'a-secret-of-the-captcha';
let asked: Record<string, string>[];
let answer: { status: number; body: string };
let hostname: string | undefined;
let server: ReturnType<typeof createServer>;

/** Answers as the documentation of both providers says; a token is good once. */
beforeEach(async () => {
  asked = [];
  answer = { status: 200, body: '' };
  hostname = 'sync.example';
  server = createServer(async (request, response) => {
    const given = Object.fromEntries(new URLSearchParams(await text(request)));
    const isNew = asked.every((one) => one.response !== given.response);
    asked.push(given);
    const success = given.secret === secret && given.response === 'good' && isNew;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(answer.body || JSON.stringify({ success, ...(success && { hostname }), 'error-codes': [] }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterEach(() => new Promise((done) => server.close(done)));

const opened = (use: 'turnstile' | 'hcaptcha') =>
  visit({
    secret,
    origins: ['https://www.clinic.example'],
    form: {
      captcha: {
        use,
        site_key: '0x4AAAAAAA',
        verify_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`,
      },
    },
  });

describe.each([
  ['turnstile', 'cf-turnstile-response', 'https://challenges.cloudflare.com'],
  ['hcaptcha', 'h-captcha-response', 'https://*.hcaptcha.com'],
] as const)('%s', (use, field, source) => {
  it('is in the form, which may load it and nothing else', async () => {
    const { load, intake } = await opened(use);

    expect(await load()).toMatch(/<div class="[\w-]+" data-sitekey="0x4AAAAAAA" data-language="en"/);
    expect(intake.pageSources['script-src']).toContain(source);
  });

  it('lets a person’s request through, also when it is sent twice', async () => {
    const { book, send } = await opened(use);

    const { hidden, result } = await book({ ...lead, [field]: 'good' });
    const again = await send({ ...hidden, ...lead, [field]: 'good' });

    expect(submissionOf(result).problems).toBeUndefined();
    expect(submissionOf(again)).toEqual(submissionOf(result));
    expect(asked).toEqual([{ secret, response: 'good', sitekey: '0x4AAAAAAA' }]);
  });

  it('lets one form through by one answer of a person', async () => {
    const { book } = await opened(use);

    const first = await book({ ...lead, [field]: 'good' });
    const second = await book({ ...lead, patient_name: 'Somebody Else', [field]: 'good' });

    expect(submissionOf(first.result).problems).toBeUndefined();
    expect(second.result).toMatchObject({ kind: 'page', status: 422 });
  });

  it('lets one form through, whatever the provider says of its answer again', async () => {
    const { book } = await opened(use);
    answer = { status: 200, body: JSON.stringify({ success: true }) };

    const first = await book({ ...lead, [field]: 'good' });
    const second = await book({ ...lead, [field]: 'good' });

    expect(submissionOf(first.result).problems).toBeUndefined();
    expect(second.result).toMatchObject({ kind: 'page', status: 422 });
  });

  it('asks again after the provider failed, and when its answer is five minutes old', async () => {
    const { book, send, clock } = await opened(use);
    answer = { status: 500, body: '' };
    const { hidden, result } = await book({ ...lead, [field]: 'good' });
    asked = [];
    answer = { status: 200, body: '' };

    const again = await send({ ...hidden, ...lead, [field]: 'good' });
    await clock.advance(5 * 60_000);
    const late = await send({ ...hidden, ...lead, [field]: 'good' });

    expect([result, again, late].map(({ kind }) => kind)).toEqual(['page', 'submission', 'page']);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['the form’s own host', 'sync.example'],
    ['the form’s own host in capitals', 'Sync.Example'],
    ['a listed website', 'www.clinic.example'],
    ['no host, as hCaptcha when it is busy', 'not-provided'],
    ['nothing about the host', undefined],
  ])('takes a proof from %s', async (_what, given) => {
    hostname = given;
    const { book } = await opened(use);

    const { result } = await book({ ...lead, [field]: 'good' });

    expect(submissionOf(result).problems).toBeUndefined();
  });

  it.each([
    ['another website', 'evil.example', {}],
    ['a website that only begins like ours', 'sync.example.evil.example', {}],
    ['a website below ours', 'a.sync.example', {}],
    ['what is no host', 'evil example', {}],
    ['what the request claims, where the public address is known', 'evil.example', { host: 'evil.example' }],
  ])('asks once, and then holds, a proof from %s', async (_what, given, headers) => {
    hostname = given;
    const { load, insist, clock } = await opened(use);
    const hidden = hiddenIn(await load());
    await clock.advance(10_000);

    const { result } = await insist({ ...hidden, ...lead, [field]: 'good' }, headers, 'sync.example');

    expect(submissionOf(result)).toMatchObject({ fields: lead, problems: [{ field: 'captcha' }] });
    expect(result).toMatchObject({ trouble: { cause: 'other_host' } });
  });

  it.each([
    ['is refused', 'bad', 200, ''],
    ['is missing', '', 200, ''],
    ['cannot be checked: the provider fails', 'good', 500, ''],
    ['cannot be checked: the provider answers nonsense', 'good', 200, '<html>'],
    ['cannot be checked: the provider says something else', 'good', 200, '{"success":"true"}'],
  ])('asks once, and then holds, a request whose answer %s', async (_why, token, status, body) => {
    answer = { status, body };
    const { load, insist, clock } = await opened(use);
    const hidden = hiddenIn(await load());
    await clock.advance(10_000);

    const { result } = await insist({ ...hidden, ...lead, [field]: token });

    expect(submissionOf(result)).toMatchObject({ fields: lead, problems: [{ field: 'captcha' }] });
  });
});

it('holds requests while the provider is not there at all', async () => {
  const { load, insist, clock } = await opened('turnstile');
  const hidden = hiddenIn(await load());
  await clock.advance(10_000);
  await new Promise((done) => server.close(done));

  const { result } = await insist({ ...hidden, ...lead, 'cf-turnstile-response': 'good' });

  expect(submissionOf(result).problems).toMatchObject([{ field: 'captcha' }]);
  server.listen(0, '127.0.0.1');
});

it('is refused without its secret', async () => {
  await expect(visit({ form: { captcha: { use: 'turnstile', site_key: '0x4AAAAAAA' } } })).rejects.toThrow(
    'secret',
  );
});
