import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock, settle } from '../../../test/support/fake-clock.ts';
import {
  adminToken,
  doing,
  person,
  sampleAdmin,
  sampleBooking,
  samplePeopleStore,
  startSampleHttp,
} from '../../../test/support/http/http-kit.ts';
import { until } from '../../../test/support/until.ts';
import { type CheckedLine, fail, ok, stated, warn } from '../../connector.ts';
import type { Booking } from '../../domain/bookings/booking.ts';
import { Failure } from '../../platform/failure.ts';
import type { HttpOptions } from '../http.ts';

async function start(more: Partial<HttpOptions> = {}) {
  const clock = fakeClock();
  const { admin, asked } = sampleAdmin();
  const http = await startSampleHttp({ admin, ...more }, clock);
  onTestFinished(() => http.stop());
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${http.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { accept: 'text/html', origin: http.url, ...headers },
    });
  const page = async (path: string, cookie: string) =>
    (await fetch(`${http.url}${path}`, { headers: { accept: 'text/html', cookie } })).text();
  const signIn = async (name = 'Ruma') => {
    const answer = await post('/admin/sign-in', { token: adminToken, name });
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const formToken = (await page('/', cookie)).match(/name="form_token" value="([^"]+)"/)?.[1] ?? '';
    return { answer, cookie, formToken };
  };
  return { http, clock, asked, post, page, signIn };
}

