import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../test/support/http/certificate.ts';
import { startForwardProxy } from '../../../test/support/http/forward-proxy.ts';
import { systemClock } from '../../platform/clock.ts';
import { bookingOutcome } from '../booking-outcome.ts';
import { type Broken, hintFor } from './exchange.ts';
import { createTransport, type HttpCall } from './transport.ts';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).toReversed()) await undo();
});

type AnyServer = Pick<Server, 'listen' | 'address' | 'close' | 'once'>;

async function listen(server: AnyServer): Promise<number> {
  const sockets = new Set<Socket>();
  (server as Server).on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  cleanup.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as { port: number }).port;
}

const serve = async (answer: RequestListener) => `http://127.0.0.1:${await listen(createServer(answer))}`;

function transportTo(base_url: string, ca?: string, environment = {}) {
  const transport = createTransport({ base_url, version: '1.2.3', clock: systemClock, ca, environment });
  cleanup.push(() => transport.close());
  return transport;
}

const call: HttpCall = {
  method: 'GET',
  path: '/x',
  headers: { 'x-app-key': 'planted-key', authorization: 'Bearer planted-token' },
  mostBytes: 1_000_000,
  responseMs: 5_000,
  signal: new AbortController().signal,
};
const booking: HttpCall = { ...call, method: 'POST', body: '{"patient_name":"Planted Patient"}' };

describe('the transport', () => {
  it('returns a complete answer: status, body, and how long to wait', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(429, { 'retry-after': '7' }).end('{"success":false}');
    });

    const exchange = await transportTo(`${url}/`).send(call);

    expect(exchange).toEqual({
      kind: 'answer',
      status: 429,
      retryAfterMs: 7_000,
      body: Buffer.from('{"success":false}'),
      serverTime: expect.any(Number),
      peer: expect.stringContaining('127.0.0.1'),
    });
  });

  it('waits five minutes at most before it looks again, however long the server asks for', async () => {
    const far = [
      3_600,
      86_400,
      Math.floor(Date.now() / 1_000) + 7_200,
      new Date(Date.now() + 7_200_000).toUTCString(),
    ];
    const url = await serve((_request, response) => {
      response.writeHead(429, { 'retry-after': String(far.shift()) }).end();
    });
    const transport = transportTo(url);

    const waits: unknown[] = [];
    while (far.length > 0) {
      const exchange = await transport.send(call);
      waits.push(exchange.kind === 'answer' && exchange.retryAfterMs);
    }

    expect(waits).toEqual([300_000, 300_000, 300_000, 300_000]);
  });

  it('sends its name and what it accepts, and opens a new socket for every call', async () => {
    const seen: unknown[] = [];
    const url = await serve(({ headers, method, socket }, response) => {
      seen.push([method, headers.accept, headers['user-agent'], headers.connection, socket.remotePort]);
      response.end('{}');
    });
    const transport = transportTo(url);

    await transport.send(call);
    await transport.send(booking);

    expect(seen).toEqual([
      ['GET', 'application/json', 'clinic-sync/1.2.3', 'close', expect.any(Number)],
      ['POST', 'application/json', 'clinic-sync/1.2.3', 'close', expect.any(Number)],
    ]);
    expect(new Set(seen.map((request) => (request as unknown[])[4])).size).toBe(2);
  });

  it.each([301, 302, 303, 307, 308])('follows no %i', async (status) => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      response.writeHead(status, { location: '/elsewhere' }).end();
    });

    const exchange = await transportTo(url).send(booking);

    expect(exchange).toMatchObject({ kind: 'answer', status });
    expect(requests).toBe(1);
  });

  it('refuses a 300 MB answer sent as a few hundred kilobytes while still decompressing it', async () => {
    const megabyte = Buffer.alloc(1_000_000, ' ');
    const megabytes = (count: number) => Readable.from(Array.from({ length: count }, () => megabyte));
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      pipeline(megabytes(300), createGzip(), response).catch(() => {});
    });
    const before = process.memoryUsage().rss;

    const exchange = await transportTo(url).send({ ...call, mostBytes: 8_000_000 });

    expect(exchange).toMatchObject({ kind: 'broken', connected: true, problem: 'too_long', status: 200 });
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  it.each([
    ['an answer that never comes', () => {}],
    [
      'an answer whose body never ends',
      (response: Parameters<RequestListener>[1]) => response.writeHead(200).write('{'),
    ],
  ])('is given up by its caller: %s', async (_name, answer) => {
    const giveUp = new AbortController();
    const url = await serve((_request, response) => {
      answer(response);
      setImmediate(() => giveUp.abort());
    });

    const exchange = await transportTo(url).send({ ...booking, signal: giveUp.signal });

    expect(exchange).toMatchObject({ kind: 'broken', connected: true, problem: 'aborted' });
  });

  it('calls an answer that is shorter than its length cut', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"success":true}');
      setImmediate(() => response.socket?.end());
    });

    expect(await transportTo(url).send(call)).toMatchObject({ kind: 'broken', problem: 'cut' });
  });

  it('does not wait for ever for an answer', async () => {
    const url = await serve(() => {});

    const exchange = await transportTo(url).send({ ...booking, responseMs: 20 });

    expect(exchange).toMatchObject({ kind: 'broken', connected: true, problem: 'timeout' });
    expect(hintFor(exchange as Broken)).toContain('slow or hangs');
  });

  it('returns no header, body or address in a failure', async () => {
    const url = await serve(({ socket }) => socket.destroy());

    const exchange = await transportTo(url).send(booking);

    expect(JSON.stringify(exchange)).not.toMatch(/planted|127\.0\.0\.1/i);
  });

  it('reports a key that cannot be put into a header', async () => {
    const exchange = await transportTo('http://127.0.0.1:9').send({
      ...call,
      headers: { 'x-app-key': 'a\nb' },
    });

    expect(exchange).toMatchObject({ connected: false, problem: 'unsendable' });
  });
});

