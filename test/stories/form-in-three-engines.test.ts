import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineWindow, engines } from '../support/engines.ts';
import { type FormSite, startFormSite } from '../support/forms/form-site.ts';
import { formToken } from '../support/forms/web-form.ts';
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

/** As hardening guides have it: another Host inside, and pages that may say nothing of where they come from. */
const proxyTo = (inner: string): Server =>
  createServer((asked, answer) => {
    const { host } = new URL(inner);
    const { method, url, headers } = asked;
    const sent = request(`${inner}${url}`, { method, headers: { ...headers, host } }, (got) => {
      answer.writeHead(got.statusCode ?? 502, { ...got.headers, 'referrer-policy': 'no-referrer' });
      got.pipe(answer);
    });
    asked.pipe(sent);
  });

/** Of the clinic, with the script in its head and one frame that comes late and knows no origin. */
const clinicSite = (form: string): Server =>
  createServer((_asked, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' });
    answer.end(`<!doctype html><head><script src="${form}/in/website/embed.js"></script></head>
<body><iframe id="plain" src="${form}/in/website/form" width="600" height="99"></iframe>
<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<iframe id="late" sandbox="allow-forms allow-scripts" src="${form}/in/website/form" width="600" height="99"></iframe>'), 500)</script></body>`);
  });

describe.each(engines)('a visitor with $name', ({ name, program, start }) => {
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
        { port: Number(new URL(site.http.url).port), publicUrl: new URL(form) },
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

    it('gets back what was typed when something is wrong', { timeout: patience }, async () => {
      await page.open(`${form}/in/website/form`);
      await page.evaluate('(document.forms[0].noValidate = true)');
      await send({ ...lead, patient_name: '', patient_phone: '', note: 'Hello' });
      await reaches('again');

      expect(await page.evaluate(`document.querySelector('#note').value.trim()`)).toBe('Hello');
    });

    it('sees the whole form in a frame, whenever it appears, also without an origin', {
      timeout: patience,
    }, async () => {
      await page.open(clinic);

      const heights = `['plain', 'late'].map((id) => { const frame = document.getElementById(id); return frame ? frame.clientHeight : 0; })`;
      await until(
        'both frames are as high as the form',
        async () => ((await page.evaluate(heights)) as number[]).every((height) => height > 500),
        { found: () => page.evaluate(heights) },
      );
    });
  });
});
