import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import {
  accepted,
  plantedWords,
  sampleIntake,
  samplePort,
  startSampleHttp,
} from '../../../test/support/http/http-kit.ts';
import { planted } from '../../../test/support/http/sample-insight.ts';
import { emptyView } from '../../app/empty-view.ts';
import type { HttpIntake, IntakeRequest } from '../../connector.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { HttpOptions } from '../http.ts';

const bearer = { authorization: 'Bearer intake-token' };
const submission = JSON.stringify({ ...planted, appointment_date: '2026-03-05', appointment_time: '10:30' });

async function start(more: Partial<HttpOptions> = {}) {
  const clock = fakeClock();
  const bookings = samplePort();
  const http = await startSampleHttp({ bookings, ...more }, clock);
  onTestFinished(() => http.stop());
  const post = (path = '/in/website', init: RequestInit = {}) =>
    fetch(`${http.url}${path}`, {
      method: 'POST',
      body: submission,
      headers: bearer,
      redirect: 'manual',
      ...init,
    });
  return { http, clock, post, taken: bookings.taken };
}

/** A public form behind which every submission is merged into `CS-7K3Q9F`, that of the visitor with the id `first`. */
async function startPublicForm() {
  const intakes = withIntake({
    visitors: { tenMinutes: 10, day: 30, everybodyHour: 100 },
    authorize: ({ headers }) =>
      headers.authorization === undefined ? { kind: 'refused', status: 401, message: 'No token' } : undefined,
    receive: async ({ body }) => ({
      kind: 'submission',
      submission: { source: 'website', submission_id: body.toString(), fields: {} },
      thanks: 'https://a.example/?{ref}',
    }),
  });
  const bookings = samplePort({
    accept: async ({ submission_id }) => accepted({ created: false, own: submission_id === 'first' }),
  });
  const { post } = await start({ ...intakes, bookings });
  return async (body: string, headers: Record<string, string> = {}) => {
    const answer = await post('/in/website', { body, headers });
    return answer.headers.get('location') ?? ((await answer.json()) as { ref: string }).ref;
  };
}

describe('a visitor of a public form', () => {
  it('whose request is merged into another person’s booking gets a reference that does not reveal it', async () => {
    const refOf = await startPublicForm();

    const ref = await refOf('second');
    const again = await refOf('second');
    const third = await refOf('third');
    const shown = await refOf('second', { accept: 'text/html' });

    expect(ref).toMatch(/^CS-[0-9A-HJKMNP-TV-Z]{6}$/);
    expect(new Set(['CS-7K3Q9F', ref, third]).size).toBe(3);
    expect([again, shown]).toEqual([ref, `https://a.example/?${ref}`]);
  });

  it('who sends the same form twice gets the reference of the first time, as does whoever has the token', async () => {
    const refOf = await startPublicForm();

    expect(await refOf('first')).toBe('CS-7K3Q9F');
    expect(await refOf('second', bearer)).toBe('CS-7K3Q9F');
  });
});

const withIntake = (intake: Partial<HttpIntake>) => ({
  intakes: new Map([['website', { intake: { ...sampleIntake('website'), ...intake }, view: emptyView }]]),
});

