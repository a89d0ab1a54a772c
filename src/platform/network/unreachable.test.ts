import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { type CertificateExtension, generate } from 'selfsigned';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../test/support/http/certificate.ts';
import { networkFault, unreachableFailure } from './unreachable.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function secureServer(options: TlsOptions): Promise<string> {
  const server = createTlsServer(options, (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  server.on('tlsClientError', () => {});
  return `https://127.0.0.1:${await portOf(server)}`;
}

const rawServer = async (answer: string | Buffer): Promise<string> =>
  `http://127.0.0.1:${await portOf(createServer((socket) => void socket.once('data', () => socket.end(answer))))}`;

/** What a person reads when a request there fails. */
async function saidOf(url: string, options: https.RequestOptions = {}): Promise<string> {
  const { request } = url.startsWith('https:') ? https : http;
  const asked = request(url, { ...options, agent: false });
  asked.end();
  const error = await Promise.race([
    once(asked, 'response').then(async ([response]) => {
      response.resume();
      const [failed] = await Promise.race([once(response, 'error'), once(response, 'end')]);
      return failed;
    }),
    once(asked, 'error').then(([failed]) => failed),
  ]).catch((failed: unknown) => failed);
  if (error === undefined) return 'answered';
  const { message, hint } = unreachableFailure(error, { name: 'crm.example', setting: 'address' });
  return `${message} ${hint}`;
}

const DAY = 86_400_000;
const named = (value: string) => [{ name: 'commonName', value }];
const forLoopback = [
  { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
] satisfies CertificateExtension[];
const issuing = [
  { name: 'basicConstraints', cA: true, critical: true },
  { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
] satisfies CertificateExtension[];

/** A root, an authority below it, and a server's certificate from that. */
async function chain() {
  const made = { keyType: 'ec', algorithm: 'sha256' } as const;
  const root = await generate(named('Root'), { ...made, extensions: issuing });
  const ca = { key: root.private, cert: root.cert };
  const middle = await generate(named('Middle'), { ...made, extensions: issuing, ca });
  const leaf = await generate(named('crm'), {
    ...made,
    extensions: forLoopback,
    ca: { key: middle.private, cert: middle.cert },
  });
  return { root: root.cert, middle: middle.cert, key: leaf.private, cert: leaf.cert };
}

describe('a secure connection that fails names the side at fault', () => {
  it('whose chain is incomplete', async () => {
    const { root, middle, key, cert } = await chain();

    const half = await saidOf(await secureServer({ key, cert }), { ca: root });
    const whole = await saidOf(await secureServer({ key, cert: `${cert}\n${middle}` }), { ca: root });

    expect(half).toContain('crm.example does not send its intermediate certificate.');
    expect(half).toContain('Tell whoever runs it to install the full chain');
    expect(whole).toBe('answered');
  });

  it('whose certificate is for another name, with both names', async () => {
    const made = await makeCertificate();
    const url = await secureServer(made);

    const said = await saidOf(url, { ca: made.cert, servername: 'other.example' });

    expect(said).toContain('has a certificate for another name (localhost, 127.0.0.1, not other.example).');
    expect(said).toContain('Use a name of the certificate (address)');
  });

  it.each([
    ['has ended', -2 * DAY, -DAY, 'has an expired certificate', 'renew it'],
    ['has not begun', DAY, 2 * DAY, 'not valid yet', 'Set the clock of this machine'],
  ])('whose certificate %s', async (_title, from, to, what, remedy) => {
    const made = await generate(named('localhost'), {
      ...{ keyType: 'ec', algorithm: 'sha256', extensions: [...issuing, ...forLoopback] },
      notBeforeDate: new Date(Date.now() + from),
      notAfterDate: new Date(Date.now() + to),
    });

    const said = await saidOf(await secureServer({ key: made.private, cert: made.cert }), { ca: made.cert });

    expect(said).toContain(what);
    expect(said).toContain(remedy);
  });

  it('whose certificate nobody vouches for', async () => {
    const said = await saidOf(await secureServer(await makeCertificate()));

    expect(said).toContain('has a self-signed certificate. Tell whoever runs it');
    expect(said).toContain('set NODE_EXTRA_CA_CERTS');
  });

  it('whose key is too short', async () => {
    const made = await generate(named('localhost'), {
      keySize: 1024,
      algorithm: 'sha256',
      extensions: forLoopback,
    });
    const url = await secureServer({ key: made.private, cert: made.cert, ciphers: 'DEFAULT@SECLEVEL=0' });

    expect(await saidOf(url, { ca: made.cert })).toContain('too weak. Tell whoever runs it to replace it');
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('which speaks only %s', async (version) => {
    const made = await makeCertificate();
    const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const;

    const said = await saidOf(await secureServer({ ...made, ...old }), { ca: made.cert });

    expect(said).toContain('speaks only an outdated version of TLS. Tell whoever runs it');
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('which asks for our certificate, over %s', async (version) => {
    const made = await makeCertificate();
    const asking = { requestCert: true, rejectUnauthorized: true, ca: made.cert };
    const url = await secureServer({ ...made, ...asking, minVersion: version, maxVersion: version });

    const said = await saidOf(url, { ca: made.cert });

    expect(said).toMatch(/client certificate|closed the connection/);
    expect(said).not.toContain('NODE_EXTRA_CA_CERTS');
  });

  it('which shares no cipher with us', async () => {
    const made = await makeCertificate();
    const url = await secureServer({ ...made, maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' });

    expect(await saidOf(url, { ca: made.cert })).toContain('no encryption in common with us');
  });

  it('behind which is plain HTTP', async () => {
    const url = await rawServer('HTTP/1.1 400 Bad Request\r\n\r\n');

    const said = await saidOf(url.replace('http:', 'https:'));

    expect(said).toContain('does not speak TLS there. Check http or https, and the port (address).');
  });

  it('which is asked in plain HTTP', async () => {
    const url = await secureServer(await makeCertificate());

    const said = await saidOf(url.replace('https:', 'http:'));

    expect(said).toMatch(/speaks TLS there. Write https, or check|closed the connection/);
  });
});

const OK = 'HTTP/1.1 200 OK\r\n';
it.each([
  ['lines that end with LF alone', 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}', 'its lines end with LF alone'],
  [
    'two lengths',
    `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    'it states the length of its answer twice',
  ],
  [
    'two different lengths',
    `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    'length of its answer twice',
  ],
  ['a blank before the colon', `${OK}X-A : 1\r\n\r\n`, 'a character that is not allowed'],
  ['a control character in a value', `${OK}X-A: a\x01b\r\n\r\n`, 'a character that is not allowed'],
  ['a name with a blank', `${OK}X A: 1\r\n\r\n`, 'a character that is not allowed'],
  ['a length that is no number', `${OK}Content-Length: many\r\n\r\n`, 'breaks HTTP'],
  ['chunks without a size', `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`, 'breaks HTTP'],
  ['endless headers', `${OK}X-A: ${'a'.repeat(20_000)}\r\n\r\n`, 'sends more headers than are read'],
  ['another protocol', '220 mail.example ESMTP\r\n', 'does not speak HTTP there'],
])('an answer with %s is called that', async (_title, answer, what) => {
  const said = await saidOf(await rawServer(answer));

  expect(said).toContain(`crm.example`);
  expect(said).toContain(what);
  if (!what.includes('speak')) expect(said).toContain('Tell whoever runs it');
});

describe('what became of several addresses', () => {
  const failed = (code: string, address: string) =>
    Object.assign(new Error('connect'), { code, address, syscall: 'connect' });

  it('is said of each, under the one that tells most', () => {
    const error = new AggregateError([
      failed('ENETUNREACH', '2001:db8::7'),
      failed('ETIMEDOUT', '203.0.113.7'),
    ]);

    expect(networkFault(new Error('wrapped', { cause: error }), { name: 'crm.example' })).toMatchObject({
      what: 'could not be connected to in time',
      detail: '2001:db8::7 could not be reached, 203.0.113.7 could not be connected to in time',
    });
  });
});
