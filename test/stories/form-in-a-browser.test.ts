import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shippedLanguages } from '../../connectors/web-form/form/pages/languages.ts';
import { type Axe, startAxe } from '../support/axe.ts';
import { chromiumPath, closed, launchBrowser } from '../support/browser.ts';
import { type FormSite, startFormSite } from '../support/forms/form-site.ts';
import { closedMirror, visit as visitWithHours } from '../support/forms/form-visit.ts';
import { formToken } from '../support/forms/web-form.ts';
import { needing } from '../support/program.ts';

const clinicSite = 'http://www.clinic.example';
/** Browsers start slowly on a busy machine. */
const patience = 120_000;

describe.skipIf(chromiumPath === undefined)(
  `a visitor${needing('Chromium', chromiumPath)}`,
  { timeout: patience },
  visitor,
);

function visitor() {
  let browser: Browser;
  let axe: Axe;
  let site: FormSite;
  /** By what only a new one can have: a window costs more than most of what is done in it. */
  const pages = new Map<string, Page>();

  beforeAll(async () => {
    // The date is typed as this language writes it; a website in the test may frame a server on this machine.
    const starting = launchBrowser('--lang=en-US', '--disable-features=LocalNetworkAccessChecks');
    [browser, axe] = await Promise.all([starting, startAxe()]);
  }, patience);
  afterAll(async () => {
    await closed(browser);
    await axe?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    site = await startFormSite({ preset: 'html-form', token: formToken, origins: [clinicSite] });
  });
  afterEach(async () => {
    for (const page of pages.values()) await leave(page);
    await site[Symbol.asyncDispose]();
  });

  const formUrl = () => `${site.http.url}/in/website/form`;
  /** Nothing that a test did to it remains, but the page that it shows. */
  const leave = async (page: Page) => {
    page.removeAllListeners('console');
    await page.unrouteAll();
    await page.context().clearCookies();
  };
  const windowOf = async ({
    viewport = { width: 1_280, height: 720 },
    colorScheme = 'light',
    ...more
  }: BrowserContextOptions = {}): Promise<Page> => {
    const kind = JSON.stringify(more);
    const page = pages.get(kind) ?? (await browser.newPage({ javaScriptEnabled: false, ...more }));
    pages.set(kind, page);
    if (viewport !== null) await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    return page;
  };
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await windowOf(options);
    await page.goto('about:blank');
    return page;
  };
  const visit = async (options: BrowserContextOptions = {}): Promise<Page> => {
    // Not by way of an empty page: that takes another process of the browser each time.
    const page = await windowOf(options);
    await page.goto(formUrl());
    return page;
  };
  /** Fills the form in and takes the time that a person needs. */
  const fill = async (page: Pick<Page, 'fill' | 'selectOption'>) => {
    await page.fill('#patient_name', 'Ann Lee');
    await page.fill('#patient_phone', '01712-345678');
    await page.selectOption('#treatment_id', '2');
    await page.fill('#appointment_date', '2026-03-10');
    await page.fill('#appointment_time', '10:30');
    await site.clock.advance(20_000);
  };
  const filledIn = {
    patient_name: 'Ann Lee',
    patient_phone: '01712-345678',
    appointment_date: '2026-03-10',
    appointment_time: '10:30',
    treatment_id: 2,
    state: 'queued',
  };

  it('books with the keyboard alone and without scripts', async () => {
    const page = await visit();
    const { keyboard } = page;

    await keyboard.press('Tab');
    await keyboard.type('Ann Lee');
    await keyboard.press('Tab');
    await keyboard.type('01712-345678');
    await keyboard.press('Tab');
    await keyboard.type('Treatment 2');
    await keyboard.press('Tab');
    await keyboard.type('03102026');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.type('1030AM');
    await site.clock.advance(20_000);
    await keyboard.press('Enter');
    await page.waitForURL(/form_page=thanks/);

    const [booking, ...others] = await site.bookings();
    expect(others).toEqual([]);
    expect(booking).toMatchObject(filledIn);
    expect(await page.textContent('.ref')).toBe(booking?.ref);
  });

  it('is stopped by the browser itself when something is missing', { tags: ['thorough'] }, async () => {
    const page = await visit();
    await site.clock.advance(20_000);

    await page.click('button');

    expect(page.url()).toBe(formUrl());
    expect(await site.bookings()).toEqual([]);
  });

  describe('with proof of work', () => {
    beforeEach(async () => {
      await site[Symbol.asyncDispose]();
      const captcha = { use: 'altcha' };
      site = await startFormSite({
        ...{ preset: 'html-form', token: formToken, origins: [clinicSite] },
        form: { captcha },
      });
    });

    it('is booked by a browser that did the work, without a click more, under the page’s policy', {
      tags: ['thorough'],
    }, async () => {
      const page = await open({ javaScriptEnabled: true });
      const refused: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') refused.push(message.text());
      });
      await page.goto(formUrl());
      await fill(page);

      await page.click('button');
      await page.waitForURL(/form_page=thanks/);

      expect(await site.bookings()).toMatchObject([filledIn]);
      expect(refused).toEqual([]);
    });

    it('reads in plain words without scripts that the request is looked at, and is held', {
      tags: ['thorough'],
    }, async () => {
      const page = await visit();
      await fill(page);
      const words = await page.textContent('.captcha noscript, .captcha');

      await page.click('button');
      await page.waitForSelector('.summary:focus');
      const asked = await page.textContent('.summary');
      await site.clock.advance(5_000);
      await page.click('button');
      await page.waitForURL(/form_page=thanks/);

      expect(asked).toContain('The check against spam did not finish.');
      expect(words).toContain('If this check does not appear');
      expect(await site.bookings()).toMatchObject([{ ...filledIn, state: 'held', reason: 'invalid_field' }]);
    });
  });

  it('who clicks twice books once', async () => {
    const page = await visit();
    await fill(page);

    await page.dblclick('button', { noWaitAfter: true });
    // Not `waitForURL`, which fails when the second click aborts the navigation of the first.
    await page.waitForSelector('.ref');

    expect(await site.bookings()).toHaveLength(1);
  });

  it('who reloads, goes back and sends again books once', { tags: ['thorough'] }, async () => {
    const page = await visit();
    await fill(page);
    await page.click('button');
    await page.waitForURL(/form_page=thanks/);
    const ref = (await page.textContent('.ref')) ?? '';

    await page.reload();
    await page.goBack();
    await fill(page);
    await page.click('button');
    await page.waitForURL(/form_page=thanks/);

    // A rendered form is a submission of its own: only its maker is given a booking's reference.
    const again = (await page.textContent('.ref')) ?? '';
    expect(again).not.toBe(ref);
    expect(await site.booking(again)).toMatchObject({ ref, merged: 1 });
    expect(await site.bookings()).toHaveLength(1);
  });

  it('who was too quick loses nothing of what was typed', { tags: ['thorough'] }, async () => {
    const page = await visit();
    await page.fill('#patient_name', 'Ann "<Lee>"');
    await page.fill('#patient_phone', '01712-345678');
    await page.fill('#appointment_date', '2026-03-10');
    await page.fill('#appointment_time', '10:30');

    await page.click('button');
    await page.waitForSelector('.summary:focus');
    await site.clock.advance(5_000);
    await page.click('button');
    await page.waitForURL(/form_page=thanks/);

    expect(await site.bookings()).toMatchObject([{ patient_name: 'Ann "<Lee>"' }]);
  });

  it('books in a frame on the clinic’s website, and is thanked in it', { tags: ['thorough'] }, async () => {
    const page = await open();
    await page.route(`${clinicSite}/**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${formUrl()}" title="Book an appointment" width="700" height="1000"></iframe>`,
      }),
    );
    await page.goto(`${clinicSite}/booking`);
    const frame = page.frame({ url: formUrl() });
    expect.assert(frame);

    await fill(frame);
    await frame.click('button');
    await frame.waitForURL(/form_page=thanks/);

    const [booking] = await site.bookings();
    expect(booking).toMatchObject(filledIn);
    expect(await frame.textContent('.ref')).toBe(booking?.ref);
  });

  it('books in a frame that is always as high as the form, and brings the campaign along', {
    tags: ['thorough'],
  }, async () => {
    const page = await open({ javaScriptEnabled: true, viewport: { width: 500, height: 700 } });
    const violations: string[] = [];
    page.on('console', (message) => violations.push(message.text()));
    await page.route(`${clinicSite}/**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<p style="height: 300px">Welcome</p><iframe src="${formUrl()}" title="Book an appointment" style="width: 100%; height: 1600px; border: 0"></iframe>
<script src="${site.http.url}/in/website/embed.js"></script>`,
      }),
    );
    await page.goto(`${clinicSite}/booking?utm_campaign=spring&name=Ann`);
    const isFitted = `(() => { const { style, clientHeight } = document.querySelector('iframe'); return style.height !== '1600px' && clientHeight })()`;
    const fitted = Number(await (await page.waitForFunction(isFitted)).jsonValue());
    const frame = page.frames().find((one) => one.url().startsWith(formUrl()));
    expect.assert(frame);
    // The form may have reported its height before the script of the page sent it the campaign by another address.
    await frame.waitForURL(({ searchParams }) => searchParams.has('utm_campaign'));
    const inner = () => frame.evaluate('document.documentElement.scrollHeight');

    // The page knows the height before the browser has laid the frame out again.
    await frame.waitForFunction(`document.documentElement.scrollHeight === ${fitted}`);
    const address = new URL(frame.url());
    expect(Object.fromEntries(address.searchParams)).toEqual({
      utm_campaign: 'spring',
      landing_page: `${clinicSite}/booking`,
    });
    await fill(frame);
    await page.evaluate('scrollTo(0, 5000)');
    await frame.click('button');
    await frame.waitForURL(/form_page=thanks.*utm_campaign=spring/);
    await page.waitForFunction(`document.querySelector('iframe').clientHeight < 700 && scrollY <= 350`);

    expect(await inner()).toBeLessThan(700);
    expect(await site.bookings()).toMatchObject([
      { ...filledIn, campaign: 'spring', landing_page: `${clinicSite}/booking` },
    ]);
    expect(violations).toEqual([]);
  });

  it('runs no script that was smuggled into the form', { tags: ['thorough'] }, async () => {
    const page = await visit({ javaScriptEnabled: true });

    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { textContent: 'document.title = "smuggled"' }))`,
    );

    expect(await page.title()).toBe('Book an appointment');
  });

  it('of the clinic’s own form is asked once whether everything is right, and books', {
    tags: ['thorough'],
  }, async () => {
    const page = await open();
    await page.route(`${clinicSite}/**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${site.http.url}/in/website">
<input name="name"><input name="phone"><input name="date" type="date"><input name="time" type="time">
<input name="treatment" value="Treatment 2" type="hidden"><button>Send</button></form>`,
      }),
    );
    await page.goto(`${clinicSite}/booking`);
    await page.fill('[name=name]', 'Ann Lee');
    await page.fill('[name=phone]', '01712-345678');
    await page.fill('[name=date]', '2026-03-10');
    await page.fill('[name=time]', '10:30');

    await page.click('button');
    await page.waitForSelector('.summary');
    await site.clock.advance(5_000);
    await page.click('button');
    await page.waitForURL(/form_page=thanks/);

    expect(await site.bookings()).toMatchObject([filledIn]);
  });

  it('of a form on a website that is not listed is asked whether everything is right', {
    tags: ['thorough'],
  }, async () => {
    const page = await open();
    await page.route('http://other.example/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${site.http.url}/in/website"><input name="name" value="Ann Lee"><button>Go</button></form>`,
      }),
    );
    await page.goto('http://other.example/');

    await page.click('button');
    await page.waitForSelector('.summary');

    expect(await page.inputValue('#patient_name')).toBe('Ann Lee');
    expect(await site.bookings()).toEqual([]);
  });

  it.each([
    [320, 'ltr'],
    [320, 'rtl'],
    [1_280, 'ltr'],
  ] as const)('reads it without scrolling sideways at %i pixels, %s', async (width, dir) => {
    const page = await visit({ viewport: { width, height: 800 }, javaScriptEnabled: true });

    const overflow = await page.evaluate(
      `document.documentElement.dir = '${dir}'; document.documentElement.scrollWidth - innerWidth`,
    );

    expect(overflow).toBeLessThanOrEqual(0);
  });

  it('reads the opening hours within their box on a narrow phone, in every language', {
    tags: ['thorough'],
  }, async () => {
    const { load } = await visitWithHours();
    const page = await open({ javaScriptEnabled: true, viewport: { width: 320, height: 800 } });
    for (const lang of shippedLanguages) {
      await page.setContent(await load('form', `lang=${lang}`));

      const overflow = `(() => { const box = document.querySelector('#hours'); return box.scrollWidth - box.clientWidth; })()`;
      expect.soft(await page.evaluate(overflow), lang).toBe(0);
    }
  });

  it('reads everything without scrolling sideways on a narrow phone with letters twice as large, in every language', {
    tags: ['thorough'],
  }, async () => {
    const consent = { link: 'https://www.clinic.example/privacy' };
    const { load } = await visitWithHours({
      form: { ask: ['treatment', 'dentist', 'email', 'note'], consent },
    });
    const { load: loadClosed } = await visitWithHours({}, undefined, closedMirror());
    const page = await open({ javaScriptEnabled: true, viewport: { width: 320, height: 800 } });
    for (const lang of shippedLanguages)
      for (const one of [load, loadClosed]) {
        await page.setContent(await one('form', `lang=${lang}`));

        const overflow = `document.documentElement.style.fontSize = '200%'; document.documentElement.scrollWidth - innerWidth`;
        expect.soft(await page.evaluate(overflow), lang).toBe(0);
      }
  });

  it.each(['ltr', 'rtl'])(
    'sees fields side by side in line, whatever is above them: %s',
    { tags: ['thorough'] },
    async (dir) => {
      await site[Symbol.asyncDispose]();
      const question = { type: 'choice', options: ['No', 'Yes'], required: true };
      const label = { en: 'Are you in pain, or have you been in pain that the dentist should know of?' };
      const questions = [
        { ...question, name: 'pain', label },
        { name: 'insurance', label: { en: 'Insurance' }, type: 'text' },
      ];
      site = await startFormSite({
        ...{ preset: 'html-form', token: formToken },
        form: { ask: ['treatment', 'dentist', 'email', 'address'], questions },
      });
      const page = await visit({ viewport: { width: 1_200, height: 900 }, javaScriptEnabled: true });
      await page.evaluate(
        `document.documentElement.dir = '${dir}'; document.querySelector('form').noValidate = true`,
      );
      await page.fill('#patient_name', 'Ann Lee');
      await page.click('button');
      await page.waitForSelector('#question_pain-fault');

      const rows = (await page.evaluate(
        `Object.values(Object.groupBy(document.querySelectorAll('fieldset > div:has(> input, > select)'), (one) => one.getBoundingClientRect().top))
        .map((fields) => fields.map((one) => one.querySelector('input, select').getBoundingClientRect().top))`,
      )) as number[][];

      // Treatments take a row, since this clinic has no dentists.
      expect(rows.map(({ length }) => length)).toEqual([2, 2, 1, 2, 2]);
      for (const [first, second = first] of rows) expect(second).toBe(first);
    },
  );

  it('finds it accessible by axe’s rules in both directions, with what is missing, and thanked', {
    tags: ['thorough'],
  }, async () => {
    await site[Symbol.asyncDispose]();
    const pain = { name: 'pain', label: { en: 'Are you in pain?' }, type: 'choice', options: ['No', 'Yes'] };
    site = await startFormSite({
      ...{ preset: 'html-form', token: formToken },
      form: {
        ask: ['treatment', 'email', 'note'],
        show: ['price', 'duration'],
        consent: { link: 'https://www.clinic.example/privacy' },
        questions: [
          { ...pain, required: true },
          { name: 'first', label: { en: 'First visit' }, type: 'tick' },
        ],
      },
    });
    const page = await open({
      javaScriptEnabled: true,
      bypassCSP: true,
      viewport: { width: 360, height: 800 },
    });
    const check = async (what: string) => {
      await page.addScriptTag({ url: axe.url });
      expect.soft(await page.evaluate(findings), what).toEqual([]);
    };
    for (const [place, lang] of ['en', 'ar'].entries()) {
      await page.emulateMedia({ colorScheme: place % 2 === 0 ? 'dark' : 'light' });
      await page.goto(`${formUrl()}?lang=${lang}`);
      await page.evaluate(`document.querySelector('form').noValidate = true`);
      await fill(page);
      await page.fill('#patient_phone', '');
      await page.click('button');
      await page.waitForSelector('#question_pain-fault');
      await check(lang);
    }
    await fill(page);
    await page.selectOption('#question_pain', { index: 1 });
    await page.check('[name=consent]');
    await page.click('button');
    await page.waitForURL(/form_page=thanks/);
    await check('thanked');
  });

  it.each(['light', 'dark'] as const)('reads it in a %s scheme with enough contrast', async (colorScheme) => {
    const page = await visit({ colorScheme, javaScriptEnabled: true });

    const ratios = (await page.evaluate(contrasts)) as [text: string, ratio: number][];

    expect(ratios.length).toBeGreaterThan(10);
    expect(ratios.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
  });
}

/** In the page: what axe finds. */
const findings = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`;

/** In the page: the contrast of each text with the ground behind it (WCAG 2.2). */
const contrasts = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((value) => value / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return channels(colour)[3] === 0 && element.parentElement ? ground(element.parentElement) : colour;
  };
  const seen = document.querySelectorAll('h1, p, legend, label, label span, input, select, button, dt, dd, a');
  return [...seen].map((element) => {
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(ground(element))];
    return [element.textContent.slice(0, 20), (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
  });
})()`;