describe('taking a booking', () => {
  it('answers with the ref and the state once it is stored', async () => {
    const { post, taken } = await start();

    const answer = await post();

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({ ok: true, ref: 'CS-7K3Q9F', state: 'queued' });
    expect(taken).toHaveLength(1);
  });

  it('answers 200 also when it is held, and says why', async () => {
    const held = accepted({
      state: 'held',
      reason: 'duplicate_suspect',
      message: 'Like CS-AAAAAA',
      duplicate_of: 'CS-AAAAAA',
    });
    const { post } = await start({ bookings: samplePort({ accept: async () => held }) });

    const answer = await post();

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      ok: true,
      ref: 'CS-7K3Q9F',
      state: 'held',
      reason: 'duplicate_suspect',
      message: 'Like CS-AAAAAA',
      duplicate_of: 'CS-AAAAAA',
    });
  });

  it('confirms receipt to senders who may not read bookings, and nothing more', async () => {
    const { receive } = sampleIntake('website');
    const held = accepted({ state: 'held', reason: 'duplicate_suspect', duplicate_of: 'CS-AAAAAA' });
    const { post } = await start({
      bookings: samplePort({ accept: async () => held }),
      ...withIntake({ receive: (one) => receive({ ...one, headers: bearer }) }),
    });

    const answer = await post('/in/website', { headers: {} });

    expect(await answer.json()).toEqual({ ok: true, ref: 'CS-7K3Q9F', state: 'received' });
  });

  it('passes to the connector exactly the bytes, the headers without cookies, the rest of the path and the query', async () => {
    const seen: IntakeRequest[] = [];
    const body = Buffer.from([0xff, 0x00, 0x7b, 0xc3, 0x28]);
    const { post } = await start(
      withIntake({
        async receive(request) {
          seen.push(request);
          return { kind: 'ignored', message: 'seen' };
        },
      }),
    );

    await post('/in/website/secret-path?a=1&a=%C3%A9', {
      body,
      headers: { 'X-Signature': 'sig', 'content-type': 'text/plain', cookie: 'clinic_sync_session=planted' },
    });

    expect(seen[0]).toMatchObject({ method: 'POST', path: 'secret-path', remoteAddress: '127.0.0.1' });
    expect(seen[0]?.body.equals(body)).toBe(true);
    expect(seen[0]?.headers['x-signature']).toBe('sig');
    expect(JSON.stringify(seen[0]?.headers)).not.toContain('planted');
    expect(seen[0]?.query.getAll('a')).toEqual(['1', 'é']);
  });

  it.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/octet-stream',
    undefined,
  ])('leaves every content type to the connector: %s', async (type) => {
    const { post, taken } = await start();

    const answer = await post('/in/website', {
      headers: { ...bearer, ...(type && { 'content-type': type }) },
    });

    expect(answer.status).toBe(200);
    expect(taken).toHaveLength(1);
  });

  it('sends a browser on to the configured page', async () => {
    const intakes = new Map([
      [
        'website',
        { intake: sampleIntake('website', 'intake-token', 'https://clinic.example/thanks'), view: emptyView },
      ],
    ]);
    const { post } = await start({ intakes });

    const answer = await post('/in/website', { headers: { ...bearer, accept: 'text/html,*/*' } });

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('https://clinic.example/thanks');
  });

  it('puts the ref into the configured page’s address where it is asked for', async () => {
    const thanks = 'https://clinic.example/thanks?booking={ref}';
    const intakes = new Map([
      ['website', { intake: sampleIntake('website', 'intake-token', thanks), view: emptyView }],
    ]);
    const { post } = await start({ intakes });

    const answer = await post('/in/website', { headers: { ...bearer, accept: 'text/html' } });

    expect(answer.headers.get('location')).toBe('https://clinic.example/thanks?booking=CS-7K3Q9F');
  });

  it('shows the connector’s page again, storing nothing, when it asks for that', async () => {
    const receive: HttpIntake['receive'] = async () => ({
      kind: 'page',
      status: 422,
      html: '<p>Again, please</p>',
    });
    const { post, taken } = await start(withIntake({ receive }));

    const answer = await post();

    expect(answer.status).toBe(422);
    expect(await answer.text()).toBe('<p>Again, please</p>');
    expect(taken).toEqual([]);
  });

  it('thanks a browser itself, with the ref, when no page is configured', async () => {
    const { post } = await start();

    const answer = await post('/in/website', { headers: { ...bearer, accept: 'text/html' } });

    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('CS-7K3Q9F');
  });

  it('thanks a bot in the honeypot and stores nothing', async () => {
    const { post, taken } = await start();

    const answer = await post('/in/website', { body: '{"_gotcha":"x"}' });

    expect(await answer.json()).toEqual({ ok: true, message: 'Thank you' });
    expect(taken).toEqual([]);
  });
});

describe('checking without storing', () => {
  it('answers 422 with the field errors', async () => {
    const errors = [{ field: 'appointment_date', message: 'is missing' }];
    const bookings = samplePort({ validate: async () => errors });
    const { post } = await start({ bookings });

    const answer = await post('/in/website?validate=1');

    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({ ok: false, errors });
    expect(bookings.taken).toEqual([]);
  });

  it('answers 200 when nothing is wrong', async () => {
    const { post, taken } = await start();

    const answer = await post('/in/website?validate=1');

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ ok: true });
    expect(taken).toEqual([]);
  });
});

