import { describe, expect, it } from 'vitest';
import { fillInForm } from '../../src/demo/round-trip.ts';
import { startFormSite } from '../support/forms/form-site.ts';
import { fixture, formSecret, formToken, hiddenFields, proofOf } from '../support/forms/web-form.ts';

const lead = {
  patient_name: 'Ann Lee',
  patient_phone: '01712-345678',
  appointment_date: '2026-03-10',
  appointment_time: '10:30',
};
const signal = AbortSignal.timeout(30_000);

describe('the check of a form tool', () => {
  it('says what became of the last submissions, by their references', async () => {
    await using site = await startFormSite({ preset: 'native', token: formToken });
    const send = async (body: Record<string, string>) => {
      const answer = await fetch(`${site.http.url}/in/website`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${formToken}` },
      });
      return ((await answer.json()) as { ref: string }).ref;
    };

    const booked = await send(lead);
    const merged = await send(lead);
    const held = await send({ ...lead, patient_phone: '01712-999999', appointment_date: '03/04/2026' });
    const lines = await site.check();

    expect(merged).toBe(booked);
    expect(lines).toContain('warn what became of the last 2: 1 held, 1 queued');
    expect(lines).toContainEqual(
      expect.stringContaining(`warn less than a second ago: ${held} is held (invalid_field): `),
    );
    expect(
      lines.filter((line) => line.includes(`ok less than a second ago: ${booked} is queued: `)),
    ).toHaveLength(1);
    expect(lines.join()).not.toMatch(/Ann|345678|03\/04/);
  });
});

it('holds an edited response beside the first, and throws none of the two away', async () => {
  await using site = await startFormSite({ preset: 'google-forms', secret: formSecret });
  const send = async (body: string) => {
    const proof = proofOf['google-forms']?.(Buffer.from(body), site.clock.now());
    const headers = { 'content-type': 'application/json', ...proof?.headers };
    await fetch(`${site.http.url}/in/website`, { method: 'POST', body, headers });
  };
  const first = fixture('google-forms.json').toString().replace('Scaling and Polishing', 'Treatment 1');

  await send(first);
  await send(first);
  await send(first.replaceAll('2026-03-10', '2026-03-12'));

  const bookings = await site.bookings();
  expect(
    Object.fromEntries(
      bookings.map(({ appointment_date, state, reason }) => [appointment_date, [state, reason]]),
    ),
  ).toEqual({ '2026-03-10': ['queued', null], '2026-03-12': ['held', 'changed_submission'] });
  expect(bookings).toHaveLength(2);
});

it('answers a tool that also takes pages, as n8n does, in JSON', async () => {
  await using site = await startFormSite({
    preset: 'native',
    token: formToken,
    thanks: 'https://clinic.example/',
  });

  const answer = await fetch(`${site.http.url}/in/website`, {
    method: 'POST',
    body: JSON.stringify(lead),
    headers: {
      authorization: `Bearer ${formToken}`,
      'content-type': 'application/json',
      accept:
        'application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9, image/*;q=0.8, */*;q=0.7',
    },
    redirect: 'manual',
  });

  expect(await answer.json()).toMatchObject({ ok: true, state: 'queued' });
});

describe('a rehearsal', () => {
  const rehearse = async (url: string, body: Record<string, string>, headers: Record<string, string>) => {
    const answer = await fetch(`${url}/in/website?rehearse=1`, {
      method: 'POST',
      body: new URLSearchParams(body),
      headers,
    });
    return { status: answer.status, said: (await answer.json()) as Record<string, unknown> };
  };
  const bearer = { authorization: `Bearer ${formToken}` };

  it.each(['native', 'html-form', 'contact-form-7'])(
    'of %s shows what would become of it, and stores nothing',
    async (preset) => {
      await using site = await startFormSite({ preset, token: formToken });
      const named = {
        ...lead,
        'Patient name': 'Ann Lee',
        Phone: '01712-345678',
        Date: '2026-03-10',
        Time: '10:30',
      };

      const whole = await rehearse(site.http.url, { ...named, Color: 'blue' }, bearer);
      const faulty = await rehearse(
        site.http.url,
        { ...named, appointment_date: '03/04/2026', Date: '03/04/2026' },
        bearer,
      );

      expect(whole).toMatchObject({
        status: 200,
        said: { rehearsal: true, stored: false, would_be: 'sent', fields: lead },
      });
      expect(whole.said.not_used).toContain('Color');
      expect(faulty).toMatchObject({
        status: 200,
        said: {
          would_be: 'held',
          errors: expect.arrayContaining([expect.objectContaining({ field: 'appointment_date' })]),
        },
      });
      expect(await site.bookings()).toEqual([]);
      expect(await site.check()).toContainEqual(
        expect.stringMatching(/^warn .* a rehearsal, which was not stored: /),
      );
    },
  );

  it('of a date in numbers says what it means in each format, and what to set', async () => {
    await using site = await startFormSite({ preset: 'contact-form-7', token: formToken });
    const named = { 'Patient name': 'Ann Lee', Phone: '01712-345678', Time: '10:30' };

    const twoDays = await rehearse(site.http.url, { ...named, Date: '03/04/2026' }, bearer);
    const oneDay = await rehearse(site.http.url, { ...named, Date: '13.04.2026' }, bearer);

    expect(twoDays.said).toMatchObject({
      would_be: 'held',
      could_be: [
        { format: 'DD/MM/YYYY', date: '2026-04-03' },
        { format: 'MM/DD/YYYY', date: '2026-03-04' },
      ],
    });
    expect(JSON.stringify(twoDays.said.errors)).toContain(
      'The date can be read as DD/MM/YYYY or as MM/DD/YYYY',
    );
    expect(oneDay.said.could_be).toEqual([{ format: 'DD.MM.YYYY', date: '2026-04-13' }]);
    expect(JSON.stringify(oneDay.said.errors)).toContain('The date is written as DD.MM.YYYY');
  });

  it('takes the token also where the tool signs, and nothing without it', async () => {
    await using typeform = await startFormSite({ preset: 'typeform', secret: formSecret, token: formToken });
    await using form = await startFormSite({ preset: 'html-form', token: formToken });
    const body = fixture('typeform.json');

    const signed = await fetch(`${typeform.http.url}/in/website?rehearse=1`, {
      method: 'POST',
      body,
      headers: { ...bearer, 'content-type': 'application/json' },
    });
    const real = await fetch(`${typeform.http.url}/in/website`, { method: 'POST', body, headers: bearer });
    const stranger = await rehearse(form.http.url, lead, {});

    expect(await signed.json()).toMatchObject({ rehearsal: true, fields: { patient_name: 'Ann Lee' } });
    expect([real.status, stranger.status]).toEqual([401, 401]);
    expect([...(await typeform.bookings()), ...(await form.bookings())]).toEqual([]);
  });
});

describe('a form over HTTP', () => {
  it('leads a visitor to a page with the reference of the one booking', async () => {
    await using site = await startFormSite({ preset: 'html-form', token: formToken });

    const page = await fillInForm({
      formUrl: `${site.http.url}/in/website/form`,
      fields: lead,
      pause: () => site.clock.advance(10_000),
      signal,
    });

    const bookings = await site.bookings();
    expect(bookings).toMatchObject([{ ...lead, state: 'queued' }]);
    expect(page).toContain(bookings[0]?.ref);
  });

  it('asks about what changed after Back, also where the browser loads a new form and runs no scripts', async () => {
    await using site = await startFormSite({ preset: 'html-form', token: formToken });
    const send = (changed: Record<string, string> = {}) =>
      fillInForm({
        ...{ formUrl: `${site.http.url}/in/website/form`, signal },
        fields: { ...lead, ...changed },
        pause: () => site.clock.advance(10_000),
      });

    await send();
    await send();
    await send({ appointment_time: '11:45' });
    await send({ note: 'I take blood thinners' });

    const bookings = await site.bookings();
    const [first, ...asked] = bookings.toSorted((a, b) => (a.received_at < b.received_at ? -1 : 1));
    expect(first).toMatchObject({ ...lead, state: 'queued', note: null });
    expect(asked.map(({ state }) => state)).toEqual(['held', 'held']);
    expect(asked.map(({ appointment_time, note }) => [appointment_time, note])).toEqual([
      ['11:45', null],
      ['10:30', 'I take blood thinners'],
    ]);
  });

  it.each([
    ['/in/website/form', 'application/x-www-form-urlencoded'],
    ['/website', 'application/x-www-form-urlencoded'],
    ['/in/website', 'text/plain'],
    ['/in/website', 'application/octet-stream'],
    ['/in/website', 'application/x-www-form-urlencoded; charset=ISO-8859-1'],
  ])('is taken at %s and as %s, as something on the way made it', async (path, type) => {
    await using site = await startFormSite({ preset: 'html-form', token: formToken });
    const hidden = hiddenFields(await (await fetch(`${site.http.url}/in/website/form`)).text());
    await site.clock.advance(10_000);
    const fields = { ...lead, patient_name: 'Jörg Müller' };

    const answer = await fetch(`${site.http.url}${path}`, {
      method: 'POST',
      body: `${new URLSearchParams([...hidden, ...Object.entries(fields)])}`,
      headers: { accept: 'text/html', origin: site.http.url, 'content-type': type },
      redirect: 'manual',
    });

    expect(answer.status).toBe(303);
    expect(await site.bookings()).toMatchObject([{ ...fields, state: 'queued' }]);
  });

  it('lets websites read its answers that are listed alone', async () => {
    const listed = 'https://www.clinic.example';
    await using site = await startFormSite({ preset: 'html-form', token: formToken, origins: [listed] });
    const readableBy = async (origin: string) =>
      (await fetch(`${site.http.url}/in/website/form`, { headers: { origin } })).headers.get(
        'access-control-allow-origin',
      );

    expect([await readableBy(listed), await readableBy('https://other.example')]).toEqual([listed, null]);
  });

  it('puts the reference into the address of the clinic’s own page', async () => {
    await using site = await startFormSite({
      preset: 'html-form',
      token: formToken,
      thanks: 'https://clinic.example/thanks?ref={ref}',
    });
    const hidden = hiddenFields(await (await fetch(`${site.http.url}/in/website/form`)).text());
    await site.clock.advance(10_000);

    const answer = await fetch(`${site.http.url}/in/website`, {
      method: 'POST',
      body: new URLSearchParams([...hidden, ...Object.entries(lead)]),
      headers: { accept: 'text/html', origin: site.http.url },
      redirect: 'manual',
    });

    const [booking] = await site.bookings();
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`https://clinic.example/thanks?ref=${booking?.ref}`);
  });

  it('that is shown again has scripts of its own alone, and is framed by named websites alone', async () => {
    await using site = await startFormSite({ preset: 'html-form', token: formToken });

    const answer = await fetch(`${site.http.url}/in/website`, {
      method: 'POST',
      body: new URLSearchParams(lead),
      headers: { accept: 'text/html', origin: site.http.url },
    });

    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('value="Ann Lee"');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /; script-src 'self' https:\/\/[\d.:]+ http:\/\/[\d.:]+; frame-ancestors 'self'$/,
    );
    expect(await site.bookings()).toEqual([]);
  });

  it('is taken ten times from one visitor, and may be framed by the clinic’s own website', async () => {
    await using site = await startFormSite({
      preset: 'html-form',
      token: formToken,
      origins: ['https://www.clinic.example'],
    });
    const page = await fetch(`${site.http.url}/in/website/form`);
    const hidden = hiddenFields(await page.text());
    await site.clock.advance(10_000);

    const statuses = [];
    for (let i = 0; i < 12; i += 1) {
      const body = new URLSearchParams([
        ...hidden,
        ...Object.entries({ ...lead, appointment_time: `1${i % 10}:${i < 10 ? '00' : '30'}` }),
      ]);
      const answer = await fetch(`${site.http.url}/in/website`, {
        method: 'POST',
        body,
        headers: { accept: 'application/json', origin: site.http.url },
      });
      statuses.push(answer.status);
    }

    expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
    expect(await site.bookings()).toHaveLength(10);
    expect(page.headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self' https://www.clinic.example",
    );
  });

  it('answers the same whether a phone number has a booking, to the byte, also past its daily limit', async () => {
    await using site = await startFormSite({ preset: 'html-form', token: formToken });
    const send = async (accept: string, fields: Record<string, string>) => {
      const hidden = hiddenFields(await (await fetch(`${site.http.url}/in/website/form`)).text());
      await site.clock.advance(16 * 60_000);
      const answer = await fetch(`${site.http.url}/in/website`, {
        method: 'POST',
        body: new URLSearchParams([...hidden, ...Object.entries({ ...lead, ...fields })]),
        headers: { accept, origin: site.http.url },
        redirect: 'manual',
      });
      const { status, headers } = answer;
      const said = [status, headers.get('location'), headers.get('content-length'), await answer.text()].join(
        '\n',
      );
      const [ref = ''] = said.match(/CS-\w{6}/) ?? [];
      const asked = await fetch(`${site.http.url}/in/website/${ref}`);
      // The day and the time, sealed with other random bytes each time.
      const alike = said
        .replaceAll(ref, 'REF')
        .replace(/visit=([\w-]+)/, (_, { length }) => `visit=${length}`);
      return [alike, asked.status, await asked.text()];
    };
    const known = { patient_name: 'Somebody Else' };
    const unknown = { patient_name: 'Somebody Else', patient_phone: '01712-999999' };
    for (const time of ['10:30', '11:00', '11:30', '12:00', '12:30', '13:00', '13:30'])
      await send('application/json', { appointment_time: time });

    const answers = [];
    for (const accept of ['application/json', 'text/html'])
      for (const fields of [known, unknown]) answers.push(await send(accept, fields));

    const states = (await site.bookings()).map(({ reason }) => reason);
    expect(states).toContain('duplicate_suspect');
    expect(states).toContain('source_limit');
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[3]).toEqual(answers[2]);
    expect(answers[0]?.[1]).toBe(401);
  });

  it('of a tool with the token in its address is taken at that address alone, answered exactly 200', async () => {
    await using site = await startFormSite({ preset: 'elementor', token: formToken });
    const send = (path: string) =>
      fetch(`${site.http.url}/in/website${path}`, {
        method: 'POST',
        body: fixture('elementor-advanced.urlencoded').toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });

    const statuses = [];
    for (const path of ['', '/', '/guess', `/${formToken}`, `/${formToken}`])
      statuses.push((await send(path)).status);

    expect(statuses).toEqual([401, 401, 401, 200, 200]);
    expect(await site.bookings()).toMatchObject([{ patient_name: 'Ann Lee', merged: 1 }]);
  });

  it('that reports a cancellation becomes a task for a person, once', async () => {
    await using site = await startFormSite({ preset: 'calendly', secret: formSecret });
    const send = async (file: string) => {
      const body = fixture(file);
      const headers = {
        'content-type': 'application/json',
        ...proofOf.calendly?.(body, site.clock.now()).headers,
      };
      return (
        await fetch(`${site.http.url}/in/website`, { method: 'POST', body: new Uint8Array(body), headers })
      ).status;
    };

    const statuses = [
      await send('calendly.json'),
      await send('calendly-cancelled.json'),
      await send('calendly-cancelled.json'),
    ];

    const bookings = await site.bookings();
    expect(statuses).toEqual([200, 200, 200]);
    expect(bookings.map(({ state }) => state).sort()).toEqual(['held', 'queued']);
    expect(bookings.find(({ state }) => state === 'held')?.message).toContain('Cancelled at Calendly');
  });

  it('that is authentic and makes no sense is stored and held, never refused', async () => {
    await using site = await startFormSite({ preset: 'typeform', secret: formSecret });
    const body = Buffer.from('{"event_type":"form_response","form_response":{"answers":"?","token":"t1"}}');
    const headers = { 'content-type': 'application/json', ...proofOf.typeform?.(body, 0).headers };

    const answer = await fetch(`${site.http.url}/in/website`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers,
    });

    expect(answer.status).toBe(200);
    expect(await site.bookings()).toMatchObject([
      { state: 'held', reason: 'missing_field', submission_id: 't1' },
    ]);
  });
});
