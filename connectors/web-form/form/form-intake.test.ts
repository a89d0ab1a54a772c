import { describe, expect, it } from 'vitest';
import type { IntakeResult } from '../../../src/connector.ts';
import { formToken, intakeRequest, mirrorOf, openWebForm } from '../../../test/support/web-form.ts';

const row = (fields: Record<string, string | number | null>) => ({ removed_at: null, ...fields });
const mirror = mirrorOf({
  treatments: [
    row({ treatment_id: 3, treatment_name: 'Scaling & Polishing' }),
    row({ treatment_id: 4, treatment_name: 'Gone', removed_at: '2026-01-01T00:00:00.000Z' }),
  ],
  dentists: [row({ doctor_id: 7, doctor_name: 'Dr. Aoife O’Neil', specialization: 'Orthodontist' })],
  website: [
    row({
      clinic_name: 'Lakeside',
      contact_phone: '+880 2-5500-1234',
      theme_primary: '#ffcc00',
      opening_hours: JSON.stringify({
        monday: { open: '09:00', close: '17:00', is_closed: false },
        tuesday: { open: '09:00', close: '17:00', is_closed: false },
        friday: { open: '', close: '', is_closed: true },
      }),
    }),
  ],
});
const browser = {
  'content-type': 'application/x-www-form-urlencoded',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  host: 'sync.example',
  origin: 'https://sync.example',
};
const lead = {
  patient_name: 'Ann Lee',
  patient_phone: '01712-345678',
  appointment_date: '2026-03-10',
  appointment_time: '10:30',
};

async function visit(
  settings: Record<string, unknown> = {},
  clinics?: { clinic: string; timezone: string }[],
) {
  const opened = await openWebForm(
    { preset: 'html-form', token: formToken, ...settings },
    clinics ? { clinics } : {},
  );
  const { intake, clock } = opened;
  const load = async (path = 'form', query = '') =>
    (
      await intake.page(
        intakeRequest('', {}, { method: 'GET', path, query: new URLSearchParams(query) }),
        mirror,
      )
    )?.html ?? '';
  const send = (fields: Record<string, string>, headers: Record<string, string | undefined> = {}) =>
    intake.receive(intakeRequest(new URLSearchParams(fields).toString(), { ...browser, ...headers }), mirror);
  /** Opens the form, takes the time a person needs, and sends it. */
  const book = async (fields: Record<string, string> = lead, typingMs = 10_000) => {
    const hidden = hiddenIn(await load());
    await clock.advance(typingMs);
    return { hidden, result: await send({ ...hidden, ...fields }) };
  };
  return { ...opened, load, send, book };
}

const hiddenIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
const submissionOf = (result: IntakeResult) => {
  expect.assert(result.kind === 'submission', JSON.stringify(result));
  return result.submission;
};
const htmlOf = (result: IntakeResult) => {
  expect.assert(result.kind === 'page', JSON.stringify(result));
  return result.html;
};

describe('the form', () => {
  it('offers what the clinic has now, and its opening hours', async () => {
    const { load } = await visit();

    const html = await load();

    expect(html).toContain('<option value="3">Scaling &amp; Polishing</option>');
    expect(html).toContain('<option value="7">Dr. Aoife O’Neil – Orthodontist</option>');
    expect(html).not.toContain('Gone');
    expect(html).toContain('<dt>Monday–Tuesday</dt><dd><bdi>09:00–17:00</bdi></dd>');
    expect(html).toContain('<dt>Friday</dt><dd>closed</dd>');
    expect(html).toMatch(/type="time"[^>]*min="09:00" max="16:55"/);
    expect(html).toContain('href="tel:+88025500 1234"'.replace(' ', ''));
  });

  it('takes days from today on by the clinic’s calendar', async () => {
    const { load, clock } = await visit({ form: { days_ahead: 30 } });
    clock.jump(10 * 3_600_000);

    const html = await load();

    // 19:00 UTC on 2 March is 3 March in Dhaka.
    expect(html).toMatch(/type="date"[^>]*min="2026-03-03" max="2026-04-02"/);
  });

  it('has no script, and a name for every field', async () => {
    const { load } = await visit({ form: { ask: ['treatment', 'dentist', 'address', 'note'] } });

    const html = await load();
    const fields = [...html.matchAll(/<(?:input|select|textarea)[^>]*\sid="([^"]+)"/g)].map(([, id]) => id);

    expect(html).not.toMatch(/<script|\son[a-z]+=|javascript:/i);
    expect(fields).toEqual([
      'patient_name',
      'patient_phone',
      'address',
      'treatment_id',
      'doctor_id',
      'appointment_date',
      'appointment_time',
      'note',
    ]);
    for (const id of fields) expect(html).toContain(`<label for="${id}">`);
  });

  it('works before the clinic’s lists are known', async () => {
    const { intake } = await visit();

    const page = await intake.page(intakeRequest('', {}, { method: 'GET', path: 'form' }), mirrorOf());

    expect(page?.status).toBe(200);
    expect(page?.html).not.toMatch(/<select|opening hours/i);
  });

  it('speaks other languages and writes from the right', async () => {
    const { load } = await visit({ form: { lang: 'ar', texts: { title: 'حجز موعد', name: 'الاسم' } } });

    const html = await load();

    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('<h1>حجز موعد</h1>');
    expect(html).toContain('<dt>الاثنين–الثلاثاء</dt>');
  });

  it('can have a treatment chosen already, by a link', async () => {
    const { load } = await visit();

    expect(await load('form', 'treatment_id=3')).toContain('<option value="3" selected>');
  });

  it('asks which clinic, where there are several', async () => {
    const clinics = [
      { clinic: 'main', timezone: 'Asia/Dhaka' },
      { clinic: 'north', timezone: 'UTC' },
    ];
    const { load, send, clock } = await visit({}, clinics);

    const choice = await load();
    const hidden = hiddenIn(await load('form', 'clinic=north'));
    await clock.advance(10_000);
    const result = await send({ ...hidden, ...lead, clinic: 'main' });

    expect(choice).toContain('<a href="form?clinic=main">Lakeside Dental</a>');
    expect(submissionOf(result).clinic).toBe('north');
  });

  it.each(['', 'nothing', 'form/main', 'thanks/x'])('serves nothing at %j', async (path) => {
    const { load } = await visit();

    expect(await load(path)).toBe('');
  });

  it('never shows a reference that is none', async () => {
    const { load } = await visit();

    expect(await load('thanks', 'ref=CS-7K3Q9F')).toContain('CS-7K3Q9F');
    expect(await load('thanks', 'ref=<b>x')).not.toContain('<b>x');
  });
});

