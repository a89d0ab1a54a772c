import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fillInForm } from '../../src/demo/round-trip.ts';
import { type FormSite, startFormSite } from '../support/forms/form-site.ts';
import { formToken, hiddenFields } from '../support/forms/web-form.ts';

const lead = {
  patient_name: 'Ann Lee',
  patient_phone: '01712-345678',
  appointment_date: '2026-03-10',
  appointment_time: '10:30',
};
const signal = AbortSignal.timeout(60_000);
const html = { accept: 'text/html' };

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A proxy that passes on what it calls otherwise, and its own Host. */
const proxyTo = (inner: string, rename: (path: string) => string | undefined) =>
  listening(
    createServer((asked, answer) => {
      const { method, headers } = asked;
      const [path = '', ...query] = (asked.url ?? '').split('?');
      const renamed = rename(path);
      if (renamed === undefined) return void answer.writeHead(404).end('a page of somebody else');
      const url = [inner + renamed, ...query].join('?');
      const sent = request(url, { method, headers: { ...headers, host: new URL(inner).host } }, (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      });
      asked.pipe(sent);
    }),
  );

const form = (more: Record<string, unknown> = {}) =>
  startFormSite({ preset: 'html-form', token: formToken, ...more });

const only =
  (from: string, to: string) =>
  (path: string): string | undefined =>
    path === from ? to : undefined;
/** As `location /termin { proxy_pass http://…/in/website/form; }` does. */
const prefix =
  (from: string, to: string) =>
  (path: string): string | undefined =>
    path.startsWith(from) ? to + path.slice(from.length) : undefined;

describe('a form that a proxy shows elsewhere', () => {
  it.each<[string, string, (path: string) => string | undefined]>([
    ['/termin', 'of its own', only('/termin', '/in/website/form')],
    ['/termin/', 'with a slash', only('/termin/', '/in/website/form')],
    ['/termin', 'that leads to one with a slash', only('/termin', '/in/website/form/')],
    ['/', 'that is the whole site', only('/', '/in/website/form')],
    ['/termin', 'of all that begins with it', prefix('/termin', '/in/website/form')],
    ['/termin/', 'of all that begins with it, with a slash', prefix('/termin', '/in/website/form')],
    ['/termin/heute', 'below that', prefix('/termin', '/in/website/form')],
    ['/a/b/c.html', 'deep in the site', only('/a/b/c.html', '/in/website/form')],
    ['/?page=termin', 'in a query', only('/', '/in/website/form')],
    ['/termin', 'that cuts off `/in`', only('/termin', '/website/form')],
    ['/termin', 'that leads to the bare connector', only('/termin', '/in/website')],
  ])('at %s, an address %s, books, thanks and starts anew there', async (path, _what, rename) => {
    await using site = await form();
    const url = (await proxyTo(site.http.url, rename)) + path;
    const visit = { formUrl: url, signal, pause: () => site.clock.advance(10_000) };

    const thanks = await fillInForm({ ...visit, fields: lead });
    const [, again = ''] = /href="(\?form_page=form[^"]*)"/.exec(thanks) ?? [];
    const german = await (await fetch(new URL('?page=termin&lang=de', url), { headers: html })).text();
    const [, script = ''] = /<script src="([^"]*)"/.exec(german) ?? [];
    const loaded = await fetch(new URL(script.replaceAll('&amp;', '&'), url));

    const [booking, ...others] = await site.bookings();
    expect(others).toEqual([]);
    expect(booking).toMatchObject({ ...lead, state: 'queued' });
    expect(thanks).toContain(booking?.ref);
    expect(await (await fetch(new URL(again.replaceAll('&amp;', '&'), url))).text()).toContain('<form ');
    expect(german).toContain('Termin vereinbaren');
    expect(loaded.headers.get('content-type')).toContain('text/javascript');
  });

  it.each([
    ['adds a slash', (path: string) => `${path}/`],
    ['cuts a slash off', (path: string) => path.replace(/\/+$/, '')],
    ['writes small letters', (path: string) => path.toLowerCase()],
    ['writes capitals', (path: string) => path.toUpperCase()],
    ['doubles slashes', (path: string) => path.replaceAll('/', '//')],
    ['adds .html', (path: string) => `${path}.html`],
  ])('is never redirected to an address that the proxy changes back: one that %s', async (_what, rename) => {
    await using site = await form();
    const front = await proxyTo(site.http.url, rename);

    for (const path of ['/in/website/form', '/in/website/form/', '/In/Website/Form', '/in/website/']) {
      const page = await fetch(front + path, { headers: html, redirect: 'manual' });

      expect(page.status, path).toBe(200);
      expect(await page.text(), path).toContain('<form ');
    }
    const page = await fillInForm({
      ...{ formUrl: `${front}/in/website/form/`, fields: lead, signal },
      pause: () => site.clock.advance(10_000),
    });
    expect(page).toContain((await site.bookings())[0]?.ref);
  });
});