describe('refusing', () => {
  it('repeats what the connector says, as JSON', async () => {
    const { post, taken } = await start();

    const answer = await post('/in/website', { headers: {} });

    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({
      ok: false,
      message: 'The token is wrong',
      hint: 'Send the connector’s token.',
    });
    expect(taken).toEqual([]);
  });

  it.each([
    ['soon when it cannot be stored', false, '5', /few seconds/],
    ['later when the database is broken until a person repairs it', true, '60', /repair its database/],
  ])('asks the sender to retry %s', async (_when, lasting, retryAfter, hint) => {
    const accept = async () => {
      throw new Failure({ kind: 'transient', message: 'It cannot be written', lasting });
    };
    const { post } = await start({ bookings: samplePort({ accept }) });

    const answer = await post();

    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
    expect(await answer.json()).toMatchObject({ ok: false, hint: expect.stringMatching(hint) });
  });

  it('asks the sender to retry when the connector fails, without quoting its error', async () => {
    const receive = async () => {
      throw new TypeError('Zerlina is not a function');
    };
    const { post } = await start(withIntake({ receive }));

    const answer = await post();

    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain('Zerlina');
  });

  it('takes no property of objects for a connector', async () => {
    const { post } = await start();

    const answers = await Promise.all(
      ['__proto__', 'constructor', 'nope', '%00'].map((name) => post(`/in/${name}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('answers 413 above 64 kB, whether the length is announced or not', async () => {
    const { post, taken } = await start();
    const tooLarge = 'x'.repeat(65_537);
    const stream = new Blob([tooLarge]).stream();

    const answers = [
      await post('/in/website', { body: tooLarge }),
      await post('/in/website', { body: stream, duplex: 'half' } as RequestInit),
    ];

    expect(answers.map(({ status }) => status)).toEqual([413, 413]);
    expect(taken).toEqual([]);
  });

  it('takes exactly 64 kB', async () => {
    const { post } = await start();
    const body = JSON.stringify({ note: 'x'.repeat(65_536 - 11) });

    expect(body).toHaveLength(65_536);
    expect((await post('/in/website', { body })).status).toBe(200);
  });

  it('refuses compressed bodies instead of misreading them', async () => {
    const { post } = await start();

    expect((await post('/in/website', { headers: { ...bearer, 'content-encoding': 'gzip' } })).status).toBe(
      415,
    );
  });

  it('says which methods there are', async () => {
    const { post } = await start();

    const answer = await post('/in/website', { method: 'DELETE' });

    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain('POST');
    expect(await answer.json()).toMatchObject({ ok: false });
  });
});

it('can be read by a script on the clinic’s website', async () => {
  const { http, post } = await start();

  const preflight = await fetch(`${http.url}/in/website`, { method: 'OPTIONS' });
  const answer = await post();

  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
});

describe('reading a booking back', () => {
  it('gives its source the state', async () => {
    const { http } = await start();

    const answer = await fetch(`${http.url}/in/website/cs-7k3q9f`, { headers: bearer });

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      ok: true,
      ref: 'CS-7K3Q9F',
      state: 'queued',
      changed_at: '2026-03-02T09:00:00.000Z',
    });
  });

  it('knows nothing of other sources’ bookings', async () => {
    const { http } = await start();

    expect((await fetch(`${http.url}/in/website/CS-000000`, { headers: bearer })).status).toBe(404);
  });

  it('serves the connector’s own pages, which no script runs in and only named websites may frame', async () => {
    const { http } = await start();

    const page = await fetch(`${http.url}/in/website/form`);
    const missing = await fetch(`${http.url}/in/website/other`);

    expect(await page.text()).toContain('<title>Form</title>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).not.toContain('script');
    expect(page.headers.get('content-security-policy')).toMatch(/; frame-ancestors 'self'$/);
    expect(missing.status).toBe(404);
  });
});

it('logs one line per submission, without addresses or bodies', async () => {
  const lines: string[] = [];
  const write = (text: string, fields?: object) => lines.push(`${text} ${JSON.stringify(fields)}`);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const { post } = await start({ log });
  lines.length = 0;

  await post();
  await post('/in/website', { headers: {} });

  expect(lines).toEqual([
    'intake answered {"connector":"website","status":200,"ms":0,"ref":"CS-7K3Q9F","state":"queued"}',
    'intake answered {"connector":"website","status":401,"ms":0,"reason":"refused"}',
  ]);
  for (const word of [...plantedWords, '127.0.0.1']) expect(lines.join('\n')).not.toContain(word);
});

it('tells a public form what its visitors ran into before it was asked', async () => {
  const told: string[] = [];
  const bookings = samplePort();
  const intake: HttpIntake = {
    ...sampleIntake('website'),
    visitors: { tenMinutes: 1, day: 30, everybodyHour: 100 },
    receive: async () => ({ kind: 'submission', submission: { source: 'website', fields: {} } }),
    trouble: ({ cause }) => void told.push(cause),
  };
  const http = await startSampleHttp({
    bookings,
    intakes: new Map([['website', { intake, view: emptyView }]]),
  });
  onTestFinished(() => http.stop());
  const post = (path: string) => fetch(`${http.url}${path}`, { method: 'POST', body: 'a=1' });

  const statuses = [await post('/in/website?rehearse=1'), await post('/in/website')].map(
    ({ status }) => status,
  );
  await fetch(`${http.url}/in/websiet/form`);

  // A form whose address still says that it is tried is meant by its visitors.
  expect(bookings.taken).toHaveLength(1);
  expect(statuses).toEqual([200, 429]);
  expect(told).toEqual(['rehearse', 'address', 'path']);
});