describe('sending the form', () => {
  it('becomes exactly what was filled in, and leads to the page with the reference', async () => {
    const { book } = await visit();

    const { result } = await book({ ...lead, treatment_id: '3', doctor_id: '', note: '' });

    expect(result).toMatchObject({ kind: 'submission', thanks: 'website/thanks?clinic=main&ref={ref}' });
    expect(submissionOf(result)).toMatchObject({ source: 'website', clinic: 'main' });
    expect({ ...submissionOf(result).fields }).toEqual({ ...lead, treatment_id: '3' });
  });

  it('leads to the clinic’s own page, in the whole window, when one is configured', async () => {
    const { load, book } = await visit({ thanks: 'https://clinic.example/thanks?ref={ref}' });

    expect(await load()).toContain('target="_top"');
    expect((await book()).result).toMatchObject({ thanks: 'https://clinic.example/thanks?ref={ref}' });
  });

  it('twice is the same submission', async () => {
    const { book, send } = await visit();

    const { hidden, result } = await book();
    const again = await send({ ...hidden, ...lead });

    expect(submissionOf(again)).toEqual(submissionOf(result));
  });

  it('again with other content, after the back button, is neither swallowed nor booked beside it', async () => {
    const { book, send } = await visit();

    const { hidden, result } = await book();
    const corrected = submissionOf(await send({ ...hidden, ...lead, appointment_time: '11:00' }));

    expect(corrected.submission_id).not.toBe(submissionOf(result).submission_id);
    expect(corrected.problems).toHaveLength(1);
  });

  it('faster than a person types shows it again with everything in it, and takes it then', async () => {
    const { book, send, clock } = await visit();

    const { hidden, result } = await book({ ...lead, note: 'a "quoted" <b>' }, 500);
    const html = htmlOf(result);
    await clock.advance(3_000);
    const sent = await send({ ...hiddenIn(html), ...lead });

    expect(result).toMatchObject({ status: 422 });
    expect(html).toContain('value="Ann Lee"');
    expect(html).toContain('a &quot;quoted&quot; &lt;b&gt;</textarea>');
    expect(html).toContain('action="website"');
    expect(submissionOf(sent).submission_id).toContain(hidden.submission_id);
  });

  it('a day later shows it again', async () => {
    const { book } = await visit();

    expect(htmlOf((await book(lead, 25 * 3_600_000)).result)).toContain('open for a long time');
  });

  it.each(['form_token', 'submission_id'])('with a changed %s shows it again', async (name) => {
    const { load, send, clock } = await visit();
    const hidden = hiddenIn(await load());
    await clock.advance(10_000);

    const result = await send({ ...hidden, ...lead, [name]: `${hidden[name]}x` });

    expect(htmlOf(result)).toContain('Is everything right?');
  });

  it('with the token of another connector, or of another secret, shows it again', async () => {
    const other = await openWebForm({ preset: 'html-form', token: 'another-token-of-a-form' });
    const page = await other.intake.page(intakeRequest('', {}, { method: 'GET', path: 'form' }), mirror);
    const { send, clock } = await visit();
    await clock.advance(10_000);

    expect((await send({ ...hiddenIn(page?.html ?? ''), ...lead })).kind).toBe('page');
  });

  it('without a name and a number says so at both fields, since nobody could be called', async () => {
    const { book } = await visit();

    const html = htmlOf((await book({ note: 'hello' })).result);

    expect(html).toContain('<title>Not sent yet: ');
    expect(html).toContain('<a href="#patient_name">Enter your name</a>');
    expect(html).toMatch(/id="patient_phone"[^>]*aria-describedby="patient_phone-hint patient_phone-fault"/);
  });

  it('with anything else missing or wrong is taken, for a person to ask', async () => {
    const { book } = await visit();

    const { result } = await book({ patient_name: '', patient_phone: '1', appointment_date: 'soon' });

    expect({ ...submissionOf(result).fields }).toEqual({ patient_phone: '1', appointment_date: 'soon' });
  });

  it('thanks a program that fills in every field, and keeps nothing', async () => {
    const { book } = await visit();

    expect((await book({ ...lead, _gotcha: 'https://spam.example' })).result).toEqual({
      kind: 'ignored',
      message: 'Thank you',
    });
  });

  it('as multipart loses no field, and drops files', async () => {
    const { load, intake, clock } = await visit();
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...hiddenIn(await load()), ...lead })) form.set(name, value);
    form.set('photo', new Blob(['x'.repeat(1_000)]), 'tooth.jpg');
    await clock.advance(10_000);
    const request = new Response(form);

    const result = await intake.receive(
      intakeRequest(Buffer.from(await request.arrayBuffer()), {
        ...browser,
        'content-type': request.headers.get('content-type') ?? '',
      }),
      mirror,
    );

    expect({ ...submissionOf(result).fields }).toEqual(lead);
  });
});

