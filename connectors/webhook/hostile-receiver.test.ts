import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type Destinations, destinations } from '../../src/platform/network/destination.ts';
import { createPoster, type Poster } from '../../src/platform/network/post.ts';
import { unreachableFailure } from '../../src/platform/network/unreachable.ts';
import { makeCertificate } from '../../test/support/http/certificate.ts';
import { startReceiver } from '../../test/support/http/receiver.ts';
import { failureOf } from './answer.ts';
import { checkReceiver } from './webhook.ts';

/** What the receiver has to answer, and what any delivery may take on a loaded machine. */
const TIMEOUT_MS = 300;
const LONGEST_MS = 4_000;
const MOST_BYTES = 96 * 1024 * 1024;

const loopback = destinations(['127.0.0.0/8', '::1/128']);
const { signal } = new AbortController();

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function posterTo(url: string, allowed: Destinations = loopback): Poster {
  const poster = createPoster({
    url: new URL(url),
    timeoutMs: TIMEOUT_MS,
    destinations: allowed,
    connections: 2,
  });
  closing.push(() => poster.close());
  return poster;
}

/** Posts once; measures time and memory. A failure is what a person would read. */
async function postTo(url: string, allowed?: Destinations) {
  const before = process.memoryUsage();
  const began = performance.now();
  let [bytes, isDone] = [0, false];
  const measure = () => {
    const { heapUsed, external } = process.memoryUsage();
    bytes = Math.max(bytes, heapUsed + external - before.heapUsed - before.external);
    if (!isDone) setImmediate(measure);
  };
  measure();
  const outcome = await posterTo(url, allowed)
    .post('{}', {}, signal)
    .then(
      (answer) => failureOf(answer, 0)?.message ?? 'received',
      (error: unknown) => unreachableFailure(error, 'crm.example').message,
    );
  isDone = true;
  return { outcome, ms: performance.now() - began, bytes };
}

const withinBounds = {
  ms: expect.toSatisfy((ms) => ms < LONGEST_MS),
  bytes: expect.toSatisfy((n) => n < MOST_BYTES),
};

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A server that answers each connection as `speak` says, in bytes of its own. */
async function rawServer(speak: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.resume();
    speak(socket);
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${await listening(server)}/hook`;
  return { url, written: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0) };
}

/** Writes `text` again and again, faster than anyone wants to read it. */
function pour(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 2);
  socket.on('close', () => clearInterval(timer));
}

/** Writes `text` one byte at a time, faster than any limit on silence would notice. */
function drip(socket: Socket, text: string): void {
  let next = 0;
  const timer = setInterval(() => socket.write(text[next++ % text.length] ?? ''), 5);
  socket.on('close', () => clearInterval(timer));
}

const OK = 'HTTP/1.1 200 OK\r\n';
const zeros = Buffer.alloc(256 * 1024 * 1024);
const packed = (body: Buffer, encoding: string) => (socket: Socket) => {
  socket.write(`${OK}content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`);
  socket.write(body);
};
const speaking =
  (start: string, go: (socket: Socket, text: string) => void, text: string) => (socket: Socket) => {
    socket.write(start);
    go(socket, text);
  };
const line = 'x-y: z\r\n';
const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';

describe('an answer costs little time and memory', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ['that is a gzip bomb', packed(gzipSync(zeros), 'gzip'), 'received'],
    ['that is a brotli bomb', packed(brotliCompressSync(zeros), 'br'), 'received'],
    ['that comes a byte at a time', speaking(`${OK}\r\n`, drip, 'x'), 'received'],
    ['shorter than it says', speaking(`${OK}content-length: 999999999999\r\n\r\n`, drip, 'x'), 'received'],
    ['whose headers come a byte at a time', speaking(OK, drip, line), 'did not answer in time'],
    ['whose headers never end', speaking(OK, pour, line.repeat(8_000)), 'sends more headers than are read'],
    [
      'whose header never ends',
      speaking(`${OK}x-y: `, pour, 'z'.repeat(65_536)),
      'sends more headers than are read',
    ],
    [
      'that is only announced, again and again',
      speaking('', pour, hint.repeat(1_000)),
      'did not answer in time',
    ],
    ['in another protocol', speaking('', drip, '220 mail.example ESMTP\r\n'), 'does not speak HTTP there'],
    ['that hangs up', (socket) => socket.destroy(), 'closed the connection'],
    ['that never comes', () => {}, 'did not answer in time'],
  ])('%s', async (_title, speak, outcome) => {
    const { url } = await rawServer(speak);

    const posted = await postTo(url);

    expect(posted).toMatchObject({ outcome: expect.stringContaining(outcome), ...withinBounds });
  });

  it('that never ends: it is cut off early', async () => {
    const { url, written } = await rawServer(speaking(`${OK}\r\n`, pour, 'x'.repeat(65_536)));

    const posted = await postTo(url);

    expect(posted).toMatchObject({ outcome: 'received', ...withinBounds });
    expect(written()).toBeLessThan(1024 * 1024);
  });

  it('when a receiver shakes hands a byte at a time', async () => {
    const speak = speaking('\x16\x03\x03\x40\x00', drip, '\0');
    const url = (await rawServer(speak)).url.replace('http:', 'https:');

    const posted = await postTo(url);
    const lines = await check(url);

    expect(posted).toMatchObject({ outcome: 'crm.example did not answer in time.', ...withinBounds });
    expect(lines).toMatchObject([{ level: 'fail', what: expect.stringContaining('did not answer in time') }]);
  });
});

const check = (url: string, allowed = loopback) =>
  checkReceiver(
    {
      url: new URL(url),
      destinations: allowed,
      timeoutMs: TIMEOUT_MS,
      includePatient: false,
      shortSecret: false,
    },
    signal,
  );

it('sends nothing to a server whose certificate is not trusted', async () => {
  let bytes = 0;
  const server = createSecureServer(await makeCertificate(), (socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      bytes += data.length;
    });
  });
  closing.push(() => void server.close());
  const url = `https://127.0.0.1:${await listening(server)}/hook`;

  const posted = await postTo(url);
  const lines = await check(url);

  expect(posted).toMatchObject({ outcome: 'crm.example has a self-signed certificate.', ...withinBounds });
  expect(lines).toMatchObject([{ level: 'fail', what: expect.stringContaining('self-signed') }]);
  expect(bytes).toBe(0);
});

