import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  bearer,
  person,
  plantedWords,
  sampleAdmin,
  samplePeopleStore,
  startSampleHttp,
} from '../../test/support/http/http-kit.ts';
import { atLeast, type Role, roles } from '../domain/role.ts';
import type { Http } from './http.ts';

/**
 * Who may call what. `public`: everyone · `connector`: senders its connector knows · otherwise the least role. A route that
 * is missing here fails the test.
 */
const who: Record<string, 'public' | 'connector' | Role> = {
  'GET /': 'public',
  'GET /livez': 'public',
  'GET /readyz': 'public',
  'GET /syncz': 'public',
  'GET /status.json': 'public',
  'GET /openapi.json': 'public',
  'GET /metrics': 'viewer',
  'GET /changes': 'viewer',
  'GET /assets/status.css': 'public',
  'GET /assets/live.js': 'public',
  'GET /clinics/:clinic': 'viewer',
  'GET /clinics/:clinic/:poll': 'viewer',
  'GET /clinics/:clinic/:poll/:id': 'viewer',
  'GET /connectors/:name': 'viewer',
  'GET /change-log': 'viewer',
  'GET /reports': 'viewer',
  'GET /reports/month.html': 'viewer',
  'GET /reports/month.xlsx': 'viewer',
  'GET /fees': 'viewer',
  'GET /fees/:clinic/:kind/:id': 'viewer',
  'GET /incidents': 'viewer',
  'GET /live': 'viewer',
  'GET /admin/sign-in': 'public',
  'POST /admin/sign-in': 'public',
  'GET /links/:token': 'public',
  'POST /links/:token': 'public',
  'POST /in/:connector': 'connector',
  'POST /in/:connector/*': 'connector',
  'GET /in/:connector': 'connector',
  'GET /in/:connector/*': 'connector',
  'OPTIONS /in/:connector': 'public',
  'OPTIONS /in/:connector/*': 'public',
  'GET /bookings': 'desk',
  'GET /bookings/new': 'desk',
  'GET /bookings/:ref': 'desk',
  'GET /bookings/:ref/receipt': 'desk',
  'GET /assets/desk.js': 'public',
  'POST /admin/bookings/many/choose': 'desk',
  'POST /admin/bookings/many/approve': 'desk',
  'POST /admin/bookings/many/drop': 'desk',
  'POST /admin/bookings/many/undo': 'desk',
  'GET /sessions': 'viewer',
  'GET /audit': 'admin',
  'POST /admin/sign-out': 'viewer',
  'POST /admin/sessions/:id/end': 'viewer',
  'POST /admin/sessions/:id/end-all': 'viewer',
  'POST /admin/bookings/add': 'desk',
  'POST /admin/bookings/:ref/approve': 'desk',
  'POST /admin/bookings/:ref/take': 'desk',
  'POST /admin/bookings/:ref/edit': 'desk',
  'POST /admin/bookings/:ref/reopen': 'desk',
  'POST /admin/bookings/:ref/resolve': 'desk',
  'POST /admin/bookings/:ref/drop': 'desk',
  'POST /admin/bookings/:ref/acknowledge': 'desk',
  'POST /admin/bookings/:ref/undo': 'desk',
  'POST /admin/bookings/:ref/reconcile': 'desk',
  'POST /connectors/:name/try': 'desk',
  'POST /admin/connectors/:name/pause': 'admin',
  'POST /admin/connectors/:name/resume': 'admin',
  'POST /admin/connectors/:name/check': 'admin',
  'POST /admin/connectors/:name/deliveries/retry': 'admin',
  'POST /admin/connectors/:name/deliveries/skip': 'admin',
  'POST /admin/connectors/:name/deliveries/replay': 'admin',
  'POST /admin/silences/:clinic/answer': 'desk',
  'POST /admin/guards/:id/approve': 'admin',
  'POST /admin/clinics/:clinic/resume-lane': 'admin',
  'POST /admin/clinics/:clinic/sync': 'admin',
};

const { admin, asked } = sampleAdmin();
let open: Http;
let tokenless: Http;
let staffed: Http;

beforeAll(async () => {
  // As many wrong tokens as there are routes.
  const limits = { wrongTokens: 1_000 };
  open = await startSampleHttp({ admin, limits });
  tokenless = await startSampleHttp({ admin, limits, people: [], isPublic: true, trustProxy: 1 });
  staffed = await startSampleHttp({
    trustProxy: 1,
    limits,
    admin,
    people: roles.map((role) => person(role, role)),
  });
});
afterAll(async () => {
  await Promise.all([open.stop(), tokenless.stop(), staffed.stop()]);
});

const concrete = (path: string) =>
  path
    .replace(':connector', 'website')
    .replace('*', 'CS-7K3Q9F')
    .replace(':ref', 'CS-7K3Q9F')
    .replace(':poll/:id', 'treatments/7')
    .replace(':poll', 'treatments')
    .replace(':kind/:id', 'treatment/7')
    .replace(/^\/connectors\/:name/, '/connectors/crm')
    .replace(/:\w+/, 'main');

async function call(http: Http, route: string, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = route.split(' ');
  const body =
    method === 'POST'
      ? JSON.stringify({
          as: 'booked-no-id',
          note: 'changed',
          picks: 'CS-7K3Q9F',
          'pick.CS-7K3Q9F': 'shown',
        })
      : null;
  return fetch(`${http.url}${concrete(path)}`, {
    method,
    body,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
  });
}

const LIVE = 'GET /live';

const routesOf = (kind: string) => Object.keys(who).filter((route) => who[route] === kind);
const guarded = roles.flatMap(routesOf);

