import { request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import {
  bearer,
  person,
  sampleAdmin,
  samplePeopleStore,
  startSampleHttp,
} from '../../test/support/http/http-kit.ts';
import { sampleReport } from '../../test/support/http/sample-report.ts';
import { until } from '../../test/support/until.ts';
import { tokenKey } from '../domain/token.ts';
import { Failure } from '../platform/failure.ts';
import { type Log, silentLog } from '../platform/log.ts';
import { may } from './access/roles.ts';
import type { HttpOptions } from './http.ts';

async function start(more: Partial<HttpOptions> = {}) {
  const clock = fakeClock();
  const people = samplePeopleStore();
  const { admin, asked } = sampleAdmin();
  const http = await startSampleHttp({ admin, ...people, ...more }, clock);
  onTestFinished(() => http.stop());
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${http.url}${path}`, { redirect: 'manual', headers });
  const post = (path: string, headers: Record<string, string>, fields: Record<string, string> = {}) =>
    fetch(`${http.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams(fields),
    });
  return { http, clock, entries: people.entries, get, post, asked };
}

/** fetch sets the Host header itself. */
const statusAs = (url: string, path: string, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path, headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });

const perBooking = /CS-|booking.booked|website|Scaling|treatment that|90388|4[,.]?\d\d\d|18[,.]?9/;

describe('strangers', () => {
  it('get one word of health, on the page and as JSON, and a way to sign in', async () => {
    const { get } = await start();

    const page = await (await get('/', { accept: 'text/html' })).text();
    const json = await (await get('/status.json')).text();

    expect(page).toContain('<h1 id="verdict">trouble</h1>');
    expect(page).toContain('href="/admin/sign-in"');
    expect(page).not.toMatch(perBooking);
    expect(json).toBe('{"health":"trouble"}');
  });

  it('see the same word when only a person is needed', async () => {
    const clock = fakeClock();
    const { clinics, connectors, ...report } = sampleReport(clock.now());
    const well = {
      ...report,
      health: 'ok' as const,
      reasons: [],
      clinics: clinics.map((clinic) => ({
        ...clinic,
        resources: clinic.resources.map((resource) => ({ ...resource, failures: 0 })),
      })),
      connectors: connectors.map((connector) => ({ ...connector, state: 'ok' as const })),
    };
    const { get } = await start({ report: async () => well });

    expect(await (await get('/status.json')).text()).toBe('{"health":"ok"}');
  });

  it('must sign in for the metrics, which a viewer’s token opens', async () => {
    const { get } = await start({ people: [person('prometheus', 'viewer')] });

    const stranger = await get('/metrics');
    const scraper = await get('/metrics', { authorization: 'Bearer token-of-prometheus-0123456789' });

    expect([stranger.status, scraper.status]).toEqual([401, 200]);
  });

  it('see how fresh the lists are where the page is public, and nothing of any booking', async () => {
    const { get } = await start({ isPublic: true });

    const page = await (await get('/', { accept: 'text/html' })).text();
    const json = await (await get('/status.json')).json();

    expect(page).toContain('Treatments');
    expect(page).not.toMatch(/CS-|90388|held|unknown|rejected|answered 502|treatment that/);
    expect(json).toMatchObject({ health: 'trouble', clinics: [{ resources: expect.any(Array) }] });
    expect(JSON.stringify(json)).not.toMatch(
      /bookings|today|CS-|sentence|states|needs|changes|reason|error|statistics/,
    );
  });

  it('and people with a wrong token get different answers', async () => {
    const { get } = await start();

    expect((await get('/status.json', { authorization: 'Bearer no' })).status).toBe(401);
    expect(await (await get('/status.json', bearer)).json()).toMatchObject({
      sentence: expect.any(String),
      needs: expect.any(Array),
      clinics: [{ resources: expect.any(Array) }],
    });
  });
});

it.each([
  ['viewer', []],
  ['desk', ['/bookings', '/bookings/CS-7K3Q9F']],
  ['admin', ['/bookings', '/bookings/CS-7K3Q9F', '/admin/clinics/main/sync', '/admin/guards/g-17/approve']],
] as const)('shows a %s only what they may open and press', async (role, ways) => {
  const { get } = await start({ people: [person('Rima', role)] });

  const page = await get('/', {
    authorization: 'Bearer token-of-Rima-0123456789',
    accept: 'text/html',
  });
  const text = await page.text();

  const found = [...text.matchAll(/(?:href|action)="(\/(?:bookings|admin)[^"?]*)"/g)].map(
    ([, path = '']) => path,
  );
  expect(found.every((path) => may(role, path))).toBe(true);
  expect(ways.filter((path) => !found.includes(path))).toEqual([]);
});

