import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startForwardProxy } from '../../../test/support/http/forward-proxy.ts';
import { destinations } from './destination.ts';
import { reach } from './reach.ts';

/** Whatever is behind a proxy that forwards; it speaks no TLS. */
const behind = createServer((socket) => socket.destroy());
let proxy: Awaited<ReturnType<typeof startForwardProxy>>;

beforeEach(async () => {
  await new Promise<void>((done) => behind.listen(0, '127.0.0.1', done));
  proxy = await startForwardProxy((behind.address() as { port: number }).port);
  vi.stubEnv('HTTPS_PROXY', proxy.url);
  vi.stubEnv('HTTP_PROXY', proxy.url);
});
afterEach(() => {
  vi.unstubAllEnvs();
  proxy.close();
  behind.close();
});

/** Only the proxy can look the name up. */
const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
const named = destinations([], (_host, _options, found) => found(unknown, []));
const asked = (url: string) =>
  reach({ url: new URL(url), destinations: named, timeoutMs: 500 }, new AbortController().signal);

it.each([
  ['cuts the tunnel', 0],
  ['refuses the tunnel', 403],
  ['says nothing', -1],
])('finds no receiver behind a proxy that %s', async (_what, answer) => {
  proxy.state.answer = answer;

  await expect(asked('https://crm.example/hook')).rejects.toMatchObject({ code: 'ERR_PROXY_TUNNEL' });
  expect(proxy.seen).toEqual([
    { line: 'CONNECT crm.example:443', credentials: `Basic ${btoa('me:planted-secret')}` },
  ]);
});

it('finds no receiver that does not speak TLS behind the proxy', async () => {
  await expect(asked('https://crm.example/hook')).rejects.toMatchObject({ code: 'ECONNRESET' });
});

it('has reached but the proxy where calls are not encrypted', async () => {
  expect(await asked('http://crm.example/hook')).toBe(new URL(proxy.url).host);
  expect(proxy.seen).toEqual([]);
});
