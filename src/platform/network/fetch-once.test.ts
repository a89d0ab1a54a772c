import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startForwardProxy } from '../../../test/support/http/forward-proxy.ts';
import { fetchOnce, fetchWithin } from './fetch-once.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a single call', () => {
  it.each([
    ['closes every tunnel', { answer: 0, cutsTunnels: false }],
    ['cuts every tunnel that it opened', { answer: undefined, cutsTunnels: true }],
    ['refuses tunnels', { answer: 407, cutsTunnels: false }],
  ])('ends with one connection to a proxy that %s', async (_what, state) => {
    const proxy = await startForwardProxy(9);
    Object.assign(proxy.state, state);
    vi.stubEnv('HTTPS_PROXY', proxy.url);

    const called = fetchOnce('https://sheets.example/v4', { method: 'POST', body: '{}' });

    await expect(called).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    expect(proxy.seen.map(({ line }) => line)).toEqual(['CONNECT sheets.example:443']);
    proxy.close();
  });

  it('takes what it sends nowhere but to its address, and ends when it is aborted or never answered', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((asked, answer) => {
      seen.push(asked.url);
      if (asked.url === '/moved') answer.writeHead(302, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const abort = new AbortController();

    const moved = await fetchOnce(`http://127.0.0.1:${port}/moved`, { method: 'POST', body: 'assertion' });
    const silent = fetchOnce(`http://127.0.0.1:${port}/silent`, { signal: abort.signal });
    await vi.waitFor(() => expect(seen).toHaveLength(2));
    const late = fetchWithin(50, `http://127.0.0.1:${port}/silent`);
    await expect(late).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    abort.abort();

    expect(moved.status).toBe(302);
    await expect(silent).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual(['/moved', '/silent', '/silent']);
    server.close();
  });
});