describe('where the form comes from', () => {
  it.each([
    ['the form that is served here', { host: 'sync.example', origin: 'https://sync.example' }, 'submission'],
    ['here on another port', { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }, 'submission'],
    [
      'here behind a proxy',
      { host: 'internal:8080', 'x-forwarded-host': 'sync.example', origin: 'https://sync.example' },
      'submission',
    ],
    ['a listed website', { origin: 'https://www.clinic.example' }, 'submission'],
    ['a website that is not listed', { origin: 'https://www.other.example' }, 'refused'],
    ['a listed website without TLS', { origin: 'http://www.clinic.example' }, 'refused'],
    ['a website whose name begins alike', { origin: 'https://www.clinic.example.evil.example' }, 'refused'],
    ['a sandboxed frame', { origin: 'null' }, 'refused'],
    ['nowhere', { origin: undefined }, 'refused'],
  ])('%s', async (_from, headers, expected) => {
    const { load, send, clock } = await visit({ origins: ['https://www.clinic.example'] });
    const hidden = hiddenIn(await load());
    await clock.advance(10_000);

    const result = await send({ ...hidden, ...lead }, headers);

    expect(result.kind).toBe(expected);
    if (result.kind === 'refused') expect(result.status).toBe(403);
  });

  it('a clinic’s own form is shown once more here, filled in, and is taken then', async () => {
    const { send, clock } = await visit({
      origins: ['https://www.clinic.example'],
      fields: {
        patient_name: '{{fname}} {{lname}}',
        appointment_date: { from: 'day', format: 'DD/MM/YYYY' },
      },
      form: { ask: ['treatment', 'dentist'] },
    });
    const own = {
      fname: 'Ann',
      lname: 'Lee',
      phone: '01712-345678',
      day: '10/03/2026',
      appointment_time: '10:30',
      dentist: 'dr. aoife o’neil',
      treatment: 'Whitening',
      message: 'Call after five',
    };

    const review = htmlOf(await send(own, { origin: 'https://www.clinic.example' }));
    await clock.advance(5_000);
    const typed = {
      patient_name: 'Ann B. Lee',
      patient_phone: '01712-345678',
      appointment_date: '2026-03-10',
      appointment_time: '10:30',
      doctor_id: '7',
      treatment_id: '',
    };
    const result = await send({ ...hiddenIn(review), ...typed });

    expect(review).toContain('<option value="7" selected>');
    expect(review).toContain('value="2026-03-10"');
    const { treatment_id: _none, ...kept } = typed;
    expect({ ...submissionOf(result).fields }).toEqual({
      ...kept,
      treatment: 'Whitening',
      note: 'Call after five',
    });
  });

  it('a program is told instead of shown', async () => {
    const { send } = await visit();

    expect(await send(lead, { accept: '*/*' })).toMatchObject({ kind: 'refused', status: 401 });
  });

  it.each([
    ['application/json', '{}', 415],
    ['multipart/form-data; boundary=x', 'cut', 400],
    ['application/x-www-form-urlencoded', '', 400],
  ])('a body of %s that no form sends is refused', async (type, body, status) => {
    const { intake } = await visit();

    const result = await intake.receive(intakeRequest(body, { ...browser, 'content-type': type }), mirror);

    expect(result).toMatchObject({ kind: 'refused', status });
  });

  it('its bookings are read with the token', async () => {
    const { intake } = await visit();
    const reading = { method: 'GET', path: 'CS-7K3Q9F' } as const;

    expect(intake.authorize(intakeRequest('', {}, reading))).toMatchObject({ status: 401 });
    expect(
      intake.authorize(intakeRequest('', { authorization: `Bearer ${formToken}` }, reading)),
    ).toBeUndefined();
  });
});
