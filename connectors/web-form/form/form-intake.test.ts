import { describe, expect, it } from 'vitest';
import type { MirrorView } from '../../../src/connector.ts';
import type { Booking } from '../../../src/domain/bookings/booking.ts';
import { sampleBooking } from '../../../test/support/bookings/sample-booking.ts';
import {
  browser,
  hiddenIn,
  htmlOf,
  lead,
  mirror,
  submissionOf,
  visit,
} from '../../../test/support/forms/form-visit.ts';
import { formToken, intakeRequest, mirrorOf, openWebForm } from '../../../test/support/forms/web-form.ts';

/** With a lead of this person stored under whatever form is sent. */
const withStored = (person: Pick<Booking, 'patient_name' | 'patient_phone'>): MirrorView => ({
  ...mirror,
  ownBookingsBySubmission: async () => [{ ...sampleBooking(), ...person }],
});

describe('sending the form', () => {
  it('becomes exactly what was filled in, and leads to the page with the reference', async () => {
    const { book } = await visit();

    const { result } = await book({ ...lead, treatment_id: '3', doctor_id: '', note: '' });

    expect(result).toMatchObject({
      kind: 'submission',
      thanks: expect.stringMatching(/^\?form_page=thanks&clinic=main&lang=en&visit=[\w-]+&ref=\{ref\}$/),
    });
    expect(submissionOf(result)).toMatchObject({ source: 'website', clinic: 'main' });
    expect({ ...submissionOf(result).fields }).toEqual({ ...lead, treatment_id: '3' });
  });

  it('leads to the clinic’s own page, in the whole window, when one is configured', async () => {
    const { load, book } = await visit({ thanks: 'https://clinic.example/thanks?ref={ref}' });

    expect(await load()).toContain('target="_top"');
    expect((await book()).result).toMatchObject({ thanks: 'https://clinic.example/thanks?ref={ref}' });
  });

  it('takes the campaign along to the clinic’s own page, and to the next form', async () => {
    const query = 'utm_source=news&utm_campaign=spring%20%26%20sun&gclid=Cj0K&note=Ann';
    const own = await visit({ thanks: 'https://clinic.example/thanks?utm_source=form&ref={ref}#top' });
    const hidden = hiddenIn(await own.load('form', query));
    await own.clock.advance(10_000);

    const result = await own.send({ ...hidden, ...lead, utm_campaign: 'spring & sun' });
    const { load } = await visit();

    expect(result).toMatchObject({
      thanks:
        'https://clinic.example/thanks?utm_source=form&ref={ref}&utm_campaign=spring+%26+sun&gclid=Cj0K#top',
    });
    expect(await load('thanks', query)).toContain(
      'href="?form_page=form&amp;utm_source=news&amp;utm_campaign=spring+%26+sun&amp;gclid=Cj0K"',
    );
  });

  it('twice is the same submission', async () => {
    const { book, send } = await visit();

    const { hidden, result } = await book();
    const again = await send({ ...hidden, ...lead });

    expect(submissionOf(again)).toEqual(submissionOf(result));
  });

  it('again with other content, after the back button, has the same id, so that it is held beside the first', async () => {
    const { book, send } = await visit();

    const { hidden, result } = await book();
    const corrected = submissionOf(await send({ ...hidden, ...lead, note: 'I am allergic' }));

    expect(corrected.submission_id).toBe(submissionOf(result).submission_id);
    expect(corrected.fields.note).toBe('I am allergic');
  });

  it('faster than a person types shows it again with everything in it, and then accepts it', async () => {
    const { book, send, clock } = await visit();

    const { hidden, result } = await book({ ...lead, note: 'a "quoted" <b>' }, 500);
    const html = htmlOf(result);
    await clock.advance(3_000);
    const sent = await send({ ...hiddenIn(html), ...lead });

    expect(result).toMatchObject({ status: 422 });
    expect(html).toContain('value="Ann Lee"');
    expect(html).toContain('a &quot;quoted&quot; &lt;b&gt;</textarea>');
    expect(html).toContain('action="?lang=en&amp;form_sent=yes"');
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

  it('without a name and a number says so at both fields, since the clinic could not call back', async () => {
    const { book } = await visit();

    const html = htmlOf((await book({ note: 'hello' })).result);

    expect(html).toContain('<title>Not sent yet: ');
    expect(html).toContain('<a href="#patient_name">Enter your name</a>');
    expect(html).toMatch(/id="patient_phone"[^>]*aria-describedby="patient_phone-hint patient_phone-fault"/);
  });

  it.each([
    ['a closed day', { appointment_date: '2026-03-13' }],
    ['a time when the clinic is closed', { appointment_time: '17:00' }],
    ['a day that is over', { appointment_date: '2026-03-01' }],
  ])(
    'for %s is never accepted: the form is shown again with everything else filled in',
    async (_what, more) => {
      const { book } = await visit();

      const html = htmlOf((await book({ ...lead, ...more })).result);

      expect(html).toContain('<a href="#appointment_date">The clinic is closed at this time.');
      expect(html).toMatch(
        /<select id="appointment_date"[^>]*aria-describedby="(?:appointment_date-hint )?appointment_date-fault"/,
      );
      expect(html).toContain('value="Ann Lee"');
    },
  );

  it('with any other fault is accepted, for a person to clarify', async () => {
    const { book } = await visit();

    const { result } = await book({ patient_name: '', patient_phone: '12345' });

    expect({ ...submissionOf(result).fields }).toEqual({ patient_phone: '12345' });
  });

  it.each([
    ['patient_phone', 'nope', 'Enter a phone number'],
    ['patient_phone', 'n/a 12', 'Enter a phone number'],
    ['appointment_date', 'soon', 'Choose a day'],
    ['appointment_time', 'half past ten', 'Choose a time'],
    ['appointment_date', 'the day <b>after', 'Choose a day'],
    ['appointment_time', 'noonish', 'Choose a time'],
  ])('with a %s of %j is asked at once, at that field', async (field, value, words) => {
    const { book } = await visit();

    const html = htmlOf((await book({ ...lead, [field]: value })).result);

    expect(html).toContain(`<a href="#${field}">${words}</a>`);
    expect(html).toContain('value="Ann Lee"');
    expect(html).toContain(value.replace('<b>', '&lt;b&gt;'));
  });

  it.each([
    ['our form, whose hours are known', mirror],
    ['our form, with a calendar', mirrorOf()],
  ])(
    'from a form of the clinic’s own, what is no day or time comes back to its visitor: %s',
    async (_, view) => {
      const { send, clock } = await visit({}, undefined, view);
      const typed = { ...lead, appointment_date: 'next Tuesday', appointment_time: 'half past ten' };

      const html = htmlOf(await send(typed));
      await clock.advance(10_000);
      const held = submissionOf(await send({ ...hiddenIn(html), ...typed, form_token: 'cut' }));

      for (const words of ['next Tuesday', 'half past ten', '#appointment_date', '#appointment_time'])
        expect(html).toContain(words);
      expect(held.fields).toMatchObject(typed);
    },
  );

  it.each([
    ['10h30', '10:30'],
    ['10:30 Uhr', '10:30'],
    ['10.30 Uhr', '10:30'],
    ['a las 10:30', '10:30'],
    ['3:00 م', '15:00'],
    ['১০:৩০', '10:30'],
    ['10:30–11:00', '10:30'],
  ])('reads a time of %s', async (typed, time) => {
    const { book } = await visit();

    const listed = await book({ ...lead, appointment_date: '10. März 2026', appointment_time: typed });
    const wished = await book({ ...lead, appointment_time: 'other', time_wish: typed });

    for (const { result } of [listed, wished])
      expect({ ...submissionOf(result).fields }).toEqual({ ...lead, appointment_time: time });
  });

  it.each(['1030', '10.30', '25:00', '3:30 - 4 PM'])('asks about a time of %s', async (appointment_time) => {
    const { book } = await visit();

    expect(htmlOf((await book({ ...lead, appointment_time })).result)).toContain('href="#appointment_time"');
  });

  it('shows a day and a time as its own choices that another form writes otherwise', async () => {
    const { send } = await visit();

    const html = htmlOf(
      await send({ ...lead, appointment_date: '10 March 2026', appointment_time: '10:30 AM' }),
    );

    expect(html).toContain('<option value="2026-03-10" selected>');
    expect(html).toContain('<option value="10:30" selected>');
  });

  it('says to whom runs it that the address of a form has lost its query on the way', async () => {
    const { load, intake, clock } = await visit();
    const body = new URLSearchParams({ ...hiddenIn(await load()), ...lead }).toString();
    await clock.advance(10_000);
    const send = (path: string, query = '') =>
      intake.receive(intakeRequest(body, browser, { path, query: new URLSearchParams(query) }), mirror);

    expect(await send('form')).toMatchObject({ kind: 'submission', trouble: { cause: 'query' } });
    expect(await send('form', 'form_sent=yes')).toMatchObject({ kind: 'submission', trouble: undefined });
    expect(await send('')).toMatchObject({ kind: 'submission', trouble: undefined });
  });

  it('keeps an answer that is none of the choices', async () => {
    const questions = [{ name: 'pain', label: 'Pain?', type: 'choice', options: ['No', 'Yes'] }];
    const { send } = await visit({ form: { questions } });

    const html = htmlOf(await send({ ...lead, question_pain: 'A bit' }));

    expect(html).toContain('<option value="A bit" selected>A bit</option>');
  });

  it('with another time than those in the list becomes that time, or words for the clinic', async () => {
    const { book } = await visit();
    const other = { ...lead, appointment_time: 'other' };

    const time = await book({ ...other, time_wish: '10:40' });
    const wish = await book({ ...other, time_wish: 'after five', note: 'Hello' });
    const nothing = await book(other);

    expect(submissionOf(time.result).fields).toMatchObject({ appointment_time: '10:40' });
    expect(submissionOf(wish.result).fields).toMatchObject({
      note: 'Which time would suit you? after five\nHello',
    });
    expect(submissionOf(wish.result).fields).not.toHaveProperty('appointment_time');
    expect(htmlOf(nothing.result)).toContain('<a href="#time_wish">Choose a time</a>');
  });

  it('with words for a time gets them back as the wish for another time', async () => {
    const { book } = await visit();

    const html = htmlOf((await book({ ...lead, appointment_time: 'halb elf' })).result);

    expect(html).toMatch(/<option value="other" selected>/);
    expect(html).toMatch(/<input[^>]*name="time_wish"[^>]*value="halb elf"/);
  });

  it('by another person than whose stored lead has the same page is a lead of its own, once', async () => {
    const stored = { patient_name: 'Ann Lee', patient_phone: '+880 1712-345678' };
    const { book, send } = await visit({}, undefined, withStored(stored));
    const other = { ...lead, patient_name: 'Bo Ek', patient_phone: '01799-111222' };

    const { hidden, result } = await book({ ...lead, patient_phone: '01712-345679' });
    const second = await send({ ...hidden, ...other });
    const again = await send({ ...hidden, ...other, note: 'Hello' });
    const nameless = await send({ ...hidden, ...lead, patient_name: '' });

    const idOf = (one: typeof second) => submissionOf(one).submission_id;
    expect(idOf(result)).toBe(hidden.submission_id);
    expect(idOf(second)).not.toBe(hidden.submission_id);
    expect(idOf(again)).toBe(idOf(second));
    expect(idOf(nameless)).toBe(hidden.submission_id);
    expect(second).toMatchObject({ trouble: { cause: 'cached' } });
  });

  it.each([
    [{ patient_name: 'Ann Lee', patient_phone: null }, { patient_name: 'Bo Ek', patient_phone: '' }, true],
    [
      { patient_name: 'Ann Lee', patient_phone: null },
      { patient_name: 'ann  LEE', patient_phone: '' },
      false,
    ],
    [{ patient_name: 'Ann Lee', patient_phone: null }, { patient_name: 'Bo Ek' }, true],
    [{ patient_name: null, patient_phone: '01799-111222' }, {}, true],
    [{ patient_name: 'Bo Ek', patient_phone: '+8801712345678' }, {}, false],
  ])('with %j stored for the same page, %j is another person: %s', async (stored, sent, isOther) => {
    const { book } = await visit({}, undefined, withStored(stored));

    const { hidden, result } = await book({ ...lead, ...sent });

    expect(submissionOf(result).submission_id !== hidden.submission_id).toBe(isOther);
  });

  it('is shown again to whom the daemon refuses for now, with the wait and the number to call', async () => {
    const { load, intake } = await visit();
    const hidden = hiddenIn(await load('form', 'lang=de'));
    const sent = (headers: object) =>
      intakeRequest(new URLSearchParams({ ...hidden, ...lead }).toString(), { ...browser, ...headers });
    const refused = { why: 'too_many', waitMs: 400_000 } as const;

    const page = await intake.again(sent({}), mirror, refused);
    const program = await intake.again(sent({ accept: 'application/json' }), mirror, refused);

    expect(page).toContain('Bitte senden Sie Ihre in 7 Minuten noch einmal.');
    expect(page).toContain('Oder rufen Sie uns an: <strong><a href="tel:+880255001234"');
    expect(page).toContain('value="Ann Lee"');
    expect(program).toBeUndefined();
  });

  it('with the unseen field filled in shows the form again, emptied, and holds the second time', async () => {
    const { book, send, clock } = await visit();

    const { result } = await book({ ...lead, _gotcha: 'Ann' });
    const html = htmlOf(result);
    await clock.advance(5_000);
    const emptied = await send({ ...hiddenIn(html), ...lead });
    const filled = await send({ ...hiddenIn(html), ...lead, _gotcha: 'Ann' });

    expect(html).toContain('A hidden field was filled in, perhaps by your browser.');
    expect(html).not.toMatch(/name="_gotcha"[^>]*value/);
    expect(submissionOf(emptied).problems).toBeUndefined();
    expect(submissionOf(filled).problems).toMatchObject([
      { field: 'form', message: expect.stringMatching(/^A field that people/) },
    ]);
  });

  it('with the unseen field filled in by a program is held, and never thanked for nothing', async () => {
    const { load, send, clock } = await visit();
    const hidden = hiddenIn(await load());
    await clock.advance(10_000);

    const proven = await send({ ...hidden, ...lead, _gotcha: 'x' }, { accept: 'application/json' });
    const unproven = await send({ ...lead, _gotcha: 'x' }, { accept: 'application/json' });

    expect(submissionOf(proven).problems).toMatchObject([{ field: 'form' }]);
    expect(unproven).toMatchObject({ kind: 'refused', status: 401 });
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

const formHere = 'https://sync.example/in/website/form';
const website = 'https://www.clinic.example/implants';
const fieldsIn = (html: string) => hiddenIn(html.replaceAll('&amp;', '&'));

const arrivals: [string, { query?: string; referer: string; dest?: string }, object][] = [
  [
    'linked from an ad: itself, and the ad’s site as referrer',
    { query: 'fbclid=IwAR0', referer: 'https://l.facebook.com/', dest: 'document' },
    { fbclid: 'IwAR0', referrer: 'https://l.facebook.com/', landing_page: `${formHere}?fbclid=IwAR0` },
  ],
  [
    'linked from the clinic’s website, with the campaign that its address still has',
    { referer: `${website}?utm_campaign=spring&name=Ann`, dest: 'document' },
    { utm_campaign: 'spring', referrer: `${website}?utm_campaign=spring&name=Ann`, landing_page: formHere },
  ],
  [
    'in a frame without our script: the page around it',
    { referer: website, dest: 'iframe' },
    { landing_page: website },
  ],
  ['in a frame, over http or in an older browser', { referer: website }, { landing_page: website }],
  [
    'linked from elsewhere, in an older browser',
    { referer: 'https://news.example/' },
    { referrer: 'https://news.example/', landing_page: formHere },
  ],
  [
    'in another language, which keeps what the first page knew',
    { query: 'referrer=https://news.example/&lang=de', referer: formHere, dest: 'document' },
    { referrer: 'https://news.example/', landing_page: `${formHere}?referrer=https://news.example/&lang=de` },
  ],
];

it.each(arrivals)('knows its landing page: %s', async (_how, { query = '', referer, dest }, expected) => {
  const { load, send, clock } = await visit({ origins: ['https://www.clinic.example'] });
  const { host } = browser;
  const html = await load('form', query, { host, referer, 'sec-fetch-dest': dest });
  await clock.advance(10_000);
  const own = `${formHere}${query === '' ? '' : `?${query}`}`;

  const shownAgain = await send({ ...fieldsIn(html), patient_name: '' }, { referer: own });
  await clock.advance(10_000);
  const fields = { ...fieldsIn(htmlOf(shownAgain)), ...lead };
  const result = await send(fields, { referer: 'https://sync.example/in/website' });

  expect(submissionOf(result).campaign).toEqual(expected);
});

describe('where the form comes from', () => {
  const listed = 'https://www.clinic.example';
  const ours = 'https://sync.example/in/website/form';
  it.each([
    ['the form that is served here', { host: 'sync.example', origin: 'https://sync.example' }],
    [
      'a host without the port that the browser sees',
      { host: 'sync.example', origin: 'https://sync.example:8443' },
    ],
    ['another port', { host: 'sync.example:8080', origin: 'http://sync.example:9090' }],
    ['a host with a default port', { host: 'sync.example:443', origin: 'https://sync.example' }],
    ['a host in capitals, with a dot', { host: 'SYNC.Example.', origin: 'https://sync.example' }],
    ['a name beyond ASCII', { host: 'bücher.example', origin: 'https://xn--bcher-kva.example' }],
    [
      'a proxy’s list of hosts',
      { host: 'x:1', 'x-forwarded-host': 'inner, sync.example', origin: 'https://sync.example' },
    ],
    [
      'RFC 7239',
      {
        host: 'x:1',
        forwarded: 'for=1.2.3.4;host="sync.example:443", for=10.0.0.1',
        origin: 'https://sync.example',
      },
    ],
    [
      'a host that is not passed on',
      { host: 'app.azure.example', origin: 'https://sync.example', 'sec-fetch-site': 'same-origin' },
    ],
    [
      'the same in an older browser, by the page’s own address',
      { host: 'app.azure.example', origin: 'https://sync.example', referer: ours },
    ],
    [
      'below a path of a shared host',
      {
        host: 'app.azure.example',
        origin: 'https://sync.example',
        referer: 'https://sync.example/a/in/website',
      },
    ],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a page that sends no referrer', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['nowhere', { origin: undefined }],
    ['a listed website', { origin: listed, 'sec-fetch-site': 'cross-site', referer: `${listed}/` }],
  ])('with our pass, books from %s', async (_from, headers) => {
    const { load, send, clock } = await visit({ origins: [listed] });
    const hidden = hiddenIn(await load('form', '', { 'sec-fetch-dest': 'iframe' }));
    await clock.advance(10_000);

    expect(submissionOf(await send({ ...hidden, ...lead }, headers)).problems).toBeUndefined();
  });

  it.each([
    ['that is not listed', { origin: 'https://www.other.example', 'sec-fetch-site': 'cross-site' }],
    ['that is not listed, in an older browser', { origin: 'https://www.other.example' }],
    [
      'of our network, without the host',
      { host: '127.0.0.1', origin: 'https://x.example', referer: 'https://x.example/' },
    ],
    ['beside ours', { origin: 'https://www.sync.example', 'sec-fetch-site': 'same-site' }],
    ['listed with TLS, without it', { origin: 'http://www.clinic.example' }],
    [
      'whose server has fetched it and that hides its name',
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
    ],
    ['beside ours that hides its name', { origin: undefined, 'sec-fetch-site': 'same-site' }],
    ['by its referrer alone', { origin: undefined, referer: 'https://www.other.example/book' }],
    ['whose name begins alike', { origin: 'https://www.clinic.example.evil.example' }],
  ])('with our pass, asks once before it books from a website %s', async (_from, headers) => {
    const { load, insist, send, clock } = await visit({ origins: [listed] });
    const hidden = hiddenIn(await load());
    await clock.advance(10_000);

    const { page, result } = await insist({ ...hidden, ...lead }, headers);
    const program = await send({ ...hidden, ...lead }, { ...headers, accept: 'application/json' });

    expect(page).toContain('Is everything right?');
    expect(submissionOf(result).problems).toBeUndefined();
    expect(submissionOf(program).problems).toMatchObject([{ field: 'form' }]);
  });

  it('takes the public host for our own, whatever the proxy calls us', async () => {
    const { load, intake, clock } = await visit();
    const hidden = hiddenIn(await load());
    await clock.advance(10_000);
    const body = new URLSearchParams({ ...hidden, ...lead }).toString();
    const headers = { ...browser, host: 'app.azure.example', origin: 'https://sync.example:8443' };

    const result = await intake.receive(intakeRequest(body, headers, { publicHost: 'sync.example' }), mirror);

    expect(submissionOf(result).problems).toBeUndefined();
  });

  it('holds what arrives a second time without a pass, instead of asking for ever', async () => {
    const { send, clock } = await visit();
    const html = htmlOf(await send({ ...lead }));
    await clock.advance(10_000);

    const result = await send({ ...hiddenIn(html), ...lead, form_token: 'cut' });

    expect(submissionOf(result)).toMatchObject({ fields: lead, problems: [{ field: 'form_token' }] });
  });

  it('answers our own form with a page in a browser that names no types', async () => {
    const { load, send, clock } = await visit();
    const hidden = hiddenIn(await load());
    await clock.advance(100);

    for (const accept of ['*/*', undefined, 'image/gif, image/jpeg, */*', 'text/*'])
      expect((await send({ ...hidden, ...lead }, { accept })).kind).toBe('page');
  });

  it('a clinic’s own form is shown once more here, filled in, and then accepted', async () => {
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
    expect(review).toContain('<option value="2026-03-10" selected>');
    const { treatment_id: _none, ...kept } = typed;
    expect({ ...submissionOf(result).fields }).toEqual({
      ...kept,
      treatment: 'Whitening',
      note: 'Call after five',
    });
  });

  it('a program gets JSON instead of a page', async () => {
    const { send } = await visit();

    expect(await send(lead, { accept: '*/*' })).toMatchObject({ kind: 'refused', status: 401 });
  });

  it.each([
    ['application/json', '{}', 415],
    ['multipart/form-data; boundary=x', 'cut', 400],
    ['application/x-www-form-urlencoded', '', 400],
  ])(
    'a body of %s that no form sends is refused, and a visitor gets the form',
    async (type, body, status) => {
      const { intake } = await visit();
      const sent = (accept: string) =>
        intake.receive(intakeRequest(body, { ...browser, accept, 'content-type': type }), mirror);

      expect(await sent('application/json')).toMatchObject({ kind: 'refused', status });
      expect(await sent('text/html')).toMatchObject({ kind: 'page', status });
    },
  );

  it('its bookings are read with the token', async () => {
    const { intake } = await visit();
    const reading = { method: 'GET', path: 'CS-7K3Q9F' } as const;

    expect(intake.authorize(intakeRequest('', {}, reading))).toMatchObject({ status: 401 });
    expect(
      intake.authorize(intakeRequest('', { authorization: `Bearer ${formToken}` }, reading)),
    ).toBeUndefined();
  });
});
