import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { bearer, startSampleHttp } from '../../test/support/http/http-kit.ts';
import { systemClock } from '../platform/clock.ts';

const admin = `authorization: ${bearer.authorization}\r\n`;

it.each([
  ['the status page', 'GET / HTTP/1.1', 'accept: text/html\r\n'],
  ['a booking, as JSON', 'GET /bookings/CS-7K3Q9F HTTP/1.1', admin],
  ['the metrics', 'GET /metrics HTTP/1.1', admin],
  ['the stylesheet', 'GET /assets/status.css HTTP/1.1', ''],
  ['a connector’s form', 'GET /in/website/form HTTP/1.1', 'accept: text/html\r\n'],
  ['a preflight', 'OPTIONS /in/website HTTP/1.1', ''],
  ['a redirect', 'GET /bookings HTTP/1.1', 'accept: text/html\r\n'],
  ['a refusal', 'POST /in/website HTTP/1.1', 'content-length: 0\r\n'],
  ['what is not there', 'GET /nothing HTTP/1.1', ''],
  ['another host', 'GET / HTTP/1.1', 'x-forwarded-host: evil.example\r\n'],
  ['an address that cannot be decoded', 'GET /in/%zz HTTP/1.1', ''],
  ['headers that are too large', 'GET / HTTP/1.1', `x-long: ${'x'.repeat(40_000)}\r\n`],
  ['what is not HTTP', 'hello', ''],
])('no browser reads anything else into %s', async (_what, line, headers) => {
  const http = await startSampleHttp({}, systemClock);
  onTestFinished(() => http.stop());
  const socket = connect(http.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${line}\r\nhost: localhost\r\n${headers}connection: close\r\n\r\n`);

  const [head = '', body = ''] = (await text(socket)).split(/\r\n\r\n(.*)/s);

  expect(head).toMatch(/^x-content-type-options: nosniff$/m);
  expect(head).toMatch(/^content-security-policy: default-src 'none'; .*base-uri 'none'; frame-ancestors /m);
  expect(head).toMatch(/^referrer-policy: same-origin$/m);
  expect(head).toMatch(/^cache-control: (no-store|public, max-age=300)(, no-transform)?$/m);
  if (body !== '')
    expect(head).toMatch(/^content-type: (text\/(html|css|plain)|application\/json); ?.*charset=utf-8/m);
});

it.each([
  ['by its public address', { publicUrl: new URL('https://ops.example') }, 'max-age=31536000'],
  ['by what a trusted proxy says', { trustProxy: 1 }, 'max-age=31536000'],
  ['but shares its host with others', { publicUrl: new URL('https://ops.example/sync') }, null],
  ['only by what a stranger says', {}, null],
])('what is reached over HTTPS %s', async (_how, options, expected) => {
  const http = await startSampleHttp(options);
  onTestFinished(() => http.stop());

  const { headers } = await fetch(`${http.url}/in/website/form`, {
    headers: { 'x-forwarded-proto': 'https' },
  });

  expect(headers.get('strict-transport-security')).toBe(expected);
});
