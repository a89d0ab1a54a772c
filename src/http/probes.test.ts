import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FormSite, startFormSite } from '../../test/support/forms/form-site.ts';
import { formToken, hiddenFields } from '../../test/support/forms/web-form.ts';
import { adminToken, bearer, sampleAdmin, startSampleHttp } from '../../test/support/http/http-kit.ts';
import type { Http } from './http.ts';

const { admin, asked } = sampleAdmin();
const publicUrl = new URL('https://ops.example');
let http: Http;
let overHttps: Http;
let cookie: string;
let formKey: string;

/** `redirect: 'manual'`, the Host header as given. */
const ask = (
  server: Http,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      request({ hostname, port, path, method, headers }, async (answer) =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) }),
      )
        .on('error', reject)
        .end(body);
    },
  );

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
const signedIn = () => ({ ...urlencoded, cookie, origin: http.url });

beforeAll(async () => {
  http = await startSampleHttp({ admin });
  overHttps = await startSampleHttp({ admin, publicUrl });
  const answer = await ask(http, '/admin/sign-in', {
    method: 'POST',
    headers: { ...urlencoded, origin: http.url },
    body: `token=${adminToken}`,
  });
  cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  formKey =
    new Map(hiddenFields((await ask(http, '/', { headers: { cookie } })).text)).get('form_token') ?? '';
});
afterAll(() => Promise.all([http.stop(), overHttps.stop()]));
beforeEach(() => {
  asked.length = 0;
});

const elsewhere = [
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'http:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '/@evil.example\r\nset-cookie: a=b',
  '/%0d%0aset-cookie:%20a=b',
  '/ /evil.example',
  '/\u2028/evil.example',
  `/${'x'.repeat(400)}`,
];
/** A path of this server, without anything that a browser or proxy reads as another host or another header. */
const ownPath = /^\/(?![/\\])[\w\-./?=&%~:]*$/;
/** No answer has a header that its asker has written. */
const notSplit = (headers: NodeJS.Dict<string | string[]>) =>
  expect(String(headers['set-cookie'])).not.toContain('a=b');

describe('no redirect leads elsewhere', () => {
  it.each(elsewhere)('after signing in: %j', async (next) => {
    const { status, headers } = await ask(http, '/admin/sign-in', {
      method: 'POST',
      headers: { ...urlencoded, origin: http.url },
      body: new URLSearchParams({ token: adminToken, next }).toString(),
    });

    expect(status).toBe(303);
    expect(headers.location).toMatch(ownPath);
    notSplit(headers);
  });

  it.each(elsewhere)('after an action: %j', async (back) => {
    const { status, headers } = await ask(http, '/admin/guards/g-17/approve', {
      method: 'POST',
      headers: signedIn(),
      body: new URLSearchParams({ form_token: formKey, back }).toString(),
    });

    expect(status).toBe(303);
    expect(headers.location).toMatch(ownPath);
    notSplit(headers);
  });

  it.each(elsewhere)('from the sign-in page: %j', async (next) => {
    const page = await ask(http, `/admin/sign-in?next=${encodeURIComponent(next)}`);

    expect(new Map(hiddenFields(page.text)).get('next')).toMatch(ownPath);
    notSplit(page.headers);
  });

  it.each([
    '/bookings?//evil.example',
    '/bookings?next=https://evil.example',
    '/bookings/%0d%0aset-cookie:a=b',
    '/audit?%5C%5Cevil',
  ])('to the sign-in page: %s', async (path) => {
    const { status, headers } = await ask(http, path, { headers: { accept: 'text/html' } });

    const target = new URL(String(headers.location), 'https://ops.example');
    expect(status).toBe(303);
    expect(String(headers.location)).toMatch(/^\/admin\/sign-in\?next=/);
    expect(target.searchParams.get('next')).toMatch(ownPath);
    notSplit(headers);
  });

  it.each([
    ['Referer', { referer: 'https://evil.example/' }],
    ['X-Forwarded-Host', { 'x-forwarded-host': 'evil.example' }],
    ['X-Original-URL', { 'x-original-url': '//evil.example', 'x-rewrite-url': '//evil.example' }],
    ['Host', { host: 'localhost:1@evil.example' }],
  ])('by %s', async (_what, more) => {
    const answers = [
      await ask(http, '/bookings', { headers: { accept: 'text/html', ...more } }),
      await ask(http, '/admin/sign-out', {
        method: 'POST',
        headers: { ...signedIn(), ...more },
        body: 'form_token=wrong',
      }),
      await ask(http, '/in/website/form', { headers: more }),
    ];

    for (const { headers, text: said } of answers)
      expect(`${headers.location} ${said}`).not.toContain('evil');
  });
});