describe('the Host header', () => {
  it.each([
    ['localhost:8080', 200],
    ['127.0.0.1', 200],
    ['[::1]:8080', 200],
    ['ops.example', 200],
    ['OPS.example.:443', 200],
    ['also.example', 200],
    ['evil.example', 421],
    ['localhost.evil.example', 421],
    ['127.0.0.1.nip.example', 421],
    ['203.0.113.9', 421],
  ])('%s is answered %i', async (host, status) => {
    const { http } = await start({
      publicUrl: new URL('https://ops.example'),
      allowedHosts: ['also.example'],
    });

    expect(await statusAs(http.url, '/status.json', host)).toBe(status);
    expect(await statusAs(http.url, '/livez', host)).toBe(200);
    expect(await statusAs(http.url, '/in/website/form', host)).toBe(200);
  });

  it('may be any address where all are listened on, and anything with *', async () => {
    const everywhere = await start({ host: '0.0.0.0' });
    const anything = await start({ allowedHosts: ['*'] });

    expect(await statusAs(everywhere.http.url, '/', '203.0.113.9:8080')).toBe(200);
    expect(await statusAs(everywhere.http.url, '/', 'evil.example')).toBe(421);
    expect(await statusAs(anything.http.url, '/', 'evil.example')).toBe(200);
  });
});

describe('a proxy that signs people in', () => {
  const signInHeader = { name: 'Remote-User', from: ['127.0.0.1'], role: 'desk' as const };

  it('is believed from its own addresses, and gives each their role', async () => {
    const people = [{ name: 'Rima', role: 'admin' as const, key: undefined }];
    const { get } = await start({ people, signInHeader });

    const rima = await get('/audit', { 'remote-user': 'Rima' });
    const other = await get('/bookings', { 'remote-user': 'Someone' });
    const tooMuch = await get('/audit', { 'remote-user': 'Someone' });

    expect([rima.status, other.status, tooMuch.status]).toEqual([200, 200, 403]);
  });

  it.each(['Rima\u00a0', '\u00adRima', 'Ri  ma', 'R'.repeat(61), 'Rima\u0085'])(
    'is not believed with a name that only looks like one: %j',
    async (name) => {
      const people = [
        { name: 'Rima', role: 'admin' as const, key: undefined },
        { name: 'R'.repeat(60), role: 'admin' as const, key: undefined },
      ];
      const { http } = await start({ people, signInHeader });
      const { hostname, port } = new URL(http.url);

      const status = await new Promise((resolve) => {
        request({ hostname, port, path: '/bookings', headers: { 'remote-user': name } })
          .on('response', (answer) => resolve(answer.resume().statusCode))
          .end();
      });

      expect(status).toBe(401);
    },
  );

  it('may name a person in UTF-8', async () => {
    const people = [{ name: 'José', role: 'admin' as const, key: undefined }];
    const { get } = await start({ people, signInHeader });

    const josé = await get('/audit', { 'remote-user': Buffer.from('José').toString('latin1') });

    expect(josé.status).toBe(200);
  });

  it('is not believed from elsewhere, without a name, or with two', async () => {
    const elsewhere = await start({ people: [], signInHeader: { ...signInHeader, from: ['10.0.0.0/8'] } });
    const here = await start({ people: [], signInHeader });

    const answers = [
      await elsewhere.get('/bookings', { 'remote-user': 'Rima' }),
      await here.get('/bookings', { 'remote-user': ' ' }),
      await here.get('/bookings'),
    ];
    const two = await new Promise<number | undefined>((resolve) => {
      const { hostname, port } = new URL(here.http.url);
      const headers = { 'remote-user': ['Visitor', 'Rima'] };
      request({ hostname, port, path: '/bookings', headers })
        .on('response', (answer) => resolve(answer.resume().statusCode))
        .end();
    });

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(two).toBe(401);
  });

  it.each(['admin', 'clinic-sync', 'stranger', 'root', 'Rima'])(
    'does not make its own account named %s look like another in the audit',
    async (name) => {
      const people = [person('Rima', 'admin')];
      const { get, entries } = await start({ people, signInHeader: { ...signInHeader, role: 'admin' } });

      await get('/bookings', { 'remote-user': name });
      await get('/audit', { 'remote-user': name });

      expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set([`${name} (proxy)`]));
    },
  );

  it('does not let another site act in a person’s name', async () => {
    const { http, get, post, asked } = await start({ people: [], signInHeader });
    const headers = { 'remote-user': 'Someone', accept: 'text/html' };
    const page = await (await get('/', headers)).text();
    const mine = page.match(/name="form_token" value="([^"]+)"/)?.[1];

    const own = await (await get('/bookings/CS-7K3Q9F', headers)).text();
    const formToken = own.match(/name="form_token" value="([^"]+)"/)?.[1] ?? '';
    const forged = [
      await post('/admin/bookings/CS-7K3Q9F/approve', headers),
      await post(
        '/admin/bookings/CS-7K3Q9F/approve',
        { ...headers, origin: 'https://evil.example' },
        { form_token: formToken },
      ),
    ];
    const genuine = await post(
      '/admin/bookings/CS-7K3Q9F/approve',
      { ...headers, origin: http.url },
      { form_token: formToken, as_of: 'shown' },
    );

    expect(mine).toBeUndefined();
    expect(forged.map(({ status }) => status)).toEqual([403, 403]);
    expect(genuine.status).toBe(303);
    expect(asked).toEqual(['approve("CS-7K3Q9F", "Someone (proxy)", , {"seen":"shown","undoable":true})']);
  });
});

