import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { samplePort, startSampleHttp } from '../../test/support/http/http-kit.ts';
import { systemClock } from '../platform/clock.ts';
import type { Http } from './http.ts';

const bookings = samplePort();
let http: Http;
beforeAll(async () => {
  http = await startSampleHttp({ bookings, limits: { keepAliveMs: 100 } }, systemClock);
});
afterAll(() => http.stop());
beforeEach(() => {
  bookings.taken.length = 0;
});

/** The status of every answer to these bytes, until the server closes the connection. */
async function statuses(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  // A reset is one of the right answers to what is no HTTP.
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  const said = await text(socket).catch(() => '');
  return [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status).join(' ');
}

const end = 'connection: close\r\n';
const get = (path: string, more = '', host = 'host: localhost\r\n') =>
  `GET ${path} HTTP/1.1\r\n${host}${more}${end}\r\n`;
const post = (headers: string, body: string) =>
  `POST /in/website HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer intake-token\r\n${headers}\r\n\r\n${body}`;
const chunked = '2\r\n{}\r\n0\r\n\r\n';
/** Must never be taken for a separate request. */
const hidden = 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n';

it.each([
  ['a length and chunks', post('content-length: 2\r\ntransfer-encoding: chunked', chunked + hidden), '400'],
  ['a transfer coding that is none', post('transfer-encoding: xchunked', chunked + hidden), '400'],
  ['chunks that are not last', post('transfer-encoding:\tchunked, identity', chunked + hidden), '400'],
  ['a blank before the colon', post('transfer-encoding : chunked', chunked + hidden), '400'],
  ['two transfer codings', post('transfer-encoding: chunked\r\ntransfer-encoding: identity', chunked), '400'],
  ['two lengths', post('content-length: 2\r\ncontent-length: 3', `{} ${hidden}`), '400'],
  ['a list of lengths', post('content-length: 2, 2', `{}${hidden}`), '400'],
  ['a length with a sign', post('content-length: +2', `{}${hidden}`), '400'],
  [
    'a line feed in a chunk extension',
    post('transfer-encoding: chunked', `2;a\n=b\r\n{}\r\n0\r\n\r\n`),
    '400',
  ],
  ['lines that end in a bare line feed', 'GET /livez HTTP/1.1\nhost: localhost\n\n', '400'],
  ['a bare carriage return', 'GET /livez HTTP/1.1\r\nhost: localhost\rx: y\r\n\r\n', '400'],
  ['a folded header', get('/livez', 'x-a: b\r\n c\r\n'), '400'],
  ['NUL in the path', get('/in/web\0site'), '400'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400'],
  ['two hosts', get('/livez', 'host: evil.example\r\n'), '400'],
  ['no host', get('/livez', '', ''), '400'],
  ['an address that cannot be decoded', get('/in/%zz'), '400'],
  ['an address of 14 kB', get(`/in/${'x'.repeat(14_000)}`), '400'],
  ['a header of 20 kB', get('/livez', `x-long: ${'x'.repeat(20_000)}\r\n`), '431'],
  ['TRACE', `TRACE / HTTP/1.1\r\nhost: localhost\r\n${end}\r\n`, '405'],
  ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: localhost\r\n\r\n', ''],
  ['dots in the path', get('/assets/../../../etc/passwd'), '404'],
  ['encoded dots in the path', get('/assets/%2e%2e%2f%2e%2e%2fetc/passwd'), '404'],
  ['backslashes in the path', get('/in/website/..%5c..%5cetc'), '404'],
  ['an encoded NUL', get('/in/website/%00'), '404'],
  ['a connector called __proto__', get('/in/__proto__/form'), '404'],
  ['two slashes before an admin page', get('//bookings'), '404'],
  ['an encoded letter in an admin page', get('/%62ookings'), '401'],
  ['an admin page in capitals', get('/BOOKINGS'), '404'],
  ['a compressed body', post(`content-encoding: gzip\r\ncontent-length: 2\r\n${end}`.trim(), '{}'), '415'],
  ['a broken chunk', post('transfer-encoding: chunked', 'zz\r\n'), '400'],
  ['a negative length', post('content-length: -1', ''), '400'],
  ['bytes that are not HTTP', Buffer.from([0, 1, 2, 0xff, 0xfe, 13, 10, 13, 10]), '400'],
  ['a TLS hello', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]), '400'],
  ['a lone surrogate in the path', get('/in/website/%ED%A0%80'), '404'],
  ['a lone percent sign in the path', get('/in/website/%'), '404'],
  ['a connector’s name that cannot be decoded', get('/in/%E0%A4%A'), '400'],
  ['a connector’s name of 3 kB', get(`/in/${'x'.repeat(3_000)}`), '400'],
  ['a damaged query', get('/in/website?%=%&__proto__=1'), '404'],
  ['a body of 70 kB', post('content-length: 70000\r\nconnection: close', 'x'.repeat(70_000)), '413'],
])(
  '%s',
  async (_what, bytes, expected) => {
    expect(await statuses(http.port, bytes)).toBe(expected);
    expect(bookings.taken).toEqual([]);
  },
  30_000,
);

it.each([
  ['to HTTP/2', 'connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n'],
  ['to a WebSocket', 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n'],
])('an upgrade %s is answered as the plain request it also is', async (_what, headers) => {
  const answers = await statuses(http.port, `GET /livez HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`);

  expect(answers).toBe('200');
});

it('extensions of chunks are read over, and __proto__ in a body pollutes nothing', async () => {
  const body = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';

  const answers = await statuses(
    http.port,
    post(
      'transfer-encoding: chunked\r\nconnection: close',
      `${body.length.toString(16)};a=b\r\n${body}\r\n0\r\n\r\n`,
    ),
  );

  expect(answers).toBe('200');
  expect(bookings.taken).toHaveLength(1);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

it.each([
  ['a lone surrogate', '{"patient_name":"\\ud800","note":"\\udfff"}', '200'],
  ['no body', '', '400'],
  ['null', 'null', '400'],
  ['a deep array', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, '200'],
  ['a byte order mark', '\ufeff{}', '400'],
])('%s as a body is answered %s', async (_what, body, expected) => {
  const length = Buffer.byteLength(body);

  expect(await statuses(http.port, post(`content-length: ${length}\r\nconnection: close`, body))).toBe(
    expected,
  );
});