describe('signing in', () => {
  it('sets a cookie that scripts and other sites cannot use, and redirects to the requested page', async () => {
    const { post } = await start();

    const answer = await post('/admin/sign-in', { token: adminToken, next: '/bookings?state=held' });

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/bookings?state=held');
    expect(answer.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict$/);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/\n/evil', 'javascript:alert(1)'])(
    'never leads to another site: %j',
    async (next) => {
      const { post } = await start();

      const answer = await post('/admin/sign-in', { token: adminToken, next });

      expect(answer.headers.get('location')).toBe('/');
    },
  );

  it('makes wrong tokens wait after ten, and still accepts the right one', async () => {
    const { http, post, clock } = await start();
    const ask = (token: string) =>
      fetch(`${http.url}/bookings`, { headers: { authorization: `Bearer ${token}` } });
    const first = await post('/admin/sign-in', { token: 'wrong' });
    for (let i = 0; i < 5; i += 1) await post('/admin/sign-in', { token: `wrong ${i}` });
    for (let i = 0; i < 4; i += 1) await ask(`wrong${i}`);

    const asleep = clock.sleeping;
    const slow = [post('/admin/sign-in', { token: 'wrong' }), ask('wrong'), ask('wrong')];
    const answered: number[] = [];
    for (const answer of slow) void answer.then(() => answered.push(clock.monotonic()));
    const right = [await post('/admin/sign-in', { token: adminToken }), await ask(adminToken)];
    await until('all three wait', async () => clock.sleeping >= asleep + 3);
    const from = clock.monotonic();
    const before = answered.length;
    for (let n = 1; n <= 3; n += 1) {
      await clock.advance(1_000);
      await until('one more is answered', async () => answered.length === n);
    }
    const wrong = await Promise.all(slow);
    await clock.advance(15 * 60_000);
    const later = await ask('wrong');

    expect([before, answered.map((at) => at - from)]).toEqual([0, [1_000, 2_000, 3_000]]);

    expect([first.status, later.status]).toEqual([401, 401]);
    expect(wrong.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(right.map(({ status }) => status)).toEqual([303, 200]);
    expect(Number(wrong[0]?.headers.get('retry-after'))).toBe(900);
  });

  it('ends after twelve hours, however busy', async () => {
    const { signIn, page, clock } = await start();
    const { cookie } = await signIn();
    const seen: boolean[] = [];

    for (let halfHours = 1; halfHours <= 24; halfHours += 1) {
      seen.push((await page('/bookings', cookie)).includes('Zerlina Plantagenet'));
      await clock.advance(30 * 60_000);
    }

    expect(seen).not.toContain(false);
    expect(await page('/bookings', cookie)).not.toContain('Zerlina');
  });

  it('ends after an hour without activity, and a page that reloads itself is not activity', async () => {
    const { signIn, page, clock } = await start();
    const { cookie } = await signIn();

    await clock.advance(30 * 60_000);
    const meanwhile = await page('/?auto', cookie);
    await clock.advance(30 * 60_000);

    expect(meanwhile).toContain('Sign out');
    expect(await page('/', cookie)).not.toContain('Sign out');
  });

  it('ends for good when the person signs out, even for a copied cookie', async () => {
    const { signIn, post, page } = await start();
    const { cookie, formToken } = await signIn();

    const answer = await post('/admin/sign-out', { form_token: formToken, as_of: 'shown' }, { cookie });

    expect(answer.status).toBe(303);
    expect(await page('/', cookie)).toContain('Sign in');
  });

  it('survives a restart, as does having signed out; another token ends it', async () => {
    const kept = samplePeopleStore();
    const { signIn, post } = await start(kept);
    const [{ cookie }, over] = [await signIn(), await signIn()];
    await post('/admin/sign-out', { form_token: over.formToken }, { cookie: over.cookie });

    const same = await start(kept);
    const other = await start({ ...kept, people: [person('', 'admin', 'another-token-of-16')] });

    expect(await same.page('/', cookie)).toContain('Sign out');
    expect(await same.page('/', over.cookie)).not.toContain('Sign out');
    expect(await other.page('/', cookie)).not.toContain('Sign out');
  });

  it('stores nothing that opens a session', async () => {
    const kept = samplePeopleStore();
    const { signIn } = await start(kept);

    const { cookie } = await signIn();

    const [value = ''] = cookie.split('=').slice(1);
    expect(value.length).toBeGreaterThan(40);
    expect(JSON.stringify(await kept.sessions.list())).not.toContain(value);
  });

  it('continues while the database does not answer, for known sessions', async () => {
    const kept = samplePeopleStore();
    const { signIn, page, clock } = await start(kept);
    const { cookie } = await signIn();

    kept.sessions.get = async () => {
      throw new Failure({ kind: 'transient', message: 'The disk is full' });
    };
    await clock.advance(60_000);

    expect(await page('/', cookie)).toContain('Sign out');
    expect(await page('/', 'clinic_sync_session=guessed')).not.toContain('Sign out');
  });

  it('knows a person by the token, whatever name they give', async () => {
    const { post, page } = await start({ people: [person('Rima', 'desk')] });

    const answer = await post('/admin/sign-in', { token: 'token-of-Rima-0123456789', name: 'The boss' });
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';

    expect(await page('/', cookie)).toContain('Sign out <span class="faint">Rima</span>');
  });

  it.each([
    ['https://ops.example', '__Host-clinic_sync_session=', '; Path=/; ', '; Secure'],
    ['https://ops.example/sync', '__Secure-clinic_sync_session=', '; Path=/sync; ', '; Secure'],
    ['http://ops.example/sync', 'clinic_sync_session=', '; Path=/sync; ', 'SameSite=Strict'],
  ])('binds the cookie to %s', async (url, start_, path, end) => {
    const { post } = await start({ publicUrl: new URL(url) });

    const answer = await post('/admin/sign-in', { token: adminToken });

    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie.startsWith(start_)).toBe(true);
    expect(cookie).toContain(path);
    expect(cookie.endsWith(end)).toBe(true);
  });

  it('brings a browser back to the page it wanted', async () => {
    const { http } = await start();

    const answer = await fetch(`${http.url}/bookings/CS-7K3Q9F`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/admin/sign-in?next=%2Fbookings%2FCS-7K3Q9F');
  });
});

describe('acting from the pages', () => {
  it('acts in the person’s name, returns, and shows the outcome once', async () => {
    const { signIn, post, page, asked } = await start();
    const { cookie, formToken } = await signIn('Ruma\u0000 <b>');
    const fields = {
      form_token: formToken,
      as_of: 'shown',
      back: '/bookings/CS-7K3Q9F',
      as: 'booked',
      appointment_id: '90389',
    };

    const answer = await post('/admin/bookings/CS-7K3Q9F/resolve', fields, { cookie });

    expect(asked).toEqual([
      'resolve("CS-7K3Q9F", {"as":"booked","appointment_id":90389,"confirm":false}, "admin (Ruma <b>)", {"seen":"shown","undoable":true})',
    ]);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/bookings/CS-7K3Q9F');
    expect(await page('/bookings/CS-7K3Q9F', cookie)).toContain('It is done');
    expect(await page('/bookings/CS-7K3Q9F', cookie)).not.toContain('It is done');
  });

  it.each([
    ['without the form’s token', { form_token: '' }, {}],
    ['with another session’s form token', { form_token: 'x'.repeat(43) }, {}],
    ['from another origin', {}, { origin: 'https://evil.example' }],
    ['from a sandboxed frame', {}, { origin: 'null' }],
    ['when the browser says it came from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['from a neighbouring subdomain', {}, { 'sec-fetch-site': 'same-site' }],
  ])('refuses a forged form %s', async (_how, fields, headers) => {
    const { signIn, post, asked } = await start();
    const { cookie, formToken } = await signIn();

    const answer = await post(
      '/admin/guards/g-17/approve',
      { form_token: formToken, as_of: 'shown', ...fields },
      { cookie, ...headers },
    );

    expect(answer.status).toBe(403);
    expect(asked).toEqual([]);
  });

  it('does not keep a browser waiting for a long search, and shows the outcome when it is known', async () => {
    const look = Promise.withResolvers<{ ok: true; message: string }>();
    const begun = Promise.withResolvers<void>();
    const reconcile = () => {
      begun.resolve();
      return look.promise;
    };
    const slow = doing(sampleAdmin().admin, () => reconcile);
    const { signIn, post, page, clock } = await start({ admin: slow });
    const { cookie, formToken } = await signIn();

    const posted = post(
      '/admin/bookings/CS-7K3Q9F/reconcile',
      { form_token: formToken, as_of: 'shown' },
      { cookie },
    );
    await begun.promise;
    await clock.advance(8_000);
    const answer = await posted;
    const meanwhile = await page('/', cookie);
    look.resolve({ ok: true, message: 'One appointment matches' });
    await settle();

    expect(answer.status).toBe(303);
    expect(meanwhile).toContain('It is under way');
    expect(await page('/', cookie)).toContain('One appointment matches');
  });

  it('confirms what a person ticked', async () => {
    const { signIn, post, asked } = await start();
    const { cookie, formToken } = await signIn();

    await post(
      '/admin/bookings/CS-7K3Q9F/resolve',
      { form_token: formToken, as_of: 'shown', as: 'not-booked', confirm: 'on' },
      { cookie },
    );

    expect(asked).toEqual([
      'resolve("CS-7K3Q9F", {"as":"not-booked","send_again":true,"confirm":true}, "admin (Ruma)", {"seen":"shown","undoable":true})',
    ]);
  });

  it('shows in the person’s language what a check found, apart from what the last run left undone', async () => {
    const lines: CheckedLine[] = [
      ok(stated('check_token', {})),
      fail(stated('disk_full', { place: '/data' })),
      warn('An add-on speaks English.'),
      { ...warn(stated('google_status', { status: '503' })), ran: '2026-03-02T09:00:00.000Z' },
    ];
    const checked = { ok: true, message: 'Checked.', said: 'cannot_work', ref: 'crm', lines } as const;
    const { signIn, post, page } = await start({
      admin: doing(sampleAdmin().admin, () => async () => checked),
    });
    const { cookie, formToken } = await signIn();
    const german = `${cookie}; clinic_sync_lang=de`;

    await post('/admin/connectors/crm/check', { form_token: formToken }, { cookie: german });
    const shown = await page('/', german);

    expect(shown).toContain('class="notice is-bad"');
    const list = /<ul class="checks card">.*?<\/ul>/s.exec(shown)?.[0] ?? '';
    const texts = list.split('<li>').map((part) => part.replaceAll(/<svg.*?<\/svg>|<[^>]+>/gs, '').trim());
    expect(texts.slice(1)).toEqual([
      'In Ordnung Token: Google nimmt den Schlüssel an',
      expect.stringMatching(/^Fehler Kein Platz mehr für \/data\. Schaffen Sie Platz/),
      'Hinweis An add-on speaks English.',
      expect.stringMatching(/^Beim letzten Lauf ·/),
      'Hinweis Google hat mit 503 geantwortet. Es wird noch einmal versucht.',
    ]);
  });

  it('shows what a refusal means, with its hint', async () => {
    const failing = sampleAdmin().admin;
    const approve = async () => {
      throw new Failure({ kind: 'refused', message: 'It is booked already', hint: 'Nothing to do' });
    };
    const { signIn, post, page } = await start({ admin: doing(failing, () => approve) });
    const { cookie, formToken } = await signIn();

    await post('/admin/bookings/CS-7K3Q9F/approve', { form_token: formToken, as_of: 'shown' }, { cookie });

    expect(await page('/', cookie)).toContain('It is booked already. Nothing to do');
  });

  it.each([
    [
      { name: 'moved_on', ref: 'CS-7K3Q9F' },
      'So, wie CS-7K3Q9F jetzt steht, geht das nicht. Sehen Sie noch einmal hin.',
    ],
    [undefined, 'It is booked already. Nothing to do'],
  ])('says in the person’s language what is refused as %j', async (refusal, said) => {
    const failing = sampleAdmin().admin;
    const approve = async () => {
      const what = { message: 'It is booked already', hint: 'Nothing to do', refusal };
      throw new Failure({ kind: 'refused', ...what });
    };
    const { signIn, post, page } = await start({ admin: doing(failing, () => approve) });
    const { cookie, formToken } = await signIn();
    const german = `${cookie}; clinic_sync_lang=de`;

    const fields = { form_token: formToken, as_of: 'shown' };
    await post('/admin/bookings/CS-7K3Q9F/approve', fields, { cookie: german });

    expect(await page('/', german)).toContain(said);
  });

  it('passes on only the fields a person changed', async () => {
    const { signIn, post, asked } = await start();
    const { cookie, formToken } = await signIn();
    const fields = {
      form_token: formToken,
      as_of: 'shown',
      patient_name: 'Zerlina Plantagenet',
      appointment_time: '11:00',
      doctor: 'Dr. O’Neil',
      doctor_id: '',
      note: '',
      address: '7 Planted Lane',
      treatment_id: '7',
    };

    await post('/admin/bookings/CS-7K3Q9F/edit', fields, { cookie });

    expect(asked).toEqual([
      'edit("CS-7K3Q9F", {"appointment_time":"11:00","doctor_id":null,"treatment_id":7,"note":null}, "admin (Ruma)", {"seen":"shown","undoable":true,"send":false})',
    ]);
  });
});

describe('the button that sends a booking', () => {
  const shown = {
    patient_name: 'Zerlina Plantagenet',
    appointment_time: '10:30',
    doctor_id: '4',
    note: 'one\r\ntwo',
  };
  const address = '7 Planted Lane\nDhaka';
  /** What was asked for, of a booking whose page had these fields. */
  async function send(route: string, typed: Record<string, string> = {}): Promise<string[]> {
    const { admin, asked } = sampleAdmin(sampleBooking(0, { address, note: 'one\ntwo' }));
    const { signIn, post } = await start({ admin });
    const { cookie, formToken } = await signIn();
    // A browser takes line breaks out of a field of one line.
    const fields = {
      form_token: formToken,
      as_of: 'shown',
      ...shown,
      address: '7 Planted LaneDhaka',
      ...typed,
    };
    await post(`/admin/bookings/CS-7K3Q9F/${route}`, fields, { cookie });
    return asked;
  }

  it('releases what the page shows when nothing was typed', async () => {
    expect(await send('approve')).toEqual([
      'approve("CS-7K3Q9F", "admin (Ruma)", , {"seen":"shown","undoable":true})',
    ]);
    expect(await send('take')).toEqual([
      'take("CS-7K3Q9F", "admin (Ruma)", , {"seen":"shown","undoable":true})',
    ]);
  });

  it.each([
    ['a typed time', { appointment_time: '11:00' }, '{"appointment_time":"11:00"}'],
    [
      'a suggested dentist, and a typed note',
      { mean: 'doctor_id 7', note: 'new' },
      '{"doctor_id":7,"note":"new"}',
    ],
  ])('saves first what was typed: %s', async (_, typed, saved) => {
    expect(await send('approve', typed)).toEqual([
      `edit("CS-7K3Q9F", ${saved}, "admin (Ruma)", {"seen":"shown","undoable":true,"send":true})`,
    ]);
    expect(await send('take', typed)).toEqual([
      `take("CS-7K3Q9F", "admin (Ruma)", , {"seen":"shown","undoable":true,"fields":${saved}})`,
    ]);
  });

  it('never writes one booking’s fields into many', async () => {
    expect(await send('../many/approve', { picks: 'CS-7K3Q9F.shown', note: 'new' })).toEqual([
      'approve("CS-7K3Q9F", "admin (Ruma)", , {"seen":"shown","undoable":true})',
    ]);
  });
});

describe('a field that its source could not read', () => {
  async function edit(fields: Record<string, string>, more: Partial<Booking> = {}): Promise<string[]> {
    const unread = sampleBooking(0, {
      treatment: null,
      appointment_date: null,
      unreadable_fields: ['treatment', 'appointment_date'],
      ...more,
    });
    const { admin, asked } = sampleAdmin(unread);
    const { signIn, post } = await start({ admin });
    const { cookie, formToken } = await signIn();
    await post(
      '/admin/bookings/CS-7K3Q9F/edit',
      { form_token: formToken, as_of: 'shown', ...fields },
      { cookie },
    );
    return asked;
  }
  const edited = (fields: object) => [
    `edit("CS-7K3Q9F", ${JSON.stringify(fields)}, "admin (Ruma)", {"seen":"shown","undoable":true,"send":false})`,
  ];

  it('stays empty when a person ticks that it does', async () => {
    const asked = await edit({ treatment: '', appointment_date: '', empty_treatment: 'on' });

    expect(asked).toEqual(edited({ treatment: null }));
  });

  it('takes what a person typed before what they ticked', async () => {
    const asked = await edit({ treatment: 'Scaling', empty_treatment: 'on' });

    expect(asked).toEqual(edited({ treatment: 'Scaling' }));
  });

  it('is no change when the page showed what cannot be seen in it', async () => {
    const treatment = 'Scaling \u202e';
    const asked = await edit({ treatment: 'Scaling \\u202e', note: 'new' }, { treatment });

    expect(asked).toEqual(edited({ note: 'new' }));
  });

  it.each([{}, { empty_treatment: 'off' }, { empty_treatment: '' }])(
    'is not settled by an empty box alone: %j',
    async (tick) => {
      expect(await edit({ treatment: '', ...tick })).toEqual([]);
    },
  );
});

describe('acting with the token', () => {
  const bearer = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };

  it('takes JSON and answers JSON, in the name given', async () => {
    const { http, asked } = await start();

    const answer = await fetch(`${http.url}/admin/connectors/crm/deliveries/retry`, {
      method: 'POST',
      headers: bearer,
      body: JSON.stringify({ id: 'msg_1', by: 'night script' }),
    });

    expect(await answer.json()).toEqual({ ok: true, message: 'It is done' });
    expect(asked).toEqual(['connector.deliveries.retry("crm", "msg_1", "admin (night script)")']);
  });

  it.each([
    ['/admin/bookings/CS-7K3Q9F/resolve', '{"as":"booked","appointment_id":"1e3"}', 'not a whole number'],
    ['/admin/bookings/CS-7K3Q9F/resolve', '{}', 'not clear'],
    ['/admin/guards/g-1/approve', '[1]', 'not a JSON object'],
    ['/admin/guards/g-1/approve', '{"__proto__":', 'not a JSON object'],
  ])('answers 400 when it is unclear: %s %s', async (path, body, message) => {
    const { http, asked } = await start();

    const answer = await fetch(`${http.url}${path}`, { method: 'POST', headers: bearer, body });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ ok: false, message: expect.stringContaining(message) });
    expect(asked).toEqual([]);
  });

  it.each([
    [new Failure({ kind: 'refused', message: 'no', status: 404 }), 404],
    [new Failure({ kind: 'refused', message: 'no' }), 409],
    [new Failure({ kind: 'transient', message: 'later' }), 503],
    [new Error('patient Zerlina is in here'), 503],
  ])('says in the status what kind of failure it was', async (failure, status) => {
    const fail = async () => {
      throw failure;
    };
    const { http } = await start({ admin: doing(sampleAdmin().admin, () => fail) });

    const answer = await fetch(`${http.url}/admin/guards/g-1/approve`, { method: 'POST', headers: bearer });

    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toContain('Zerlina');
  });
});

