import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { outsideLines } from './outside.ts';

const headers = { 'cache-control': 'no-store, no-transform', 'referrer-policy': 'same-origin' };
let forms = 0;

/** A daemon, or what a proxy makes of it. */
async function serve(change: Partial<Record<string, string>> = {}, more: Record<string, string> = {}) {
  const answer: RequestListener = ({ url = '' }, response) => {
    forms += 1;
    const own: Record<string, string> = {
      '/livez': '{"ok":true}',
      '/in/website/form': `<form method="post"><input type="hidden" name="submission_id" value="id-${forms}">`,
      '/in/website/form.js': 'form()',
      '/in/website/embed.js': 'embed()',
    };
    const text = change[url] ?? own[url];
    response.writeHead(text === undefined ? 404 : 200, { ...headers, ...more }).end(text ?? 'nothing');
  };
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const check = async (publicUrl: string) => {
  const { signal } = new AbortController();
  const lines = await outsideLines({ publicUrl, own: await serve(), forms: ['website'], signal });
  return lines.map((line) => [
    line.level,
    line.what.replaceAll(publicUrl, ''),
    line.level === 'ok' ? '' : line.hint,
  ]);
};

it('finds nothing wrong where everything arrives as it was sent', async () => {
  expect((await check(await serve())).map(([level]) => level)).toEqual(['ok', 'ok', 'ok', 'ok']);
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

it('says which path does not lead here, and when nothing answers', async () => {
  const cut = await check(`${await serve()}/clinic-sync`);
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