describe('under a path of a shared host', () => {
  it('leads every link, form and redirect through it', async () => {
    const { get, post } = await start({ publicUrl: new URL('https://ops.example/sync') });
    const page = await (await get('/', { ...bearer, accept: 'text/html' })).text();

    const redirect = await get('/bookings', { accept: 'text/html' });
    const signedIn = await post(
      '/admin/sign-in',
      { origin: 'https://ops.example' },
      { token: bearer.authorization.slice(7) },
    );

    expect(page).toContain('href="/sync/assets/status.css"');
    expect(page).not.toMatch(/(href|action|formaction|src)="\/(?!sync\/)/);
    expect(redirect.headers.get('location')).toBe('/sync/admin/sign-in?next=%2Fbookings');
    expect(signedIn.status).toBe(303);
    expect(signedIn.headers.get('location')).toBe('/sync/');
  });
});

describe('an address of its own for bookings that come in', () => {
  it('has them and nothing else, and the other has all but them', async () => {
    const { http } = await start({ intakeAddress: { host: '127.0.0.1', port: 0 } });
    const status = async (url: string) => (await fetch(url, { redirect: 'manual' })).status;

    expect(http.intakeUrl).not.toBe(http.url);
    expect(await status(`${http.intakeUrl}/in/website/form`)).toBe(200);
    expect(await status(`${http.intakeUrl}/assets/status.css`)).toBe(200);
    for (const path of ['/', '/status.json', '/metrics', '/admin/sign-in', '/bookings'])
      expect(await status(http.intakeUrl + path)).toBe(404);
    expect(await status(`${http.url}/in/website/form`)).toBe(404);
    expect(await status(`${http.url}/livez`)).toBe(200);
  });
});

describe('tokens', () => {
  const token = ' ünï “quoted” &=+%00 '.repeat(10);

  it('may be of any characters and of any length, and are taken exactly as they are', async () => {
    const { post } = await start({ people: [{ name: 'Rima', role: 'desk', key: tokenKey(token) }] });

    const right = await post('/admin/sign-in', {}, { token });
    const trimmed = await post('/admin/sign-in', {}, { token: token.trim() });
    const folded = await post('/admin/sign-in', {}, { token: token.toUpperCase() });

    expect([right.status, trimmed.status, folded.status]).toEqual([303, 401, 401]);
  });

  it('are typed into a masked field that password managers know', async () => {
    const { get } = await start();

    const page = await (await get('/admin/sign-in', { accept: 'text/html' })).text();

    expect(page).toMatch(/<input type="password" name="token" autocomplete="current-password"(?! maxlength)/);
  });
});

describe('sessions', () => {
  const people = [person('Rima', 'desk'), person('Sam', 'desk'), person('Boss', 'admin')];
  const signIn = async (post: Awaited<ReturnType<typeof start>>['post'], name: string) => {
    const answer = await post('/admin/sign-in', {}, { token: `token-of-${name}-0123456789` });
    return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', accept: 'text/html' };
  };
  const idsOn = async (page: Response) =>
    [...(await page.text()).matchAll(/\/admin\/sessions\/([^/]+)\/end/g)].map(([, id = '']) => id);

  it('are shown to their owner, and all of them to an admin, who may end them', async () => {
    const { get, post } = await start({ people });
    const [rima, sam, boss] = [
      await signIn(post, 'Rima'),
      await signIn(post, 'Sam'),
      await signIn(post, 'Boss'),
    ];
    const page = await (await get('/sessions', boss)).text();
    const formToken = page.match(/name="form_token" value="([^"]+)"/)?.[1] ?? '';

    const own = await idsOn(await get('/sessions', rima));
    const all = await idsOn(await get('/sessions', boss));
    const [id = ''] = own;
    const bySam = await post(`/admin/sessions/${id}/end`, {
      authorization: 'Bearer token-of-Sam-0123456789',
    });
    const byBoss = await post(`/admin/sessions/${id}/end`, boss, { form_token: formToken });

    expect([own.length, all.length]).toEqual([1, 3]);
    expect([bySam.status, byBoss.status]).toEqual([404, 303]);
    expect((await get('/bookings', rima)).status).toBe(303);
    expect((await get('/bookings', sam)).status).toBe(200);
  });

  it('of one person end all at once, and no one else’s', async () => {
    const { get, post, entries } = await start({ people });
    const [first, second] = [await signIn(post, 'Rima'), await signIn(post, 'Rima')];
    const sam = await signIn(post, 'Sam');
    const boss = { authorization: 'Bearer token-of-Boss-0123456789' };
    const shown = await (await get('/sessions', first)).text();
    const [, id = ''] = shown.match(/\/admin\/sessions\/([^/]+)\/end-all/) ?? [];

    const bySam = await post(`/admin/sessions/${id}/end-all`, {
      authorization: 'Bearer token-of-Sam-0123456789',
    });
    const byBoss = await post(`/admin/sessions/${id}/end-all`, boss);
    const row = entries.at(-1);

    expect([bySam.status, byBoss.status]).toEqual([404, 200]);
    const after = await Promise.all([first, second, sam].map((one) => get('/bookings', one)));
    expect(after.map(({ status }) => status)).toEqual([303, 303, 200]);
    expect(row).toMatchObject({ actor: 'Boss', action: 'session.end', subject: 'Rima' });
    expect(await (await get('/sessions', sam)).text()).not.toContain('end-all');
  });

  it('give way to the next one of the same browser, and stay where the token was wrong', async () => {
    const { get, post } = await start({ people });
    const first = await signIn(post, 'Rima');

    await post('/admin/sign-in', first, { token: 'wrong' });
    const afterWrong = await get('/bookings', first);
    const second = await post('/admin/sign-in', first, { token: 'token-of-Sam-0123456789' });
    const afterSecond = await get('/bookings', first);

    expect(afterWrong.status).toBe(200);
    expect(second.status).toBe(303);
    expect(afterSecond.headers.get('location')).toBe('/admin/sign-in?next=%2Fbookings');
  });

  it('are said not to have been kept, where the browser gives their cookie back to nobody', async () => {
    const { get, post } = await start({ people });
    const rima = await signIn(post, 'Rima');
    const page = async () => (await get('/admin/sign-in?next=%2Fbookings', { accept: 'text/html' })).text();

    const lost = await page();
    await get('/bookings', rima);
    const kept = await page();

    expect(lost).toContain('Your browser did not keep the sign-in.');
    expect(kept).not.toContain('did not keep');
  });

  it('are found again by a link in a mail, which browsers first open without them', async () => {
    const { get, post } = await start({ people });
    const rima = await signIn(post, 'Rima');
    const mail = { accept: 'text/html', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const own = { ...rima, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' };

    for (const path of ['/bookings?state=held', '/']) {
      const hop = await (await get(path, mail)).text();
      const [, next = ''] = /content="0; url=([^"]+)"/.exec(hop) ?? [];
      const address = `${path.split('?')[0]}${next.replaceAll('&amp;', '&')}`;

      expect((await get(address, own)).status).toBe(200);
      expect(await (await get(address, mail)).text()).not.toContain('http-equiv="refresh" content="0; url=');
    }
  });

  it.each(['https,http', 'https', 'http, https'])('are secure behind proxies that say %s', async (proto) => {
    const { post } = await start({ people, trustProxy: 1 });

    const answer = await post(
      '/admin/sign-in',
      { 'x-forwarded-proto': proto },
      { token: 'token-of-Rima-0123456789' },
    );

    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-clinic_sync_session=.*; Secure$/);
  });

  it('leave nothing in the browser’s cache when they are ended there', async () => {
    const { get, post } = await start({ people });
    const rima = await signIn(post, 'Rima');
    const page = await (await get('/sessions', rima)).text();
    const formToken = page.match(/name="form_token" value="([^"]+)"/)?.[1] ?? '';

    const answer = await post('/admin/sign-out', rima, { form_token: formToken });

    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
  });
});

