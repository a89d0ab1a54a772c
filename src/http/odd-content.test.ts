import { describe, expect, it, onTestFinished } from 'vitest';
import { startSampleHttp } from '../../test/support/http/http-kit.ts';

async function start() {
  const http = await startSampleHttp();
  onTestFinished(() => http.stop());
  const post = (body: string) =>
    fetch(`${http.url}/in/website`, {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer intake-token' },
    });
  return { http, post };
}

describe('odd content', () => {
  it.each([
    ['__proto__', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'],
    ['a lone surrogate', '{"patient_name":"\\ud800","note":"\\udfff"}'],
    ['nothing', ''],
    ['null', 'null'],
    ['a deep array', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['a byte order mark', '\ufeff{}'],
  ])('is survived: %s', async (_what, body) => {
    const { http, post } = await start();

    const answer = await post(body);

    expect([200, 400]).toContain(answer.status);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((await fetch(`${http.url}/livez`)).status).toBe(200);
  });

  it.each([
    '/in/website/%ED%A0%80',
    '/in/website/%',
    '/in/%E0%A4%A',
    `/in/${'x'.repeat(3_000)}`,
    '/in/website?%=%&__proto__=1',
  ])('is survived in the address: %s', async (path) => {
    const { http } = await start();

    const answer = await fetch(`${http.url}${path}`);

    expect([400, 404, 414]).toContain(answer.status);
    expect(await answer.json()).toMatchObject({ ok: false });
  });
});
