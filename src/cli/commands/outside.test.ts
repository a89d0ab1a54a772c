import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { startForwardProxy } from '../../../test/support/http/forward-proxy.ts';
import { DOCTOR_HEADER } from '../../http/doctor-pass.ts';
import { outsideLines } from './outside.ts';

afterEach(() => vi.unstubAllEnvs());

const headers = { 'cache-control': 'no-store, no-transform', 'referrer-policy': 'same-origin' };
let forms = 0;

/** A daemon, or what a proxy makes of it. */
async function serve(
  change: Partial<Record<string, string>> = {},
  more: Record<string, string> = {},
  seen: Record<string, string> = {},
) {
  const answer: RequestListener = ({ url = '', headers: { host = '', ...asked } }, response) => {
    forms += 1;
    const own: Record<string, string> = {
      '/livez': '{"ok":true}',
      '/in/website/form': `<form method="post"><input type="hidden" name="submission_id" value="id-${forms}">`,
      '/in/website/form.js': 'form()',
      '/in/website/embed.js': 'embed()',
    };
    const text = change[url] ?? own[url];
    const arrived = { host, scheme: '', path: url, ...seen };
    const told = asked[DOCTOR_HEADER] === 'pass' && { [DOCTOR_HEADER]: `${new URLSearchParams(arrived)}` };
    response
      .writeHead(text === undefined ? 404 : 200, { ...headers, ...told, ...more })
      .end(text ?? 'nothing');
  };
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const check = async (publicUrl: string, isWhole = true) => {
  const { signal } = new AbortController();
  const lines = await outsideLines({
    ...{ publicUrl, isWhole, pass: 'pass', own: await serve(), forms: ['website'], signal },
  });
  return lines.map((line) => [
    line.level,
    line.what.replaceAll(publicUrl, ''),
    line.level === 'ok' ? '' : line.hint,
  ]);
};

it('finds nothing wrong where everything arrives as it was sent', async () => {
  expect((await check(await serve())).map(([level]) => level)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
});

it('says what a proxy changes, with the remedy for that proxy', async () => {
  const form = '<form method="post"><input type="hidden" name="submission_id" value="id-of-all">';
  const changed = { '/in/website/form': form, '/in/website/form.js': 'f()' };
  const lines = await check(await serve(changed, { server: 'cloudflare', 'referrer-policy': 'no-referrer' }));

  expect(lines).toContainEqual([
    'warn',
    expect.stringContaining('/in/website/form is cached'),
    expect.stringContaining('Cloudflare: add a cache rule'),
  ]);
  expect(lines).toContainEqual([
    'warn',
    expect.stringContaining('the referrer policy no-referrer'),
    expect.anything(),
  ]);
  expect(lines).toContainEqual([
    'warn',
    '/in/website/form.js does not arrive as it was sent',
    expect.stringContaining('Rocket Loader'),
  ]);
});

it('says that a proxy passes on another Host or path, with the remedy for that proxy', async () => {
  const server = { server: 'nginx/1.26.3' };
  const [, other] = await check(await serve({}, server, { host: 'daemon:8080' }));
  const [path] = await check(`${await serve({}, server)}/clinic-sync`);

  expect(other).toEqual([
    'warn',
    expect.stringContaining('passes on Host as daemon:8080 instead of 127.0.0.1:'),
    expect.stringContaining('proxy_set_header Host $http_host'),
  ]);
  expect(path).toEqual([
    'warn',
    expect.stringContaining('/livez arrives as /clinic-sync/livez instead of /livez'),
    expect.anything(),
  ]);
});

it('looks at the form alone where only forms are public', async () => {
  const lines = await check(await serve({ '/livez': 'nothing' }), false);

  expect(lines.map(([level]) => level)).toEqual(['ok', 'ok', 'ok', 'ok']);
});

it('says which path does not lead here, and when nothing answers', async () => {
  // Another server's answer.
  const cut = await check(`${await serve({}, { [DOCTOR_HEADER]: '' })}/clinic-sync`);
  const away = await check('http://127.0.0.1:1');

  expect(cut[0]).toEqual([
    'warn',
    expect.stringContaining('/livez does not lead to this server (404'),
    expect.anything(),
  ]);
  expect(away).toEqual([
    ['warn', expect.stringContaining('from this machine,'), expect.stringContaining('cannot reach its own')],
  ]);
});

it('asks once where a proxy on the way out cuts every tunnel, and names that proxy', async () => {
  const proxy = await startForwardProxy(9);
  onTestFinished(() => proxy.close());
  proxy.state.answer = 0;
  vi.stubEnv('HTTPS_PROXY', proxy.url);

  const lines = await check('https://ops.clinic.example');

  expect(lines).toEqual([
    ['warn', 'from this machine,  could not be reached through the outgoing proxy', expect.anything()],
  ]);
  expect(proxy.seen.map(({ line }) => line)).toEqual(['CONNECT ops.clinic.example:443']);
});

it('follows redirects of the same host, and takes its pass to no other', async () => {
  const daemon = await serve();
  const passes: unknown[] = [];
  const other = createServer(({ headers: asked }, response) => {
    passes.push(asked[DOCTOR_HEADER]);
    response.end('a page to sign in');
  });
  await new Promise<void>((done) => other.listen(0, 'localhost', done));
  onTestFinished(() => void other.close().closeAllConnections());
  const elsewhere = `http://localhost:${(other.address() as AddressInfo).port}/sign-in`;
  const moved = createServer(({ url = '' }, response) => {
    const here = url.startsWith('/clinic-sync');
    response.writeHead(302, { location: here ? `${daemon}${url.slice('/clinic-sync'.length)}` : elsewhere });
    response.end();
  });
  await new Promise<void>((done) => moved.listen(0, '127.0.0.1', done));
  onTestFinished(() => void moved.close().closeAllConnections());
  const port = (moved.address() as AddressInfo).port;

  const followed = await check(`http://127.0.0.1:${port}/clinic-sync`);
  const [stayed] = await check(`http://127.0.0.1:${port}`);

  expect(followed[0]).toEqual(['ok', expect.stringContaining('/livez leads here'), '']);
  expect(stayed?.[1]).toContain(`/livez does not lead to this server (302 → ${elsewhere}`);
  expect(passes).toEqual([]);
});