it('lists every route there is', () => {
  const registered = open.routes
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, path }) => `${method} ${path}`);

  expect(registered.sort()).toEqual(Object.keys(who).sort());
});

describe('shows no patient to strangers', () => {
  it.each([...routesOf('public'), ...routesOf('connector'), ...guarded])('%s', async (route) => {
    for (const accept of ['text/html', 'application/json']) {
      const answer = await call(open, route, { accept });
      const shown = `${JSON.stringify([...answer.headers])}${await answer.text()}`;

      for (const word of plantedWords) expect(shown).not.toContain(word);
    }
  });
});

describe('refuses strangers', () => {
  it.each(guarded)('%s', async (route) => {
    const before = asked.length;

    const stranger = await call(open, route);
    const wrongToken = await call(open, route, { authorization: 'Bearer no' });
    const wrongCookie = await call(open, route, { cookie: 'clinic_sync_session=e30.e30' });

    expect([stranger.status, wrongCookie.status]).toEqual([401, 401]);
    expect(wrongToken.status).toBe(401);
    expect(asked.length).toBe(before);
  });

  it.each(routesOf('connector').filter((route) => route !== 'GET /in/:connector'))('%s', async (route) => {
    const answer = await call(open, route);

    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('refuses admin routes entirely when no token is set', () => {
  it.each([
    ...guarded.filter((route) => route !== 'GET /metrics'),
    'GET /admin/sign-in',
    'POST /admin/sign-in',
  ])('%s', async (route) => {
    const before = asked.length;

    const answers = await Promise.all([
      call(tokenless, route),
      call(tokenless, route, { authorization: 'Bearer ' }),
      call(tokenless, route, { authorization: 'Bearer undefined' }),
      call(tokenless, route, { cookie: 'clinic_sync_session=.' }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(await answers[0]?.json()).toMatchObject({
      ok: false,
      hint: expect.stringContaining('admin_token'),
    });
    expect(asked.length).toBe(before);
  });
});

describe('where no one can sign in, what is not for strangers', () => {
  const far = { 'x-forwarded-for': '192.0.2.7' };
  const near = { 'x-forwarded-for': '127.0.0.1' };

  it.each(guarded)('is refused to other machines: %s', async (route) => {
    const statuses = await Promise.all(
      [far, near, { via: '1.1 proxy' }].map((headers) => call(tokenless, route, headers)),
    );

    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it('is refused on this machine, too, except GET /metrics', async () => {
    const statuses = await Promise.all(
      guarded.map(async (route) => [route, (await call(tokenless, route)).status]),
    );

    expect(statuses.filter(([, status]) => status !== 403)).toEqual([['GET /metrics', 200]]);
  });

  it.each(['GET /', 'GET /status.json', 'GET /syncz'])(
    'and counts no bookings for anybody: %s',
    async (route) => {
      for (const headers of [far, {}]) {
        const shown = await (await call(tokenless, route, headers)).text();

        expect(shown).not.toMatch(/held|queued|rejected|bookings?_total/);
      }
    },
  );
});

describe('ignores where a request comes from wherever people can sign in', () => {
  it.each(guarded)('%s', async (route) => {
    const elsewhere = { 'x-forwarded-for': '192.0.2.7' };
    const viewer = { authorization: 'Bearer token-of-viewer-0123456789' };
    const statusOf = async (headers: Record<string, string>) => (await call(staffed, route, headers)).status;

    expect(await statusOf({})).toBe(401);
    expect(await statusOf(elsewhere)).toBe(401);
    expect(await statusOf({ ...viewer, ...elsewhere })).toBe(await statusOf(viewer));
  });
});

describe('lets people do what their role allows, and no more', () => {
  const tokenOf = (role: Role) => ({ authorization: `Bearer token-of-${role}-0123456789` });
  const cases = guarded.flatMap((route) => roles.map((role) => ({ route, role, least: who[route] as Role })));

  it.each(cases)('$route as $role', async ({ route, role, least }) => {
    const before = asked.length;

    const answer = await call(staffed, route, tokenOf(role));

    const allowed = atLeast(role, least);
    // There is no session to end in this test: 404. A stream is not asked for as one: 406.
    const done = route.includes('/sessions/:id/') ? [404] : [200, 303, ...(route === LIVE ? [406] : [])];
    expect(allowed ? done : [403]).toContain(answer.status);
    if (!allowed) expect(asked.length).toBe(before);
  });

  it('knows no more roles than these', () => {
    expect(new Set(Object.values(who))).toEqual(new Set(['public', 'connector', ...roles]));
  });
});

describe('lets the admin token in', () => {
  it.each(guarded.filter((route) => !route.includes('/sessions/:id/')))('%s', async (route) => {
    const answer = await call(open, route, bearer);

    expect([200, 303, ...(route === LIVE ? [406] : [])]).toContain(answer.status);
  });
});

describe('leaves a line in the audit', () => {
  /** They show figures, or sessions, or have nothing to end in this test. */
  const silent = (route: string) =>
    /^GET \/(metrics|bookings\/new|sessions|clinics|connectors\/:|change-log|reports|fees|incidents|live)|\/sessions\/:id\//.test(
      route,
    );

  it.each(guarded.filter((route) => !silent(route)))('%s', async (route) => {
    const { audit, entries } = samplePeopleStore();
    const http = await startSampleHttp({ admin, audit });
    onTestFinished(() => http.stop());

    await call(http, route, bearer);

    expect(entries).toMatchObject([{ role: 'admin', result: 'ok' }]);
  });
});