describe('no other site makes a signed-in browser act', () => {
  const forgeries: [string, (token: string) => { headers: Record<string, string>; body: string }][] = [
    ['without the form’s token', () => ({ headers: {}, body: 'by=x' })],
    ['with a wrong token', () => ({ headers: {}, body: 'form_token=wrong' })],
    [
      'from another origin',
      (token) => ({ headers: { origin: 'https://evil.example' }, body: `form_token=${token}` }),
    ],
    ['from a sandboxed frame', (token) => ({ headers: { origin: 'null' }, body: `form_token=${token}` })],
    [
      'across sites',
      (token) => ({ headers: { 'sec-fetch-site': 'cross-site' }, body: `form_token=${token}` }),
    ],
    [
      'from a neighbour',
      (token) => ({ headers: { 'sec-fetch-site': 'same-site' }, body: `form_token=${token}` }),
    ],
    ['as text', (token) => ({ headers: { 'content-type': 'text/plain' }, body: `form_token=${token}` })],
  ];
  const concrete = (path: string) => path.replace(':ref', 'CS-7K3Q9F').replace(/:\w+/g, 'main');

  it.each(forgeries)('%s', async (_how, forge) => {
    const posts = http.routes.filter(
      ({ method, path }) => method === 'POST' && path.startsWith('/admin/') && path !== '/admin/sign-in',
    );
    const statuses = new Set<number>();
    for (const { path } of posts) {
      const { headers, body } = forge(formKey);
      const answer = await ask(http, concrete(path), {
        method: 'POST',
        headers: { ...signedIn(), ...headers },
        body,
      });
      statuses.add(answer.status);
    }

    expect(posts.length).toBeGreaterThan(15);
    expect([...statuses].filter((status) => status !== 403 && status !== 400)).toEqual([]);
    expect(asked).toEqual([]);
    expect((await ask(http, '/sessions', { headers: { cookie } })).status).toBe(200);
  });

  it('nor does any GET', async () => {
    for (const { path } of http.routes.filter(({ method }) => method === 'POST'))
      await ask(http, concrete(path).replace(':connector', 'website'), { headers: { cookie } });

    expect(asked).toEqual([]);
  });
});

describe('a cookie without its prefix is none', () => {
  it.each(['clinic_sync_session', '__Secure-clinic_sync_session', '__host-clinic_sync_session'])(
    '%s',
    async (name) => {
      const { headers } = await ask(overHttps, '/admin/sign-in', {
        method: 'POST',
        headers: { ...urlencoded, origin: publicUrl.origin, host: publicUrl.host },
        body: `token=${adminToken}`,
      });
      const [right = ''] = String(headers['set-cookie']).split(';');
      const value = right.split('=')[1];
      const read = (sent: string) =>
        ask(overHttps, '/bookings', { headers: { host: publicUrl.host, cookie: sent } });

      expect((await read(`__Host-clinic_sync_session=${value}`)).status).toBe(200);
      expect((await read(`${name}=${value}`)).status).toBe(401);
    },
  );
});