describe('a form whose POST became a GET on the way', () => {
  /** What the form of a page would send. */
  async function filledIn(site: FormSite, query = '') {
    const url = `${site.http.url}/in/website/form${query}`;
    const page = await (await fetch(url, { headers: html })).text();
    await site.clock.advance(10_000);
    const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(page) ?? [];
    return {
      action: new URL(action.replaceAll('&amp;', '&'), url),
      fields: new URLSearchParams([...hiddenFields(page), ...Object.entries(lead)]),
    };
  }
  const read = async (url: URL | string, headers: Record<string, string> = {}) =>
    (await fetch(url, { headers: { ...html, ...headers } })).text();

  it('without its fields is shown with words, in its language, and with the number to call', async () => {
    await using site = await form();
    const { action } = await filledIn(site, '?lang=de');

    for (let i = 0; i < 3; i += 1) {
      const page = await read(action, { 'accept-language': 'fr' });

      expect(page).toContain('<title>Noch nicht gesendet');
      expect(page).toContain('Falls Sie dieses Formular gerade gesendet haben: Es ist nicht angekommen.');
    }
    expect((await site.check()).join('\n')).toMatch(/arrives as GET/);
    expect(site.http.needs()).toMatchObject([{ sentence: expect.stringMatching(/arrives as GET/) }]);
    expect(await site.bookings()).toEqual([]);
  });

  it('with its fields in the address is shown with them, and books when it is sent', async () => {
    await using site = await form();
    const { action, fields } = await filledIn(site);
    const url = `${action}&${fields}`;

    const page = await read(url);
    const thanks = await fillInForm({ formUrl: url, fields: {}, signal, pause: async () => {} }).catch(
      (error: Error) => error.message,
    );
    await fillInForm({ formUrl: url, fields: lead, signal, pause: () => site.clock.advance(3_000) });

    expect(page).toContain('Part of your request was lost on the way.');
    expect(page).toContain('value="Ann Lee"');
    expect(page).not.toMatch(/(?:action|href)="[^"]*(?:Ann|01712)/);
    expect(thanks).toContain('the form was answered 422');
    expect(await site.bookings()).toMatchObject([lead]);
  });

  it('of a website’s own is shown with its fields, or with words, but not to whom types the address', async () => {
    await using site = await form();

    const sent = await read(
      `${site.http.url}/in/website?${new URLSearchParams({ Name: 'Ann Lee', Phone: '01712345678' })}`,
    );
    const lost = await read(`${site.http.url}/in/website`, { 'sec-fetch-site': 'cross-site' });
    const typed = await read(`${site.http.url}/in/website`, { 'sec-fetch-site': 'none' });
    const linked = await read(`${site.http.url}/in/website/form?name=spring`, {
      'sec-fetch-site': 'cross-site',
    });

    expect(sent).toContain('value="Ann Lee"');
    expect(lost).toContain('<div class="notice"><p>If you have just sent this form, it did not reach us.');
    for (const page of [typed, linked]) expect(page).not.toMatch(/did not reach us|Is everything right/);
  });
});

it('takes strangers who got one page from a cache for two leads, whatever restarted in between', async () => {
  await using site = await form();
  const page = await (await fetch(`${site.http.url}/in/website/form`, { headers: html })).text();
  const send = async (fields: Record<string, string>) => {
    await site.clock.advance(16 * 60_000);
    const body = new URLSearchParams([...hiddenFields(page), ...Object.entries({ ...lead, ...fields })]);
    await fetch(`${site.http.url}/in/website/form`, {
      method: 'POST',
      body,
      headers: html,
      redirect: 'manual',
    });
  };
  const stranger = { patient_name: 'Bo Ek', patient_phone: '01799-111222', appointment_time: '11:30' };

  await send({});
  await site.restart();
  await send(stranger);
  await site.restart();
  await send(stranger);
  await send({});

  const bookings = await site.bookings();
  expect(bookings.map(({ patient_name, state }) => [patient_name, state]).toSorted()).toEqual([
    ['Ann Lee', 'queued'],
    ['Bo Ek', 'queued'],
  ]);
});

it.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
  'that is too large comes back in its language with what was read, short enough to be sent: %s',
  async (type) => {
    await using site = await form();
    const page = await (await fetch(`${site.http.url}/in/website/form?lang=de`, { headers: html })).text();
    await site.clock.advance(10_000);
    const texts = {
      ...lead,
      note: `Hallo ${'x'.repeat(30_000)}`,
      question_a: 'y'.repeat(30_000),
      question_b: 'z'.repeat(30_000),
    };
    const body = new (type === 'multipart/form-data' ? FormData : URLSearchParams)();
    for (const [name, value] of [...hiddenFields(page), ...Object.entries(texts)]) body.append(name, value);

    const answer = await fetch(`${site.http.url}/in/website/form?lang=de&form_sent=yes`, {
      ...{ method: 'POST', headers: { ...html, 'accept-language': 'fr' }, body },
    });
    const shown = await answer.text();
    await site.clock.advance(3_000);
    const sent = await fetch(`${site.http.url}/in/website`, {
      ...{ method: 'POST', headers: html, redirect: 'manual' as const },
      body: new URLSearchParams([...hiddenFields(shown), ...Object.entries(lead)]),
    });

    expect(answer.status).toBe(413);
    expect(shown).toContain('<html lang="de"');
    expect(shown).toContain('ging unterwegs verloren');
    expect(shown).toContain('value="Ann Lee"');
    expect(/<textarea[^>]*>\n(Hallo x+)</.exec(shown)?.[1]).toHaveLength(2_000);
    expect(sent.status).toBe(303);
  },
);

it.each([
  '?lang=de&amp;theme=dark',
  '?lang=de?theme=dark',
  '%3Flang=de&theme=dark',
  '&lang=de&theme=dark',
  '%3Flang%3Dde%26theme%3Ddark',
])('has the language and the theme of a link with %s', async (query) => {
  await using site = await form();

  const page = await (await fetch(`${site.http.url}/in/website/form${query}`, { headers: html })).text();

  expect(page).toContain('<html lang="de"');
  expect(page).toContain('name="form_theme" value="dark"');
});
