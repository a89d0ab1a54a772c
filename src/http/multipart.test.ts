import { describe, expect, it, onTestFinished } from 'vitest';
import { sampleIntake, samplePort, startSampleHttp } from '../../test/support/http/http-kit.ts';
import { emptyView } from '../app/empty-view.ts';
import type { HttpIntake, IntakeRequest } from '../connector.ts';
import type { HttpOptions } from './http.ts';

const bearer = { authorization: 'Bearer intake-token' };

async function start(more: Partial<HttpOptions> = {}) {
  const bookings = samplePort();
  const http = await startSampleHttp({ bookings, ...more });
  onTestFinished(() => http.stop());
  const post = (path: string, init: RequestInit) =>
    fetch(`${http.url}${path}`, { method: 'POST', headers: bearer, ...init });
  return { http, post, taken: bookings.taken };
}

const withIntake = (intake: Partial<HttpIntake>) => ({
  intakes: new Map([['website', { intake: { ...sampleIntake('website'), ...intake }, view: emptyView }]]),
});

describe('a form with files', () => {
  const form = (fileBytes: number, ...notes: string[]) => {
    const data = new FormData();
    data.append('patient_name', 'Åsa "the" O’Neil');
    data.append('photo', new Blob([new Uint8Array(fileBytes)]), 'x-ray.jpg');
    for (const note of notes) data.append('note', note);
    return data;
  };
  const noteTaker = () => {
    const bodies: IntakeRequest[] = [];
    const receive: HttpIntake['receive'] = async (request) => {
      bodies.push(request);
      return { kind: 'ignored', message: 'seen' };
    };
    return { bodies, more: withIntake({ receive }) };
  };
  const fieldsOf = async ({ body, headers }: IntakeRequest) =>
    new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData();

  it('loses a large file, not the lead', async () => {
    const { bodies, more } = noteTaker();
    const { post } = await start(more);

    const answer = await post('/in/website', { body: form(3_000_000, 'hello') });

    expect(answer.status).toBe(200);
    const [seen] = bodies;
    expect.assert(seen);
    expect(seen.body.length).toBeLessThan(1_000);
    expect([...(await fieldsOf(seen))]).toEqual([
      ['patient_name', 'Åsa "the" O’Neil'],
      ['note', 'hello'],
    ]);
  });

  it('loses the end of a text that no connector reads, not the lead', async () => {
    const { bodies, more } = noteTaker();
    const { post } = await start(more);

    const answer = await post('/in/website', { body: form(70_000, 'x'.repeat(60_000)) });

    expect(answer.status).toBe(200);
    expect.assert(bodies[0]);
    const note = (await fieldsOf(bodies[0])).get('note');
    expect(`${note}`.length).toBeGreaterThan(32_768);
  });

  it('reaches the connector as it is when it is small', async () => {
    const { bodies, more } = noteTaker();
    const { post } = await start(more);
    const sent = new Response(form(10, 'hello'));
    const bytes = Buffer.from(await sent.arrayBuffer());

    await post('/in/website', {
      body: new Uint8Array(bytes),
      headers: { 'content-type': sent.headers.get('content-type') ?? '' },
    });

    expect(bodies[0]?.body.equals(bytes)).toBe(true);
  });

  it.each([
    ['its fields are too large', form(70_000, ...Array.from({ length: 3 }, () => 'x'.repeat(30_000))), 413],
    ['it is larger than 10 MB', form(10_500_000), 413],
  ])('is refused when %s', async (_why, body, status) => {
    const { post, taken } = await start();

    const answer = await post('/in/website', { body });

    expect(answer.status).toBe(status);
    expect(taken).toEqual([]);
  });

  it('is refused when it has more fields than any form', async () => {
    const { post, taken } = await start();
    const data = form(70_000);
    for (let i = 0; i < 1_100; i += 1) data.append(`f${i}`, '');

    expect((await post('/in/website', { body: data })).status).toBe(413);
    expect(taken).toEqual([]);
  });

  const raw = (body: string, boundary = 'b') => ({
    body,
    headers: { ...bearer, 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  const part = (...headers: string[]) => `--b\r\n${headers.join('\r\n')}\r\n\r\n`;
  const large = `${part('content-disposition: form-data; name="f"; filename="x"')}${'0'.repeat(66_000)}\r\n--b--\r\n`;

  it.each([
    ['no name', 'content-disposition: form-data'],
    ['a name without a value', 'content-disposition: form-data; name'],
    ['a file name alone', 'content-disposition: form-data; filename'],
    ['a lone surrogate', "content-disposition: form-data; name*=utf-8''%ED%A0%80"],
    [
      'a character set that is none',
      'content-disposition: form-data; name="a"',
      'content-type: text/plain; charset=none',
    ],
    ['an encoding that is none', 'content-disposition: form-data; name="a"', 'content-transfer-encoding: x'],
    ['no headers', ''],
    ['a name of objects', 'content-disposition: form-data; name="__proto__"'],
  ])('ends no daemon with %s', async (_, ...headers) => {
    const { post } = await start(noteTaker().more);

    for (const path of ['/in/website', '/in/unknown', '/nothing'])
      await post(path, raw(`${part(...headers)}x\r\n${large}`));

    expect((await post('/in/website', { body: form(3_000_000, 'hello') })).status).toBe(200);
  });

  it.each([
    ['parts without headers', '--b\r\n\r\n\r\n'],
    ['empty files', `${part('content-disposition: form-data; name="f"; filename="x"')}\r\n`],
  ])('is refused for more %s than any form has', async (_, piece) => {
    const { post } = await start(noteTaker().more);

    const { status } = await post('/in/website', raw(`${piece.repeat(100_000)}--b--\r\n`));

    expect(status).toBe(413);
  });

  it('is refused for a boundary longer than any', async () => {
    const { post } = await start(noteTaker().more);

    expect((await post('/in/website', raw(large, 'b'.repeat(71)))).status).toBe(400);
  });

  it('is refused when a file is cut short', async () => {
    const { http, post, taken } = await start();
    const whole = new Response(form(200_000));
    const cut = (await whole.arrayBuffer()).slice(0, 150_000);

    const answer = await post('/in/website', {
      body: cut,
      headers: { ...bearer, 'content-type': whole.headers.get('content-type') ?? '' },
    });

    expect(answer.status).toBe(400);
    expect(taken).toEqual([]);
    expect((await fetch(`${http.url}/livez`)).status).toBe(200);
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=other', 'multipart/form-data; boundary='])(
    'is refused when it is damaged: %s',
    async (type) => {
      const { http, post } = await start();
      const body = `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'x'.repeat(70_000)}`;

      const answer = await post('/in/website', { body, headers: { ...bearer, 'content-type': type } });

      expect([400, 413]).toContain(answer.status);
      expect((await fetch(`${http.url}/livez`)).status).toBe(200);
    },
  );
});