describe('the audit', () => {
  it('has no sign-in that was not stored', async () => {
    const { sessions, audit, entries } = samplePeopleStore();
    const broken = {
      ...sessions,
      start: () => Promise.reject(new Failure({ kind: 'transient', message: 'The disk is full' })),
    };
    const { post } = await start({ sessions: broken, audit, people: [person('Rima', 'desk')] });

    const answer = await post('/admin/sign-in', {}, { token: 'token-of-Rima-0123456789' });

    expect(answer.status).toBe(503);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(entries.map(({ action, result }) => [action, result])).toEqual([['sign_in', 'refused']]);
  });

  it('has who signed in, who failed, who read whom and who did what, without a patient', async () => {
    const { get, post, entries } = await start({ people: [person('Rima', 'desk'), person('Boss', 'admin')] });
    const rima = { authorization: 'Bearer token-of-Rima-0123456789' };

    await post('/admin/sign-in', {}, { token: 'wrong', name: 'Zerlina' });
    await post('/admin/sign-in', {}, { token: 'token-of-Rima-0123456789' });
    await get('/bookings/cs-7k3q9f', rima);
    await post('/admin/bookings/cs-7k3q9f/drop', rima, { why: 'Zerlina rang' });
    await post('/admin/connectors/crm/pause', rima);
    await post('/admin/connectors/crm/deliveries/retry', {
      authorization: 'Bearer token-of-Boss-0123456789',
    });

    expect(
      entries.map(({ actor, role, action, subject, result }) => [actor, role, action, subject, result]),
    ).toEqual([
      ['stranger', 'none', 'sign_in', null, 'wrong token'],
      ['Rima', 'desk', 'sign_in', null, 'ok'],
      ['Rima', 'desk', 'patients.read', 'CS-7K3Q9F', 'ok'],
      ['Rima', 'desk', 'booking.drop', 'CS-7K3Q9F', 'ok'],
      ['Rima', 'desk', 'denied', '/admin/connectors/crm/pause', 'refused'],
      ['Boss', 'admin', 'connector.deliveries.retry', 'crm', 'ok'],
    ]);
    expect(entries.every(({ address }) => address === '127.0.0.1')).toBe(true);
    expect(JSON.stringify(entries)).not.toContain('Zerlina');
  });

  it('is not filled by a flood of wrong tokens, and says how many it left out', async () => {
    const { get, entries, clock } = await start({ trustProxy: 1 });

    const attempt = (i: number) =>
      get('/bookings', { authorization: 'Bearer no', 'x-forwarded-for': `192.0.2.${i}` });
    for (let i = 0; i < 150; i += 1) await attempt(i);
    const during = entries.length;
    for (let i = 0; i < 9; i += 1) await attempt(1);
    const asleep = clock.sleeping;
    const slow = attempt(1);
    await until('it waits', async () => clock.sleeping > asleep);
    await clock.advance(15 * 60_000);
    await slow;
    await attempt(200);

    expect(during).toBe(100);
    expect(entries.slice(100).map(({ result, address }) => [result, address])).toEqual([
      ['60 more wrong tokens', null],
      ['wrong token', '192.0.2.200'],
    ]);
  });

  it('has people whom the proxy signs in, once in twelve hours', async () => {
    const signInHeader = { name: 'Remote-User', from: ['127.0.0.1'], role: 'viewer' as const };
    const { get, entries, clock } = await start({ signInHeader });

    for (let i = 0; i < 3; i += 1) await get('/sessions', { 'remote-user': 'Rima' });
    await get('/sessions', { 'remote-user': 'Sam' });
    await clock.advance(12 * 3_600_000);
    await get('/sessions', { 'remote-user': 'Rima' });

    expect(entries.map(({ actor, role, action, result }) => [actor, role, action, result])).toEqual(
      ['Rima', 'Sam', 'Rima'].map((name) => [`${name} (proxy)`, 'viewer', 'sign_in', 'ok']),
    );
  });

  it('records who read it, once while they page through it', async () => {
    const { get, entries, clock } = await start({
      people: [person('Boss', 'admin'), person('Eve', 'admin')],
    });
    const boss = { authorization: 'Bearer token-of-Boss-0123456789' };

    for (let i = 0; i < 3; i += 1) await get('/audit', boss);
    await get('/audit?before=2', { authorization: 'Bearer token-of-Eve-0123456789' });
    await clock.advance(15 * 60_000);
    await get('/audit', boss);

    expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
      ['Boss', 'audit.read'],
      ['Eve', 'audit.read'],
      ['Boss', 'audit.read'],
    ]);
  });

  it('stores no zone of an address, which may be any text', async () => {
    const { get, entries } = await start({ trustProxy: 1 });

    const forwarded = { authorization: 'Bearer no', 'x-forwarded-for': 'fe80::1%Zerlina' };
    await get('/bookings', forwarded);

    expect(entries.map(({ address }) => address)).toEqual(['fe80::1']);
  });

  it('names what an action was about only when it exists', async () => {
    const { post, entries } = await start({ people: [person('Boss', 'admin')] });
    const boss = { authorization: 'Bearer token-of-Boss-0123456789' };

    await post('/admin/bookings/Zerlina/approve', boss);
    await post('/admin/connectors/Zerlina/pause', boss);
    await post('/admin/guards/Zerlina/approve', boss);
    await post('/admin/clinics/Zerlina/sync', boss);

    expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
      ['booking.approve', '(none of that name)'],
      ['connector.pause', '(none of that name)'],
      ['guard.approve', '(none of that name)'],
      ['clinic.sync', '(none of that name)'],
    ]);
  });

  it('says in the log that a booking could not be read for the audit', async () => {
    const said: (string | number | boolean | undefined)[] = [];
    const warn: Log['warn'] = (_text, fields) => said.push(fields?.problem);
    const away = async () => {
      throw new Failure({ kind: 'transient', message: 'The disk is gone' });
    };
    const { post, entries } = await start({
      people: [person('Vera', 'viewer')],
      adminData: { bookingsOf: away } as never,
      log: { ...silentLog, warn },
    });

    const { status } = await post('/admin/bookings/CS-7K3Q9F/approve', {
      authorization: 'Bearer token-of-Vera-0123456789',
    });

    expect(status).toBe(403);
    expect(entries.map(({ subject }) => subject)).toEqual(['/admin/bookings/:ref/approve']);
    expect(said).toEqual(['The disk is gone']);
  });

  it('names the booking that a role was refused, and nothing that was made up', async () => {
    const { post, entries } = await start({ people: [person('Vera', 'viewer')] });
    const vera = { authorization: 'Bearer token-of-Vera-0123456789' };

    await post('/admin/bookings/CS-7K3Q9F/approve', vera);
    await post('/admin/bookings/Zerlina%20Plantagenet/approve', vera);
    await post('/admin/bookings/Zerlina/approve', vera);

    expect(entries.map(({ subject }) => subject)).toEqual([
      '/admin/bookings/CS-7K3Q9F/approve',
      '/admin/bookings/:ref/approve',
      '/admin/bookings/:ref/approve',
    ]);
  });

  it('that cannot be written blocks no one from the bookings', async () => {
    const { audit } = samplePeopleStore();
    audit.record = async () => {
      throw new Error('the disk is full');
    };
    const { get } = await start({ audit });

    expect((await get('/bookings/CS-7K3Q9F', bearer)).status).toBe(200);
  });

  it('is a page for admins', async () => {
    const { get } = await start();
    await get('/bookings/CS-7K3Q9F', bearer);

    const page = await (await get('/audit', { ...bearer, accept: 'text/html' })).text();

    expect(page).toContain('patients.read');
    expect(page).toContain('href="/bookings/CS-7K3Q9F"');
  });
});
