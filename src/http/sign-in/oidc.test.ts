import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { type FakeIssuer, startFakeIssuer } from '../../../test/support/http/fake-issuer.ts';
import { adminToken, samplePeopleStore, startSampleHttp } from '../../../test/support/http/http-kit.ts';
import { until } from '../../../test/support/until.ts';
import { OIDC_CALLBACK, type OpenIdIssuer } from '../../domain/people.ts';
import type { HttpOptions } from '../http.ts';

interface Story {
  settings?: Partial<OpenIdIssuer>;
  publicUrl?: string;
  more?: Partial<HttpOptions>;
  path?: string;
}

/** A daemon behind a proxy that cuts off the public path, and the provider that it trusts. */
async function start({ settings = {}, publicUrl = 'https://ops.example', more = {}, path }: Story = {}) {
  const clock = fakeClock();
  const issuer = await startFakeIssuer({ now: () => clock.now(), ...(path !== undefined && { path }) });
  const people = samplePeopleStore();
  const oidc: OpenIdIssuer = {
    ...{ issuer: issuer.issuer, clientId: issuer.clientId, clientSecret: issuer.clientSecret },
    ...{ roleClaim: 'groups', roles: { 'front-desk': 'desk', 'it-team': 'admin', everyone: 'viewer' } },
    redirectUri: `${publicUrl}${OIDC_CALLBACK}`,
    ...settings,
  };
  const run = async (changed: Partial<OpenIdIssuer> = {}) => {
    const publicAddress = { publicUrl: new URL(publicUrl) };
    const http = await startSampleHttp(
      { ...publicAddress, oidc: { ...oidc, ...changed }, ...people, ...more },
      clock,
    );
    onTestFinished(() => http.stop());
    return http;
  };
  onTestFinished(() => issuer[Symbol.asyncDispose]());
  const http = await run();
  const browser = () => createBrowser(publicUrl, () => http.url);
  return { http, run, issuer, clock, browser, entries: people.entries, publicUrl };
}

/** Keeps cookies and follows redirects, as far as it is told to. */
function createBrowser(publicUrl: string, at: () => string) {
  const cookies = new Map<string, string>();
  const open = async (address: string, origin = at()) => {
    const isOurs = address.startsWith('/') || address.startsWith(publicUrl);
    const path = address.startsWith(publicUrl) ? address.slice(publicUrl.length) : address;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(isOurs ? `${origin}${path}` : address, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...(isOurs && { cookie, 'x-forwarded-proto': 'https' }) },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      if (rest.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = answer.headers.get('location') ?? '';
    return { status: answer.status, text: await answer.text(), location, answer };
  };
  /** The provider's answer to a sign-in that begins now: an address of ours. */
  const toProvider = async (next = '/'): Promise<string> => {
    const begun = await open(`/admin/sign-in/oidc?next=${encodeURIComponent(next)}`);
    return (await open(begun.location)).location;
  };
  const signIn = async (next?: string) => open(await toProvider(next));
  return { cookies, open, toProvider, signIn };
}

const refreshTo = (text: string): string | undefined => /content="0; url=([^"]+)"/.exec(text)?.[1];
const button = (text: string): string | undefined =>
  /class="button" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');

/** What a browser may do afterwards. */
const role = async ({ open }: ReturnType<typeof createBrowser>) => {
  const [viewer, desk, admin] = [await open('/incidents'), await open('/bookings'), await open('/audit')];
  return [viewer.status, desk.status, admin.status].filter((status) => status === 200).length;
};