describe('many bookings', () => {
  const pick = (ref: string, seen = 'shown') => `${ref}.${seen}`;

  it('are each decided and audited separately, and a refused one is named', async () => {
    const kept = samplePeopleStore();
    const sample = sampleAdmin();
    const admin = doing(sample.admin, (before) => async (request) => {
      const { subject: ref } = request;
      if (ref === 'CS-22222B')
        throw new Failure({ kind: 'refused', message: `${ref} has changed. It has: Ann (1)` });
      return before(request);
    });
    const { signIn, post, page } = await start({ ...kept, admin });
    const { cookie, formToken } = await signIn();
    const picks = [pick('CS-11111A'), pick('CS-22222B'), pick('CS-33333C'), 'Zerlina'].join(' ');

    await post('/admin/bookings/many/approve', { form_token: formToken, picks }, { cookie });

    const notice = (await page('/', cookie)).match(/class="notice.*?<\/div>/s)?.[0];
    expect(notice).toContain('Done: 2. Not done: 1.\nCS-22222B has changed.</span>');
    expect(notice).toContain('class="notice is-attention" id="told" role="alert"');
    expect(sample.asked).toEqual(
      ['CS-11111A', 'CS-33333C'].map(
        (ref) => `approve("${ref}", "admin (Ruma)", , {"seen":"shown","undoable":true})`,
      ),
    );
    expect(
      kept.entries
        .filter(({ action }) => action === 'booking.approve')
        .map(({ subject, result }) => [subject, result]),
    ).toEqual([
      ['CS-11111A', 'ok'],
      ['CS-22222B', 'refused (409)'],
      ['CS-33333C', 'ok'],
    ]);
  });

  it('are not tried one by one once the database does not work', async () => {
    let tried = 0;
    const drop = async () => {
      tried += 1;
      throw new Failure({ kind: 'transient', message: 'The disk is full' });
    };
    const { signIn, post, page } = await start({
      admin: doing(sampleAdmin().admin, () => drop),
    });
    const { cookie, formToken } = await signIn();
    const picks = [pick('CS-11111A'), pick('CS-22222B')].join(' ');

    await post('/admin/bookings/many/drop', { form_token: formToken, picks, why: 'no' }, { cookie });

    expect(await page('/', cookie)).toContain('Done: 0. Not done: 2.');
    expect(tried).toBe(1);
  });

  it('decides about what each row showed, not about its later state', async () => {
    const { signIn, post } = await start();
    const { cookie, formToken } = await signIn();
    const chosen = { form_token: formToken, do: 'approve', 'pick.CS-7K3Q9F': 'as-the-row-was' };

    const answer = await post('/admin/bookings/many/choose', chosen, { cookie });

    expect(await answer.text()).toContain('name="picks" value="CS-7K3Q9F.as-the-row-was"');
  });
});
