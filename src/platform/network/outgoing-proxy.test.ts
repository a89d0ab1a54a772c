import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startForwardProxy } from '../../../test/support/http/forward-proxy.ts';
import { destinations } from './destination.ts';
import { proxyFor, proxyName, unusableProxies, useProxies } from './outgoing-proxy.ts';
import { createPoster } from './post.ts';

const proxied = (url: string, environment: Record<string, string>) => {
  const proxy = proxyFor(new URL(url), environment);
  return proxy && `${proxyName(proxy)} ${proxy.setting}`;
};

describe('the proxy of an address', () => {
  const both = { HTTPS_PROXY: 'http://me:secret@proxy.example:3128', http_proxy: 'other.example:8080' };

  it.each([
    ['https://clinic.example/api', both, 'proxy.example:3128 HTTPS_PROXY'],
    ['http://clinic.example/api', both, 'other.example:8080 HTTP_PROXY'],
    ['https://clinic.example', { http_proxy: 'http://p:1' }, undefined],
    ['https://clinic.example', { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:1' }, 'b:1 HTTPS_PROXY'],
    ['https://clinic.example', { HTTPS_PROXY: '' }, undefined],
    ['https://clinic.example', { HTTPS_PROXY: 'socks5://p:1080' }, undefined],
    ['http://localhost:8080', both, undefined],
    ['http://127.0.0.1:8080', both, undefined],
    ['http://[::1]:8080', both, undefined],
  ])('of %s with %j is %s', (url, environment, wanted) => {
    expect(proxied(url, environment)).toBe(wanted);
  });

  it.each([
    ['*', true],
    ['clinic.example', true],
    ['example', true],
    ['.clinic.example', true],
    ['*.example', true],
    ['linic.example', false],
    ['other.example, CLINIC.EXAMPLE', true],
    ['other.example api.clinic.example', true],
    ['clinic.example:443', true],
    ['clinic.example:8443', false],
    ['', false],
  ])('is none for what NO_PROXY=%s names: %s', (NO_PROXY, isSpared) => {
    expect(proxied('https://api.clinic.example', { ...both, NO_PROXY }) === undefined).toBe(isSpared);
  });

  it('spares addresses that are named', () => {
    expect(proxied('https://10.0.0.7', { ...both, NO_PROXY: '10.0.0.7' })).toBeUndefined();
    expect(proxied('https://[fd00::7]', { ...both, NO_PROXY: 'fd00::7' })).toBeUndefined();
    expect(proxied('https://[fd00::7]:8443', { ...both, NO_PROXY: '[fd00::7]:8443' })).toBeUndefined();
    expect(proxied('https://110.0.0.7', { ...both, NO_PROXY: '10.0.0.7' })).toBeDefined();
  });

  it('is none for an address of this machine', () => {
    const addresses = ['10.0.0.5', 'fd00::5'].map((address) => ({ address }) as os.NetworkInterfaceInfo);
    vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: addresses });
    onTestFinished(() => void vi.restoreAllMocks());

    expect(proxied('http://10.0.0.5:8080', both)).toBeUndefined();
    expect(proxied('http://[fd00::5]:8080', both)).toBeUndefined();
    expect(proxied('http://10.0.0.6:8080', both)).toBeDefined();
  });

  it('that cannot be used is named', () => {
    expect(unusableProxies({ HTTPS_PROXY: 'socks5://p:1080', http_proxy: 'p:3128' })).toEqual([
      'HTTPS_PROXY',
    ]);
  });
});

describe('behind a proxy', () => {
  const closing: (() => unknown)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  async function setUp() {
    const bodies: string[] = [];
    const receiver = createServer(async (request, response) => {
      bodies.push(await new Response(request as never).text());
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', () => resolve()));
    const proxy = await startForwardProxy((receiver.address() as AddressInfo).port);
    closing.push(() => receiver.close(), proxy.close);
    return { bodies, proxy };
  }
  type Addresses = Record<string, string>;
  const post = async (url: string, proxy: string, names: Addresses = {}) => {
    const poster = createPoster({
      url: new URL(url),
      timeoutMs: 500,
      connections: 1,
      environment: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
      destinations: destinations([], (host, _options, callback) => {
        const address = names[host];
        if (address === undefined) callback(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), []);
        else callback(null, [{ address, family: 4 }]);
      }),
    });
    closing.push(() => poster.close());
    return poster.post('{"a":1}', {}, new AbortController().signal).then(
      ({ status }) => status,
      ({ code }) => code,
    );
  };

  it('posts to a receiver whose name only the proxy can look up, with the credentials of the proxy', async () => {
    const { bodies, proxy } = await setUp();

    expect(await post('http://crm.example/hook', proxy.url)).toBe(204);

    expect(bodies).toEqual(['{"a":1}']);
    expect(proxy.seen).toEqual([
      { line: 'POST http://crm.example/hook', credentials: `Basic ${btoa('me:planted-secret')}` },
    ]);
  });

  it.each([
    ['a closed address', 'http://169.254.169.254/latest', {}],
    ['a name of a closed address', 'http://crm.example/', { 'crm.example': '10.0.0.7' }],
    ['a name inside the proxy’s network', 'http://metadata.google.internal/', {}],
    ['a name without a domain', 'http://printer/', {}],
    ['a name inside, over TLS', 'https://crm.corp/', {}],
  ])('does not ask the proxy for %s', async (_title, url, names) => {
    const { proxy } = await setUp();

    expect(await post(url, proxy.url, names as Addresses)).toBe('ADDRESS_REFUSED');
    expect(proxy.seen).toEqual([]);
  });

  it('blames the proxy for what the proxy does', async () => {
    const { proxy } = await setUp();
    proxy.state.answer = 407;

    expect(await post('https://crm.example/hook', proxy.url)).toBe('ERR_PROXY_TUNNEL');
    expect(await post('https://crm.example/hook', 'http://127.0.0.1:1')).toBe('ERR_PROXY_TUNNEL');
    expect(await post('http://crm.example/hook', 'http://127.0.0.1:1')).toBe('ERR_PROXY_TUNNEL');
    proxy.state.answer = -1;
    expect(await post('https://crm.example/hook', proxy.url)).toBe('CONNECT_TIMEOUT');
  });

  it('fetches through it, and this machine without it', async () => {
    const { proxy, bodies } = await setUp();
    const restore = useProxies({ HTTP_PROXY: proxy.url });
    closing.push(() => restore?.());

    const far = await fetch('http://google.example/token', { method: 'POST', body: 'x' });
    const near = await fetch(`${proxy.url.replace('me:planted-secret@', '')}/here`);

    expect([far.status, near.status]).toEqual([204, 400]);
    expect(bodies[0]).toBe('x');
    expect(proxy.seen.map(({ line }) => line)).toEqual(['CONNECT google.example:80', 'GET /here']);
  });
});
