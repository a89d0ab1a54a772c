/** @module-tag thorough */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineWindow, engines } from '../support/engines.ts';
import { type FormSite, startFormSite } from '../support/forms/form-site.ts';
import { formToken } from '../support/forms/web-form.ts';
import { person, samplePeopleStore } from '../support/http/http-kit.ts';
import { needing } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Browsers start slowly on a busy machine. */
const patience = 240_000;
const lead = {
  patient_name: 'Ann Lee',
  patient_phone: '01712-345678',
  appointment_date: '2026-03-10',
  appointment_time: '10:30',
  note: '',
};

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A page of the clinic beside the form, which it frames without letting it go to the clinic's own thanks. */
const ownPages: Record<string, string> = {
  '/site':
    '<iframe id="frame" sandbox="allow-forms allow-scripts allow-same-origin" src="/in/website/form"></iframe>',
};

/**
 * As hardening guides have it: another Host inside, and pages that may say nothing of where they come from. The form has
 * an address of its own, too.
 */
const proxyTo = (inner: string): Server =>
  createServer((asked, answer) => {
    const { host } = new URL(inner);
    const { method, url, headers } = asked;
    const own = ownPages[url ?? ''];
    if (own !== undefined) {
      answer.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${own}`);
      return;
    }
    const inside = url?.replace(/^\/termin/, '/in/website/form');
    const sent = request(`${inner}${inside}`, { method, headers: { ...headers, host } }, (got) => {
      answer.writeHead(got.statusCode ?? 502, { ...got.headers, 'referrer-policy': 'no-referrer' });
      got.pipe(answer);
    });
    asked.pipe(sent);
  });

/** Frames that come late, know no origin, or may not leave; and the script wherever site builders put it. */
const clinicPages = (form: string): Record<string, string> => {
  const script = `${form}/in/website/embed.js`;
  const frame = (id: string, more = '') =>
    `<iframe id="${id}" ${more} src="${form}/in/website/form" width="600" height="99"></iframe>`;
  const later = (id: string, more = '') =>
    `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', \`${frame(id, more)}\`), 500)</script>`;
  const consent = `<script>setTimeout(() => {
    const script = document.createElement('script');
    script.src = '${script}';
    document.head.append(script);
  }, 500)</script>`;
  const joined = `<script>(async () => {
    const text = await (await fetch('/embed.js')).text();
    const script = document.createElement('script');
    script.text = 'var first = 1;' + text + ';var last = 1;';
    document.head.append(script);
  })()</script>`;
  const lazy = `<iframe id="frame" data-src="${form}/in/website/form" width="600" height="99"></iframe>
    <script>setTimeout(() => { const frame = document.getElementById('frame'); frame.src = frame.dataset.src; }, 500)</script>`;
  return {
    '/in-the-head': `<script src="${script}"></script><body>${frame('frame')}`,
    '/as-a-module': `<script type="module" src="${script}"></script><body>${frame('frame')}`,
    '/after-a-consent': `${consent}<body>${frame('frame')}`,
    '/joined-with-others': `${joined}<body>${frame('frame')}`,
    '/before-a-late-frame': `<script src="${script}"></script><body>${later('frame')}`,
    '/before-a-lazy-frame': `<script src="${script}"></script><body>${lazy}`,
    '/without-an-origin': `<script src="${script}"></script><body>${later('frame', 'sandbox="allow-forms allow-scripts"')}`,
    '/at-another-address': `<script src="${script}"></script><body>${frame('frame').replace('/in/website/form', '/termin')}`,
    '/dark': `<script src="${script}"></script><body style="background: #111">${frame('frame')}`,
    '/mail': `<body><a id="desk" href="${form}/bookings/CS-7K3Q9F">A lead waits</a>`,
  };
};

/** Of the clinic. */
const clinicSite = (form: string): Server =>
  createServer(async ({ url = '' }, answer) => {
    if (url === '/embed.js') {
      answer.writeHead(200, { 'content-type': 'text/javascript' });
      answer.end(await (await fetch(`${form}/in/website/embed.js`)).text());
      return;
    }
    answer.writeHead(200, { 'content-type': 'text/html' });
    answer.end(`<!doctype html><head>${clinicPages(form)[url]}`);
  });

describe.each(engines)('a person with $name', ({ name, program, start }) => {
  const isAsked = process.env.VERIFY_RUNS !== undefined || name === 'Chromium';
  describe.skipIf(!isAsked || program === undefined)(`behind a proxy${needing(name, program)}`, () => {
    let site: FormSite;
    let page: EngineWindow;
    let [form, clinic] = ['', ''];
    const servers: Server[] = [];

    beforeAll(async () => {
      const origins: string[] = [];
      site = await startFormSite({ preset: 'html-form', token: formToken, origins: ['http://127.0.0.1:1'] });
      const proxy = proxyTo(site.http.url);
      form = await listening(proxy);
      const clinicServer = clinicSite(form);
      clinic = await listening(clinicServer);
      origins.push(clinic);
      servers.push(proxy, clinicServer);
      await site[Symbol.asyncDispose]();
      site = await startFormSite(
        { preset: 'html-form', token: formToken, origins },
        {
          ...{ ...samplePeopleStore(), people: [person('Rima', 'desk')] },
          ...{ port: Number(new URL(site.http.url).port), publicUrl: new URL(form) },
        },
      );
      page = await start();
    }, patience);
    afterAll(async () => {
      await page?.[Symbol.asyncDispose]();
      for (const server of servers) server.close().closeAllConnections();
      await site?.[Symbol.asyncDispose]();
    });

    const send = async (fields: Record<string, string>) => {
      await site.clock.advance(10_000);
      await page.evaluate(`(() => {
        const form = document.forms[0];
        for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements[name].value = value;
        form.querySelector('button:not([type])').click();
        return true;
      })()`);
    };
    const reaches = (what: string) =>
      until(
        `the page is ${what}`,
        async () => {
          const seen = await page.evaluate(
            `document.readyState === 'complete' && (document.querySelector('.ref') ? 'thanks' : document.querySelector('.summary') ? 'again' : document.forms[0] ? 'form' : '')`,
          );
          return seen === what;
        },
        { found: () => page.evaluate('document.body.innerText') },
      );

    it('books, and after Back is asked about another time and another note', {
      timeout: patience,
    }, async () => {
      await page.open(`${form}/in/website/form`);
      await send(lead);
      await reaches('thanks');
      await page.back();
      await reaches('form');
      await send({ ...lead, appointment_time: '11:45' });
      await reaches('thanks');
      await page.back();
      await reaches('form');
      await send({ ...lead, note: 'I take blood thinners' });
      await reaches('thanks');

      const bookings = await site.bookings();
      expect(bookings.map(({ state, reason, note }) => [state, reason, note]).toSorted()).toEqual([
        ['held', 'changed_submission', null],
        ['held', 'changed_submission', 'I take blood thinners'],
        ['queued', null, null],
      ]);
    });

    it('books, is thanked and starts anew at an address that the proxy has made up', {
      timeout: patience,
    }, async () => {
      await page.open(`${form}/termin?lang=de`);
      await send({ ...lead, patient_name: 'Rahim Uddin', patient_phone: '01911-223344' });
      await reaches('thanks');
      await page.evaluate(`document.querySelector('a[href*="form_page=form"]').click() || true`);
      await reaches('form');

      const bookings = await site.bookings();
      expect(bookings.filter(({ patient_name }) => patient_name === 'Rahim Uddin')).toMatchObject([
        { state: 'queued' },
      ]);
      expect(await page.evaluate('location.pathname + document.documentElement.lang')).toBe('/terminde');
    });

    it('gets back what was typed when something is wrong', { timeout: patience }, async () => {
      await page.open(`${form}/in/website/form`);
      await page.evaluate('(document.forms[0].noValidate = true)');
      await send({ ...lead, patient_name: '', patient_phone: '', note: 'Hello' });
      await reaches('again');

      expect(await page.evaluate(`document.querySelector('#note').value.trim()`)).toBe('Hello');
    });

    it.each(Object.keys(clinicPages('')).filter((path) => path !== '/mail'))(
      'sees the whole form in the frame of a site with the script %s',
      { timeout: patience },
      async (path) => {
        await page.open(`${clinic}${path}`);

        const height = `document.getElementById('frame') ? document.getElementById('frame').clientHeight : 0`;
        await until(
          'the frame is as high as the form',
          async () => Number(await page.evaluate(height)) > 500,
          { found: () => page.evaluate(height) },
        );
        const theme = await page.evaluate(
          `new URL(document.getElementById('frame').src).searchParams.get('theme')`,
        );
        expect(theme).toBe(path === '/dark' ? 'dark' : null);
      },
    );

    it('is thanked within a frame that may not leave', { timeout: patience }, async () => {
      const thanks = 'https://www.clinic.example/thanks';
      await using framed = await startFormSite({ preset: 'html-form', token: formToken, thanks });
      const front = proxyTo(framed.http.url);
      servers.push(front);
      await page.open(`${await listening(front)}/site`);
      const inside = `document.getElementById('frame').contentDocument`;
      const has = (selector: string) =>
        until(selector, async () =>
          page.evaluate(`${inside} && ${inside}.querySelector('${selector}') !== null`),
        );
      await has('form [name=patient_phone]');
      await framed.clock.advance(10_000);
      const fields = { ...lead, patient_name: 'Nadia Karim', patient_phone: '01811-345679' };
      await page.evaluate(`(() => {
        const form = ${inside}.forms[0];
        for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements[name].value = value;
        form.querySelector('button:not([type])').click();
        return true;
      })()`);
      await has('.ref');

      const bookings = await framed.bookings();
      expect(bookings.filter(({ patient_name }) => patient_name === 'Nadia Karim')).toMatchObject([
        { state: 'queued' },
      ]);
    });

    const shows = (what: string, expression: string) =>
      until(what, async () => page.evaluate(`document.readyState === 'complete' && Boolean(${expression})`), {
        found: () => page.evaluate('location.href + document.body.innerText'),
      });
    const lookNow = `[...document.querySelectorAll('button')].find((one) => one.textContent.includes('Look now'))`;

    it('signs in at the desk and acts, and a link in a web mail then opens signed in', {
      timeout: patience,
    }, async () => {
      await page.open(`${form}/bookings`);
      await page.evaluate(`(() => {
        document.querySelector('input[name=token]').value = 'token-of-Rima-0123456789';
        document.querySelector('form button').click();
        return true;
      })()`);
      await shows('the list', `document.querySelector('a[href="/bookings/CS-7K3Q9F"]')`);
      await page.evaluate(`(document.querySelector('a[href="/bookings/CS-7K3Q9F"]').click(), true)`);
      await shows('the booking', lookNow);
      await page.evaluate(`(${lookNow}.click(), true)`);
      await shows('the notice', `document.querySelector('.notice')`);
      const notice = await page.evaluate(`document.querySelector('.notice').textContent`);

      // Another site than the desk's.
      await page.open(`${clinic.replace('127.0.0.1', 'localhost')}/mail`);
      await page.evaluate(`(document.getElementById('desk').click(), true)`);
      await shows('the booking, signed in', lookNow);

      expect(notice).toContain('It is done');
    });
  });
});