describe('a person whom the provider names', () => {
  it('signs in from the button with the role of their group, and is led to the page they wanted', async () => {
    const { browser, entries, issuer } = await start();
    const rima = browser();

    const page = await rima.open('/admin/sign-in?next=/bookings');
    const begun = await rima.open(button(page.text) ?? '');
    const back = await rima.open((await rima.open(begun.location)).location);

    expect(page.text).toContain(`Sign in with ${new URL(issuer.issuer).host}`);
    expect(page.text).toContain('name="token"');
    expect(refreshTo(back.text)).toBe('https://ops.example/bookings');
    expect(await role(rima)).toBe(2);
    expect(entries.filter(({ action }) => action === 'sign_in')).toMatchObject([
      { actor: 'rima (oidc)', role: 'desk', result: 'ok' },
    ]);
  });

  it('has a session like any other: in a strict cookie, with an end, and to sign out of', async () => {
    const { browser, clock } = await start();
    const rima = browser();

    const back = await rima.signIn();

    expect(back.answer.headers.getSetCookie().join()).toMatch(
      /__Host-clinic_sync_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure/,
    );
    expect((await rima.open('/sessions')).text).toContain('rima (oidc)');
    await clock.advance(61 * 60_000);
    expect(await role(rima)).toBe(0);
  });

  it('may have only the highest of several roles, and none that is not mapped', async () => {
    const { browser, issuer } = await start();
    issuer.account = { ...issuer.account, groups: ['constructor', 'everyone', 'it-team', 'front-desk'] };

    const all = browser();
    await all.signIn();

    expect(await role(all)).toBe(3);
  });

  it('keeps the session through a restart, and loses it with the role of the group', async () => {
    const { browser, run } = await start();
    const rima = browser();
    await rima.signIn();

    const same = await run();
    const changed = await run({ roles: { 'front-desk': 'viewer' } });

    expect((await rima.open('/bookings', same.url)).status).toBe(200);
    expect((await rima.open('/bookings', changed.url)).status).toBe(303);
  });

  it.each([
    [
      'another alphabet',
      { preferred_username: 'Ри\u00adма', email: 'rima@clinic.example' },
      'rima@clinic.example (oidc)',
    ],
    ['the name of the admin token', { preferred_username: 'admin' }, 'admin (oidc)'],
    ['no name', { preferred_username: undefined }, '7f3a (oidc)'],
    ['a name of 61 letters', { preferred_username: 'r'.repeat(61) }, '7f3a (oidc)'],
  ])('is in the audit under a name that is theirs alone: %s', async (_what, account, actor) => {
    const { browser, entries, issuer } = await start();
    issuer.account = { ...issuer.account, ...account };

    await browser().signIn();

    expect(entries.at(-1)).toMatchObject({ action: 'sign_in', actor });
  });

  it('signs in below a path of a shared host', async () => {
    const { browser } = await start({ publicUrl: 'https://clinic.example/ops/desk' });
    const rima = browser();

    const page = await rima.open('/admin/sign-in?next=/bookings');
    const back = await rima.signIn('/bookings?state=held');

    expect(button(page.text)).toBe('https://clinic.example/ops/desk/admin/sign-in/oidc?next=%2Fbookings');
    expect(refreshTo(back.text)).toBe('https://clinic.example/ops/desk/bookings?state=held');
    expect(back.answer.headers.getSetCookie().join()).toContain('__Secure-clinic_sync_session=');
    expect(await role(rima)).toBe(2);
  });

  it.each(['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'is never led to another site: %s',
    async (next) => {
      const { browser } = await start();

      expect(refreshTo((await browser().signIn(next)).text)).toBe('https://ops.example/');
    },
  );

  it('may sign in by token, too, and not at all with a bearer made of the configuration', async () => {
    const { http } = await start();
    const body = new URLSearchParams({ token: adminToken, name: 'Omar' });

    const byToken = await fetch(`${http.url}/admin/sign-in`, { method: 'POST', redirect: 'manual', body });
    const asProvider = await fetch(`${http.url}/metrics`, { headers: { authorization: 'Bearer oidc' } });

    expect([byToken.status, asProvider.status]).toEqual([303, 401]);
  });
});

describe('the role', () => {
  const roleWith = async (
    settings: Partial<OpenIdIssuer>,
    account: object,
    more: Partial<FakeIssuer['ways']> = {},
  ) => {
    const { browser, issuer } = await start({ settings });
    Object.assign(issuer.ways, more);
    issuer.account = { sub: '7f3a', preferred_username: 'rima', ...account };
    const rima = browser();
    await rima.signIn();
    return role(rima);
  };

  it.each([
    ['one value', { roleClaim: 'role' }, { role: 'front-desk' }],
    [
      'a claim within others',
      { roleClaim: 'realm_access.roles' },
      { realm_access: { roles: ['front-desk'] } },
    ],
    [
      'a client whose name has dots',
      { roleClaim: 'resource_access.ops.example.roles' },
      { resource_access: { 'ops.example': { roles: ['front-desk'] } } },
    ],
    [
      'a name that is an address',
      { roleClaim: 'https://ops.example/roles' },
      { 'https://ops.example/roles': ['front-desk'] },
    ],
    [
      'a path of groups',
      { roles: { '/clinic/desk': 'desk' as const } },
      { groups: ['/clinic/desk', '/clinic'] },
    ],
    [
      'a verified address',
      { roleClaim: 'email', roles: { 'rima@clinic.example': 'desk' as const } },
      { email: 'rima@clinic.example', email_verified: true },
    ],
  ])('comes from %s', async (_what, settings, account) => {
    expect(await roleWith(settings, account)).toBe(2);
    expect(await roleWith(settings, account, { claimsIn: 'userinfo' })).toBe(2);
  });

  it.each([
    ['an address that nobody verified', { email: 'boss@clinic.example' }],
    [
      'an address that somebody else may have written',
      { email: 'boss@clinic.example', email_verified: false },
    ],
  ])('does not come from %s', async (_what, account) => {
    const settings = { roleClaim: 'email', roles: { 'boss@clinic.example': 'admin' as const } };

    expect(await roleWith(settings, account)).toBe(0);
  });

  it('is asked for with a scope only where the provider knows that scope', async () => {
    expect(await roleWith({}, { groups: ['front-desk'] }, { scopes: ['openid', 'profile', 'email'] })).toBe(
      2,
    );
    expect(await roleWith({}, { groups: ['front-desk'] }, { scopes: undefined })).toBe(2);
    expect(await roleWith({}, { groups: ['front-desk'] }, { scopes: ['openid', 'groups'] })).toBe(2);
  });

  it.each([
    ['their groups', { groups: ['sales', '<b>all</b>'] }, /<code>sales<\/code>.*<code>&lt;b&gt;all/],
    ['that there are none', {}, /sends no groups for your account/],
    ['that there are too many', { _claim_names: { groups: 'src1' } }, /too many groups/],
  ])(
    'is missing: the page says whom to ask and shows %s; no session begins',
    async (_what, account, words) => {
      const { browser, issuer, entries } = await start();
      issuer.account = { sub: '7f3a', preferred_username: 'rima', ...account };
      const rima = browser();

      const page = await rima.signIn();

      expect(page.status).toBe(403);
      expect(page.text).toContain('Your account has no role here');
      expect(page.text).toMatch(words);
      expect(rima.cookies.has('__Host-clinic_sync_session')).toBe(false);
      expect(entries.at(-1)).toMatchObject({ actor: 'rima (oidc)', role: 'none', result: 'no role' });
    },
  );
});

describe('an answer of the provider', () => {
  it('is taken from a token of any size: none is kept in a cookie', async () => {
    const { browser, issuer } = await start();
    const groups = Array.from({ length: 1_500 }, (_, n) => `group-${n}-of-a-large-practice`);
    issuer.account = { ...issuer.account, groups: [...groups, 'front-desk'] };
    const rima = browser();

    const back = await rima.signIn();

    expect(await role(rima)).toBe(2);
    expect(back.answer.headers.getSetCookie().join().length).toBeLessThan(300);
  });

  it('is understood after the provider changed its key', async () => {
    const { browser, issuer } = await start();
    await browser().signIn();
    issuer.rotate();
    const rima = browser();

    await rima.signIn();

    expect(await role(rima)).toBe(2);
  });

  it('is understood from a provider that wants the secret in the form', async () => {
    const { browser, issuer } = await start();
    issuer.ways.secretIn = 'post';
    const [first, second] = [browser(), browser()];

    await first.signIn();
    await second.signIn();

    expect([await role(first), await role(second)]).toEqual([2, 2]);
    expect(issuer.asked.filter((path) => path === '/token')).toHaveLength(3);
  });

  it.each([
    ['for another client', { overwritten: { aud: 'another' } }],
    ['for several clients and from another', { overwritten: { aud: ['clinic-sync', 'b'], azp: 'b' } }],
    ['of another issuer', { overwritten: { iss: 'https://evil.example' } }],
    ['for another sign-in', { overwritten: { nonce: 'another' } }],
    ['without a nonce', { overwritten: { nonce: undefined } }],
    ['signed by another key', { signedBy: 'another key' as const }],
    ['signed with the secret', { signedBy: 'HS256' as const }],
    ['from a clock that is ten minutes behind', { skewMs: -600_000 }],
  ])('is refused: %s', async (_what, ways) => {
    const { browser, issuer, entries } = await start();
    Object.assign(issuer.ways, ways);
    const rima = browser();

    const back = await rima.signIn('/bookings');

    expect(back.status).toBe(403);
    expect(button(back.text)).toContain('next=%2Fbookings');
    expect(await role(rima)).toBe(0);
    expect(entries.filter(({ action }) => action === 'sign_in')).toEqual([]);
  });

  it.each([-330_000, 30_000])(
    'is taken from a clock that differs within the life of a token by %i ms',
    async (skewMs) => {
      const { browser, issuer } = await start();
      issuer.ways.skewMs = skewMs;
      const rima = browser();

      await rima.signIn();

      expect(await role(rima)).toBe(2);
    },
  );

  it('counts once, and only in the browser that asked', async () => {
    const { browser } = await start();
    const [rima, thief] = [browser(), browser()];
    await thief.toProvider();
    const answer = await rima.toProvider('/bookings');

    const stolen = await thief.open(answer);
    const taken = await rima.open(answer);
    rima.cookies.delete('__Host-clinic_sync_session');
    const again = await rima.open(answer);

    expect([stolen.status, taken.status, again.status]).toEqual([400, 200, 403]);
    expect(await role(thief)).toBe(0);
    expect(await role(rima)).toBe(0);
  });

  it('is useless with a code that another sign-in was given', async () => {
    const { browser } = await start();
    const [rima, thief] = [browser(), browser()];
    const [own, others] = [new URL(await rima.toProvider()), new URL(await thief.toProvider())];
    own.searchParams.set('code', others.searchParams.get('code') ?? '');

    expect((await rima.open(own.href)).status).toBe(403);
    expect(await role(rima)).toBe(0);
  });

  it('is refused when it comes too late, or with a state that was changed', async () => {
    const { browser, clock } = await start();
    const rima = browser();
    const [late, changed] = [await rima.toProvider(), new URL(await rima.toProvider('/bookings'))];
    const state = changed.searchParams.get('state') ?? '';
    changed.searchParams.set(
      'state',
      state.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    );

    const tampered = await rima.open(changed.href);
    await clock.advance(16 * 60_000);
    const old = await rima.open(late);

    expect([tampered.status, old.status]).toEqual([400, 400]);
    expect(old.text).toContain('too long ago');
  });

  it('ends the sign-in of each of several tabs, whichever comes back first', async () => {
    const { browser } = await start();
    const rima = browser();
    const [first, second] = [await rima.toProvider('/bookings'), await rima.toProvider('/fees')];

    const answers = [await rima.open(second), await rima.open(first)];

    expect(answers.map(({ text }) => refreshTo(text))).toEqual([
      'https://ops.example/fees',
      'https://ops.example/bookings',
    ]);
  });

  it('leads on whoever opens it again while signed in', async () => {
    const { browser } = await start();
    const rima = browser();
    const answer = await rima.toProvider('/bookings');
    await rima.open(answer);

    const again = await rima.open(answer);

    expect([again.status, again.location]).toEqual([303, '/bookings']);
  });

  it('of an error is a page with the way to begin anew', async () => {
    const { browser } = await start();
    const rima = browser();
    const answer = new URL(await rima.toProvider('/bookings'));
    answer.searchParams.delete('code');
    answer.searchParams.set('error', 'access_denied');
    answer.searchParams.set('error_description', 'Rima Haddad is not assigned');

    const page = await rima.open(answer.href);

    expect(page.status).toBe(403);
    expect(page.text).toContain('access_denied');
    expect(page.text).not.toContain('Haddad');
    expect(button(page.text)).toBeDefined();
  });

  it('may be right for as many people of one address as come', async () => {
    const { browser } = await start();
    for (let n = 0; n < 35; n += 1) expect((await browser().signIn()).status).toBe(200);
  });

  it('is no longer asked for after thirty that failed from one address', async () => {
    const { browser, issuer } = await start();
    issuer.ways.overwritten = { aud: 'another' };
    const rima = browser();
    for (let n = 0; n < 30; n += 1) await rima.signIn();
    const before = issuer.asked.filter((path) => path === '/token').length;

    const page = await rima.signIn();

    expect(page.status).toBe(429);
    expect(issuer.asked.filter((path) => path === '/token')).toHaveLength(before);
  });
});

describe('a provider that does not answer', () => {
  it('is named where the button was, keeps nobody from their token, and is asked again', async () => {
    const { browser, issuer, clock } = await start();
    issuer.ways.isDown = true;
    const rima = browser();

    const page = await rima.open('/admin/sign-in');
    const begun = await rima.open('/admin/sign-in/oidc');
    issuer.ways.isDown = false;
    await clock.advance(6_000);
    const later = await rima.open('/admin/sign-in');

    expect(page.text).toContain(`Nobody can sign in with ${new URL(issuer.issuer).host} now.`);
    expect(page.text).toContain('name="token"');
    expect([page.status, begun.status]).toEqual([200, 503]);
    expect(button(later.text)).toBeDefined();
  });

  it('keeps nobody waiting who has a token', async () => {
    const { browser, issuer, clock } = await start();
    issuer.ways.isSilent = true;

    const page = browser().open('/admin/sign-in');
    await until('the page asks the provider', () => clock.sleeping > 0);
    await clock.advance(1_000);

    expect((await page).text).toContain('name="token"');
  });

  it('and fails only after it has been seen is known from then', async () => {
    const { browser, issuer, clock } = await start();
    const rima = browser();
    await rima.open('/admin/sign-in');
    issuer.ways.isDown = true;
    await clock.advance(10 * 60_000);

    expect(button((await rima.open('/admin/sign-in')).text)).toBeDefined();
  });

  it('and calls itself otherwise is refused with the name to write', async () => {
    const { browser, issuer } = await start();
    issuer.ways.calledAs = `${issuer.issuer}/`;

    expect((await browser().open('/admin/sign-in')).text).toContain(`${issuer.issuer}/`);
  });
});