describe('a private address gets no connection', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0.0.0.0',
    'localhost',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
  ])('named %s', async (host) => {
    await using receiver = await startReceiver();
    const url = receiver.url.replace('127.0.0.1', host);

    const posted = await postTo(url, destinations([]));
    const lines = await check(url, destinations([]));

    expect(posted.outcome).toContain('has only private or local addresses');
    expect(lines).toMatchObject([{ level: 'fail', hint: expect.stringContaining('allow_networks') }]);
    expect(receiver.connections).toBe(0);
  });

  it.each([301, 302, 303, 307, 308])('by a redirect with %i', async (status) => {
    await using inside = await startReceiver();
    await using receiver = await startReceiver();
    receiver.answer = (_request, response) => response.writeHead(status, { location: inside.url }).end();

    const posted = await postTo(receiver.url, destinations(['127.0.0.1']));

    expect(posted.outcome).toBe(`The receiver answered ${status} → ${inside.url}/.`);
    expect([receiver.connections, inside.connections]).toEqual([1, 0]);
  });

  /** 127.0.0.2 plays a public address, 127.0.0.1 a private one. `answers`: those of the DNS, in turn. */
  const resolving = (...answers: string[]) => {
    let asked = 0;
    const resolver: LookupFunction = (_name, _options, callback) => {
      const address = answers[Math.min(asked, answers.length - 1)] ?? '';
      asked += 1;
      callback(null, [{ address, family: 4 }]);
    };
    return { allowed: destinations(['127.0.0.2'], resolver), asked: () => asked };
  };

  it('by a name that changes its address after it was checked: each connection goes where its own look-up led', async () => {
    await using inside = await startReceiver();
    const url = inside.url.replace('127.0.0.1', 'rebinding.example');
    const { allowed, asked } = resolving('127.0.0.2', '127.0.0.1');

    const first = await postTo(url, allowed);
    const second = await postTo(url, allowed);

    expect(first.outcome).toContain('refused the connection');
    expect(second.outcome).toContain('has only private or local addresses');
    expect(asked()).toBe(2);
    expect(inside.connections).toBe(0);
  });

  it('by a name that was checked with `connectors check`', async () => {
    await using inside = await startReceiver();
    const url = inside.url.replace('127.0.0.1', 'rebinding.example');
    const { allowed } = resolving('127.0.0.2', '127.0.0.1');

    await check(url, allowed);
    const posted = await postTo(url, allowed);

    expect(posted.outcome).toContain('has only private or local addresses');
    expect(inside.connections).toBe(0);
  });
});