describe('never sent', () => {
  const outcomeOf = async (url: string, ca?: string) =>
    bookingOutcome(await transportTo(url, ca).send(booking), (message) => message);

  it('is a refused connection', async () => {
    const server = createTcpServer();
    const port = await listen(server as unknown as AnyServer);
    await new Promise((resolve) => server.close(resolve));

    expect(await outcomeOf(`http://127.0.0.1:${port}`)).toEqual({
      class: 'never_sent',
      detail: 'no connection to the clinic (ECONNREFUSED)',
      lasting: false,
    });
  });

  it('is a name that does not exist', async () => {
    expect(await outcomeOf('http://clinic.invalid')).toMatchObject({ class: 'never_sent' });
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'is a certificate without a trusted issuer, over %s',
    async (version) => {
      let bytes = 0;
      const server = createSecureServer({
        ...(await makeCertificate()),
        minVersion: version,
        maxVersion: version,
      });
      server.on('secureConnection', (socket) => socket.on('data', (data) => (bytes += data.length)));
      const url = `https://127.0.0.1:${await listen(server)}`;

      const outcome = await outcomeOf(url);

      expect(outcome).toEqual({
        class: 'never_sent',
        detail: 'the clinic’s server has a self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
        lasting: true,
      });
      expect(bytes).toBe(0);
    },
  );

  it('is a certificate for another host', async () => {
    const { key, cert } = await makeCertificate();
    const port = await listen(createSecureServer({ key, cert }));

    expect(await outcomeOf(`https://127.0.0.2:${port}`, cert)).toMatchObject({ class: 'never_sent' });
  });

  it('is a key that is too weak, which only OpenSSL’s words tell', async () => {
    const made = await generate([{ name: 'commonName', value: 'localhost' }], {
      ...{ keySize: 1024, algorithm: 'sha256' },
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    });
    const weak = { key: made.private, cert: made.cert, ciphers: 'DEFAULT@SECLEVEL=0' };
    const port = await listen(createSecureServer(weak));

    const outcome = await outcomeOf(`https://127.0.0.1:${port}`, made.cert);

    expect(outcome).toMatchObject({
      class: 'never_sent',
      detail: expect.stringContaining('too weak'),
      lasting: true,
    });
  });

  it('is a TLS connection to a server without TLS', async () => {
    const url = await serve((_request, response) => response.end('{}'));

    expect(await outcomeOf(url.replace('http:', 'https:'))).toMatchObject({ class: 'never_sent' });
  });

  it('is not what a trusted certificate gives', async () => {
    const { key, cert } = await makeCertificate();
    const server = createSecureServer({ key, cert }, (_request, response) =>
      response.writeHead(201).end('{}'),
    );
    const url = `https://127.0.0.1:${await listen(server)}`;

    expect(await outcomeOf(url, cert)).toMatchObject({ class: 'ambiguous', cause: 'unexpected_answer' });
  });
});

describe('through an outgoing proxy', () => {
  async function setUp(secure: boolean) {
    const arrived: string[] = [];
    const isCut = { now: false };
    const answer: RequestListener = (request, response) => {
      arrived.push(`${request.method} ${request.url}`);
      if (isCut.now) request.socket.destroy();
      else response.end('{"success":true}');
    };
    const certificate = await makeCertificate('clinic.example');
    const server = secure ? createSecureServer(certificate, answer) : createServer(answer);
    const proxy = await startForwardProxy(await listen(server));
    cleanup.push(proxy.close);
    const url = `${secure ? 'https' : 'http'}://clinic.example`;
    const environment = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url };
    const send = () => transportTo(url, certificate.cert, environment).send(booking);
    return { arrived, proxy, send, isCut };
  }

  it.each([true, false])('a call arrives (TLS: %s)', async (secure) => {
    const { arrived, proxy, send } = await setUp(secure);

    expect(await send()).toMatchObject({ kind: 'answer', status: 200 });

    expect(arrived).toEqual(['POST /x']);
    expect(proxy.seen[0]?.line).toBe(secure ? 'CONNECT clinic.example:443' : 'POST http://clinic.example/x');
    expect(JSON.stringify(proxy.seen)).not.toContain(secure ? 'planted-token' : 'never');
  });

  it.each([
    ['is refused (407)', 407],
    ['is refused (403)', 403],
    ['cannot reach the clinic (502)', 502],
    ['cannot reach the clinic (503)', 503],
    ['is cut', 0],
  ])('a booking whose tunnel %s was never sent, and the proxy is named', async (_title, answer) => {
    const { arrived, proxy, send } = await setUp(true);
    proxy.state.answer = answer;

    const exchange = await send();

    expect(exchange).toMatchObject({ kind: 'broken', connected: false });
    expect(bookingOutcome(exchange, () => '')).toMatchObject({ class: 'never_sent' });
    expect(hintFor(exchange as Broken)).toMatch(/^Check HTTPS_PROXY/);
    expect(JSON.stringify(exchange)).not.toContain('planted-secret');
    expect(arrived).toEqual([]);
  });

  it('a booking whose tunnel breaks before TLS stands was never sent', async () => {
    const { proxy, send } = await setUp(true);
    proxy.state.cutsTunnels = true;

    expect(bookingOutcome(await send(), () => '')).toMatchObject({ class: 'never_sent' });
  });

  it.each([true, false])('a booking that is cut after it was sent stays open (TLS: %s)', async (secure) => {
    const { arrived, send, isCut } = await setUp(secure);
    isCut.now = true;

    const outcome = bookingOutcome(await send(), () => '');

    expect(arrived).toEqual(['POST /x']);
    expect(outcome).toMatchObject({ class: 'ambiguous' });
  });

  it.each([
    [502, 'ambiguous'],
    [503, 'ambiguous'],
    [504, 'ambiguous'],
    [407, 'lane_refusal'],
  ])('unencrypted, the proxy’s own %i is %s', async (answer, wanted) => {
    const { proxy, send } = await setUp(false);
    proxy.state.answer = answer;

    expect(bookingOutcome(await send(), () => '')).toMatchObject({ class: wanted });
  });

  it('that does not answer at all, nothing was sent', async () => {
    const { cert } = await makeCertificate('clinic.example');
    const environment = { HTTPS_PROXY: 'http://127.0.0.1:1' };

    const exchange = await transportTo('https://clinic.example', cert, environment).send(booking);

    expect(bookingOutcome(exchange, () => '')).toMatchObject({ class: 'never_sent' });
    expect(exchange).toMatchObject({ fault: { what: 'could not be reached through the outgoing proxy' } });
  });
});
