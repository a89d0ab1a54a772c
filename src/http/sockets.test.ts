import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accepted, sampleIntake, samplePort, startSampleHttp } from '../../test/support/http/http-kit.ts';
import { tier } from '../../test/support/tiers.ts';
import { until } from '../../test/support/until.ts';
import { emptyView } from '../app/empty-view.ts';
import { systemClock } from '../platform/clock.ts';
import type { Http, HttpOptions } from './http.ts';

async function start(more: Partial<HttpOptions> = {}): Promise<Http> {
  const http = await startSampleHttp(more, systemClock);
  onTestFinished(() => http.stop());
  return http;
}

function open(http: Http): Socket {
  const socket = connect(http.port, '127.0.0.1');
  // A reset by the server is one of the right answers here.
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Everything the server says until it closes the connection. */
const answerTo = async (http: Http, ...chunks: (string | Buffer)[]): Promise<string> => {
  const socket = open(http);
  for (const chunk of chunks) socket.write(chunk);
  return text(socket).catch(() => '');
};

const alive = async (http: Http) => (await fetch(`${http.url}/livez`)).status;
const head = (length: number) =>
  `POST /in/website HTTP/1.1\r\nhost: x\r\nauthorization: Bearer intake-token\r\ncontent-length: ${length}\r\n`;

describe('slow clients are dropped', () => {
  // A busy machine takes more than 60 ms to read what was sent at once; the answer to it would be lost in a reset.
  const limits = { headersMs: 400, requestMs: 800 };

  it('that never finish their header lines', async () => {
    const http = await start({ limits });

    const answer = await answerTo(http, 'POST /in/website HTTP/1.1\r\nhost: x\r\nx-slow: ');

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('{"ok":false,');
  });

  it('that keep sending header lines after the refusal', async () => {
    const http = await start({ limits });
    const socket = connect({ port: http.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    const drip = setInterval(() => socket.write('x'), 10);
    onTestFinished(() => {
      clearInterval(drip);
      socket.destroy();
    });
    socket.write('POST /in/website HTTP/1.1\r\nhost: x\r\nx-slow: ');
    socket.resume();

    await new Promise((resolve) => socket.once('close', resolve));

    expect(await alive(http)).toBe(200);
  });

  it('that never finish their body', async () => {
    const bookings = samplePort();
    const http = await start({ limits, bookings });

    const answer = await answerTo(http, `${head(100)}\r\n`, '{"patient_name":');

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(bookings.taken).toEqual([]);
    expect(await alive(http)).toBe(200);
  });

  it('but not for a standstill of our own: they are asked to send it again', async () => {
    const bookings = samplePort();
    const http = await start({ limits: { headersMs: 400, requestMs: 400 }, bookings });
    const body = '{"patient_name":"A"}';
    const socket = open(http);
    // Until the server has it: from then on it counts.
    await until('it is connected', async () => socket.readyState === 'open' && (await alive(http)) === 200);

    socket.write(`${head(body.length)}connection: close\r\n\r\n${body}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    const answer = await text(socket);

    // Which of the two comes first, the request or the look at what is overdue, is up to Node.
    expect(answer).toMatch(/^HTTP\/1\.1 (200 |503 .*\r\nretry-after: 5\r\n)/);
    expect(bookings.taken).toHaveLength(answer.includes(' 200 ') ? 1 : 0);
  });

  it('that read a large answer a little at a time', async () => {
    const html = 'x'.repeat(64 * 2 ** 20);
    const intake = { ...sampleIntake('website'), page: async () => ({ status: 200, html }) };
    const intakes = new Map([['website', { intake, view: emptyView }]]);
    const http = await start({ limits: { answerMs: 150 }, intakes });
    const socket = open(http);
    const drip = setInterval(() => socket.read(65_536), 5);
    onTestFinished(() => clearInterval(drip));
    socket.write('GET /in/website/form HTTP/1.1\r\nhost: x\r\n\r\n');

    await new Promise((resolve) => socket.once('close', resolve));

    expect(socket.bytesRead).toBeLessThan(html.length / 2);
    expect(await alive(http)).toBe(200);
  });

  it('that send one request after the other and read no answer, before their answers fill the memory', async () => {
    let pages = 0;
    const page = async () => {
      pages += 1;
      return { status: 200, html: 'x'.repeat(100_000) };
    };
    const intakes = new Map([['website', { intake: { ...sampleIntake('website'), page }, view: emptyView }]]);
    const http = await start({ intakes });
    const socket = open(http);
    const closed = new Promise((resolve) => socket.once('close', resolve));

    socket.write('GET /in/website/form HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_000));
    socket.resume();
    await closed;

    expect(pages).toBeLessThanOrEqual(4);
    expect(await alive(http)).toBe(200);
  });
});

it.each([
  ['of a submission', `${head(100)}\r\n{"patient_name"`],
  [
    'of a file',
    `${head(200_000)}content-type: multipart/form-data; boundary=x\r\n\r\n--x\r\ncontent-disposition: form-data; name="a"; filename="b"\r\n\r\n${'x'.repeat(90_000)}`,
  ],
])('forgets a request when the client goes away in the middle %s', async (_what, bytes) => {
  const bookings = samplePort();
  const http = await start({ bookings });

  const socket = open(http);
  socket.end(bytes);
  await text(socket).catch(() => '');

  expect(bookings.taken).toEqual([]);
  expect(await alive(http)).toBe(200);
});

it('refuses a body of 1 MB as soon as its length is known', async () => {
  const bookings = samplePort();
  const http = await start({ bookings });

  const answer = await answerTo(http, `${head(1_048_576)}\r\n`);

  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('larger than 64 kB');
  expect(bookings.taken).toEqual([]);
});

describe('bodies that do not end', () => {
  const part = (index: number) =>
    `--x\r\ncontent-disposition: form-data; name="f${index}"\r\n\r\n${'y'.repeat(15_000)}\r\n`;
  const manyFields = Array.from({ length: 4 }, (_, index) => part(index)).join('');

  const endless = [
    ['of one text', 'content-length: 60000', 'x'.repeat(59_000)],
    [
      'of many fields',
      'content-length: 9000000\r\ncontent-type: multipart/form-data; boundary=x',
      `${manyFields}--x\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n${'z'.repeat(20_000)}`,
    ],
    ['sent a byte at a time', 'transfer-encoding: chunked', '1\r\nx\r\n'.repeat(60_000)],
  ] as const;
  for (const [what, headers, sent] of endless)
    it(
      `${what} are given up with 503 beyond the memory for them, and a lead is read`,
      tier(what === 'of one text'),
      async () => {
        const bookings = samplePort();
        const http = await start({ bookings, limits: { unreadBytes: 1_000_000 } });
        const sockets = Array.from({ length: 40 }, () => open(http));
        const answers = sockets.map((socket) => text(socket).catch(() => ''));
        for (const socket of sockets)
          socket.write(`POST /in/website HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n${sent}`);

        const refused = await Promise.race(answers);
        const lead = await answerTo(http, `${head(2)}connection: close\r\n\r\n{}`);

        expect(refused).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 5\r\n/is);
        expect(lead).toMatch(/^HTTP\/1\.1 200 /);
      },
    );
});

it('takes two hundred submissions at once, each once', async () => {
  let count = 0;
  const accept = async () => {
    count += 1;
    return accepted({ ref: `CS-${String(count).padStart(6, '0')}` });
  };
  const http = await start({ bookings: samplePort({ accept }) });
  const post = async (index: number) => {
    const answer = await fetch(`${http.url}/in/website`, {
      method: 'POST',
      headers: { authorization: 'Bearer intake-token' },
      body: JSON.stringify({ submission_id: `s-${index}` }),
    });
    return ((await answer.json()) as { ref: string }).ref;
  };

  const refs = await Promise.all(Array.from({ length: 200 }, (_, index) => post(index)));

  expect(new Set(refs).size).toBe(200);
  expect(count).toBe(200);
});

describe('the server stays reachable', () => {
  const fifth = { connections: 400, connectionsPerAddress: 40 };
  const flood = async (http: Http, count: number, bytes = '') => {
    const sockets = Array.from({ length: count }, () => open(http));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    if (bytes !== '') for (const socket of sockets) socket.write(bytes);
  };

  it.each([
    [2_000, 'that say nothing', '', {}],
    // A fifth of everything: each connection costs the test as much as the server.
    [400, 'that stop in the middle of their header lines', 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: ', fifth],
    [400, 'that stop in the middle of their body', `${head(1_000)}\r\n{"a":`, fifth],
    [400, 'that never read an answer', 'GET /assets/status.css HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2), fifth],
  ])(
    'beside %i connections of one address %s',
    async (count, _what, bytes, limits) => {
      const http = await start({ limits });
      await flood(http, count, bytes);

      const statuses = [await alive(http), await alive(http)];

      expect(statuses).toEqual([200, 200]);
    },
    60_000,
  );

  it('to everyone, when many connections of trusted proxies reach the limit', async () => {
    const http = await start({ trustProxy: 1, limits: { connections: 50 } });
    await flood(http, 120);

    expect(await alive(http)).toBe(200);
  });

  it('to a request under way: idle connections go first', async () => {
    const taken = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const accept = async () => {
      taken.resolve();
      await stored.promise;
      return accepted();
    };
    const http = await start({ bookings: samplePort({ accept }), limits: { connectionsPerAddress: 10 } });
    const lead = answerTo(http, `${head(2)}connection: close\r\n\r\n{}`);
    await taken.promise;

    await flood(http, 60);
    stored.resolve();

    expect(await lead).toMatch(/^HTTP\/1\.1 200 /);
  });
});