describe('no parameter of an address reaches a file', () => {
  const payloads = [
    '../../../../etc/passwd',
    '..%2f..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '..%5c..%5cetc',
    '%00',
    '%252e%252e%252fetc',
    '....//....//etc/passwd',
    'file:%2f%2f%2fetc%2fpasswd',
  ];

  it.each(payloads)('%s', async (payload) => {
    for (const { method, path } of http.routes.filter(({ path: one }) => /[:*]/.test(one))) {
      const answer = await ask(http, path.replace(/:\w+|\*/g, payload), {
        method,
        headers: { ...bearer, 'content-type': 'application/json' },
        body: method === 'POST' ? '{"as":"booked-no-id","note":"x"}' : '',
      });

      expect(answer.status, path).toBeLessThan(500);
      expect(answer.text, path).not.toMatch(/root:|\/bin\//);
    }
  });
});

describe('an odd body', () => {
  let site: FormSite;
  let tool: FormSite;
  beforeAll(async () => {
    site = await startFormSite({
      preset: 'html-form',
      token: formToken,
      limits: { visitor_10_minutes: 99, visitor_day: 99 },
    });
    tool = await startFormSite({ preset: 'native', token: formToken });
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await tool[Symbol.asyncDispose]();
  });

  const lead = {
    patient_name: 'Ann Lee',
    patient_phone: '01712-345678',
    appointment_date: '2026-03-10',
    appointment_time: '10:30',
  };
  let phones = 0;
  /** The same lead twice would be one booking. */
  const nextPhone = () => {
    phones += 1;
    return `01712-${String(phones).padStart(6, '0')}`;
  };
  const evil: [string, string][] = [
    ['__proto__', 'polluted'],
    ['__proto__[polluted]', 'yes'],
    ['__proto__.polluted', 'yes'],
    ['constructor', 'polluted'],
    ['constructor.prototype', 'polluted'],
    ['constructor[prototype][polluted]', 'yes'],
    ['prototype', 'polluted'],
    ['toString', 'polluted'],
    ['hasOwnProperty', 'polluted'],
  ];
  const many = Array.from({ length: 10_000 }, (_, i): [string, string] => [`f${i}`, '']);
  const multipartOf = (fields: readonly [string, string][]) =>
    `${fields.map(([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--x--\r\n`;
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
  const json = { 'content-type': 'application/json' };
  const nested = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
  const withLead = (fields: readonly [string, string][]) => [...Object.entries(lead), ...fields];

  /** What is stored of a lead whose other fields are odd. */
  const toolBodies: [string, Record<string, string>, string][] = [
    [
      'JSON with names of prototypes',
      json,
      JSON.stringify(lead).replace(
        '{',
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,',
      ),
    ],
    ['urlencoded names of prototypes', urlencoded, new URLSearchParams(withLead(evil)).toString()],
    ['multipart names of prototypes', multipart, multipartOf(withLead(evil))],
    [
      'JSON with 5,000 fields',
      json,
      JSON.stringify({ ...lead, ...Object.fromEntries(many.slice(0, 5_000)) }),
    ],
    ['10,000 urlencoded fields', urlencoded, `${new URLSearchParams(lead)}&${'f&'.repeat(10_000)}`],
    ['500 multipart fields', multipart, multipartOf(withLead(many.slice(0, 500)))],
    ['a value with the boundary in it', multipart, multipartOf(withLead([['note', 'x --x x--']]))],
    [
      'a text that calls itself binary',
      multipart,
      multipartOf(Object.entries(lead)).replaceAll(
        '\r\n\r\n',
        '\r\ncontent-type: application/octet-stream\r\n\r\n',
      ),
    ],
    ['objects 9,000 deep', json, JSON.stringify(lead).replace('}', `,"other":${nested}}`)],
  ];

  it.each(toolBodies)('of a tool, %s, costs no lead and pollutes nothing', async (_what, type, body) => {
    const before = (await tool.bookings()).length;
    const phone = nextPhone();

    const answer = await ask(tool.http, '/in/website', {
      method: 'POST',
      headers: { ...type, authorization: `Bearer ${formToken}` },
      body: body.replace(lead.patient_phone, phone),
    });

    const stored = await tool.bookings();
    expect(answer.status).toBe(200);
    expect(stored).toHaveLength(before + 1);
    expect(stored).toContainEqual(expect.objectContaining({ ...lead, patient_phone: phone }));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each([
    [
      'urlencoded',
      urlencoded,
      (fields: readonly [string, string][]) => new URLSearchParams([...fields]).toString(),
    ],
    ['multipart', multipart, multipartOf],
  ])(
    'of a visitor, %s names of prototypes, costs no lead and pollutes nothing',
    async (_what, type, encode) => {
      const hidden = hiddenFields((await ask(site.http, '/in/website/form')).text);
      await site.clock.advance(10_000);
      const before = (await site.bookings()).length;

      const answer = await ask(site.http, '/in/website', {
        method: 'POST',
        headers: { ...type, accept: 'application/json', origin: site.http.url },
        body: encode([...withLead(evil), ...hidden]).replace(lead.patient_phone, nextPhone()),
      });

      expect(answer.status).toBe(200);
      expect(await site.bookings()).toHaveLength(before + 1);
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );

  it.each(['thanks', '_next', 'redirect', 'redirect_to', 'return', 'url'])(
    'of a visitor cannot say where the browser goes: %s',
    async (name) => {
      const hidden = hiddenFields((await ask(site.http, '/in/website/form')).text);
      await site.clock.advance(10_000);

      const { status, headers } = await ask(site.http, `/in/website?${name}=https://evil.example`, {
        method: 'POST',
        headers: { ...urlencoded, accept: 'text/html', origin: site.http.url },
        body: new URLSearchParams([...withLead([[name, 'https://evil.example']]), ...hidden]).toString(),
      });

      expect(status).toBe(303);
      expect(headers.location).toMatch(/^\?form_page=thanks&clinic=main&lang=en&visit=[\w-]+&ref=CS-\w{6}$/);
    },
  );

  it('of a page of thanks shows no header and no markup of its address', async () => {
    const { headers, text: said } = await ask(
      site.http,
      '/in/website/thanks?ref=%0d%0aset-cookie:a=b&clinic=%3Cscript%3E',
    );

    notSplit(headers);
    expect(said).not.toMatch(/<script(?! src="\?form_page=form\.js)|set-cookie/);
  });

  const bomb = Buffer.alloc(20_000_000, '{"a":"');
  it.each([
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['br', brotliCompressSync(bomb)],
    ['gzip, gzip', gzipSync(gzipSync(bomb))],
    ['x-gzip', gzipSync(bomb)],
    ['zstd', Buffer.from('28b52ffd', 'hex')],
  ])('compressed by %s is not unpacked', async (encoding, body) => {
    const headers = { ...json, authorization: `Bearer ${formToken}`, 'content-encoding': encoding };

    const intake = await ask(tool.http, '/in/website', { method: 'POST', headers, body });
    const action = await ask(http, '/admin/bookings/CS-7K3Q9F/edit', {
      method: 'POST',
      headers: { ...json, ...bearer, 'content-encoding': encoding },
      body,
    });

    expect([intake.status, action.status]).toEqual([415, 400]);
    expect(asked).toEqual([]);
  });

  it.each([
    ['names of prototypes', json, '{"__proto__":{"note":"x"},"constructor":{"prototype":{"note":"x"}}}', 400],
    ['urlencoded names of prototypes', urlencoded, new URLSearchParams(evil).toString(), 400],
    ['10,000 fields', urlencoded, 'f&'.repeat(10_000), 400],
    ['objects 9,000 deep', json, nested, 400],
    ['a list', json, '[{"note":"x"}]', 400],
    ['multipart', multipart, multipartOf([['note', 'x']]), 400],
  ])('of an action, %s, changes nothing', async (_what, type, body, status) => {
    const answer = await ask(http, '/admin/bookings/CS-7K3Q9F/edit', {
      method: 'POST',
      headers: { ...type, ...bearer },
      body,
    });

    expect(answer.status).toBe(status);
    expect(asked).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

it.each([
  ['one header line', `x-long: ${'x'.repeat(17_000)}\r\n`],
  ['a cookie', `cookie: ${'a=b; '.repeat(4_000)}\r\n`],
  ['thousands of header lines', 'a: b\r\n'.repeat(4_000)],
])('%s of more than 16 kB is answered 431', async (_what, lines) => {
  const socket = connect(http.port, '127.0.0.1');
  socket.on('error', () => {});

  socket.write(`GET /livez HTTP/1.1\r\nhost: localhost\r\n${lines}\r\n`);

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 /);
});
