import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Booking } from '../../src/domain/bookings/booking.ts';
import type { Http, HttpOptions } from '../../src/http/http.ts';
import { chromiumPath, closed, launchBrowser } from '../support/browser.ts';
import { fakeClock } from '../support/fake-clock.ts';
import {
  doing,
  person,
  sampleAdmin,
  sampleBooking,
  samplePeopleStore,
  startSampleHttp,
} from '../support/http/http-kit.ts';
import { sampleReport } from '../support/http/sample-report.ts';
import { needing } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Each decision can be taken back. */
const undoing = (admin: HttpOptions['admin']): HttpOptions['admin'] =>
  doing(admin, (before, path) => async (request) => ({
    ...(await before(request)),
    ...(path.endsWith('/approve') && { undo: { ref: request.subject, seen: 'after-it-was-done' } }),
  }));

/** Browsers start slowly on a busy machine. */
const patience = 120_000;

describe.skipIf(chromiumPath === undefined)(
  `people${needing('Chromium', chromiumPath)}`,
  { timeout: patience },
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser();
    }, patience);
    afterAll(() => closed(browser));

    const kept = samplePeopleStore();
    const start = async (more: Partial<HttpOptions> = {}): Promise<Http> => {
      const http = await startSampleHttp({
        ...kept,
        ...more,
        people: [person('Rima', 'desk'), person('Vik', 'viewer')],
      });
      onTestFinished(() => http.stop());
      return http;
    };
    /** A browser of one's own, for as long as the test lasts. */
    const openOwn = async (options: BrowserContextOptions = {}) => {
      const context = await browser.newContext(options);
      onTestFinished(() => closed(context));
      return context.newPage();
    };
    let shared: Promise<Page> | undefined;
    /** One window for test after test: a new one costs more than what is done in it. Nobody is signed in. */
    const open = async () => {
      shared ??= browser.newPage();
      const page = await shared;
      await page.context().clearCookies();
      return page;
    };
    const signIn = async (page: Page, url: string, name: string) => {
      await page.goto(`${url}/bookings`);
      await page.fill('input[name=token]', `token-of-${name}-0123456789`);
      await page.click('button:has-text("Sign in")');
    };
    const buttons = (page: Page) => page.locator('main button').allTextContents();

    it('decide about a booking, sign out, and stay signed out after a restart', async () => {
      const http = await start();
      const page = await open();

      await signIn(page, http.url, 'Rima');
      const arrived = new URL(page.url()).pathname;
      const cookies = await page.context().storageState();
      await page.click('a[href="/bookings/CS-7K3Q9F"]');
      await page.click('button:has-text("Look now")');
      const notice = await page.textContent('.notice');
      await page.click('button:has-text("Sign out")');

      const restarted = await start();
      const again = await openOwn({
        storageState: {
          ...cookies,
          cookies: cookies.cookies.map((cookie) => ({ ...cookie, domain: '127.0.0.1' })),
        },
      });
      await again.goto(`${restarted.url}/bookings`);

      expect(arrived).toBe('/bookings');
      expect(notice).toContain('It is done');
      expect(new URL(again.url()).pathname).toBe('/admin/sign-in');
    });

    it('lose nothing that they typed when their session ended before they saved, and are told so', {
      tags: ['thorough'],
    }, async () => {
      const { url } = await start();
      const page = await open();
      await signIn(page, url, 'Rima');
      await page.goto(`${url}/bookings/CS-7K3Q9F`);
      const why = page.locator('input[name=why]');
      const save = page.locator('form:has(input[name=why]) button');

      await why.fill('The patient called and will not come.');
      await page.context().clearCookies();
      await save.click();
      const told = await page.textContent('.notice');
      await page.fill('input[name=token]', 'token-of-Rima-0123456789');
      await page.click('main button');
      const [path, typed] = [new URL(page.url()).pathname, await why.inputValue()];
      await save.click();
      await page.waitForSelector('.notice.is-ok');

      expect(told).toContain('Your session has ended, so nothing was done.');
      expect([path, typed]).toEqual(['/bookings/CS-7K3Q9F', 'The patient called and will not come.']);
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
    });

    it('are told in place what became of a decision that took long, and on the next page if they had left', {
      tags: ['thorough'],
    }, async () => {
      const { url } = await start();
      const page = await open();
      await signIn(page, url, 'Rima');
      const token = await page.locator('input[name=form_token]').first().inputValue();
      const form = { form_token: token, as_of: 'seen', back: '/bookings' };

      await page.request.post(`${url}/admin/bookings/CS-7K3Q9F/approve`, { form, maxRedirects: 0 });
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      const inPlace = await page.textContent('#told');
      await page.goto(`${url}/bookings`);
      const onNextPage = await page.textContent('#told');
      await page.reload();

      expect(inPlace).toContain('It is done');
      expect(onNextPage).toBe(inPlace);
      expect(await page.locator('#told').count()).toBe(0);
    });

    it('choose by keys, are asked once, decide about all of them, and take it back', {
      tags: ['thorough'],
    }, async () => {
      const { admin, asked } = sampleAdmin();
      const page = await open();
      await signIn(page, (await start({ admin: undoing(admin) })).url, 'Rima');

      await page.waitForSelector('tbody tr');
      await page.waitForLoadState();
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.click('button:has-text("Approve and send…")');
      const question = await page.textContent('h1');
      await page.click('main button:has-text("Approve and send: 1")');
      const told = await page.textContent('.notice');
      await page.click('.notice button:has-text("Undo")');

      expect(question).toBe('Approve and send: 1');
      expect(told).toContain('Done: 1.');
      expect(
        asked.map((one) => one.slice(0, one.indexOf('('))),
        asked.join(),
      ).toEqual(['approve', 'undo']);
      expect(asked[0]).toMatch(/"seen":"[\w-]{16}","undoable":true/);
    });

    it('do the same without JavaScript, and search with the slash key with it', {
      tags: ['thorough'],
    }, async () => {
      const { url } = await start();
      const plain = await openOwn({ javaScriptEnabled: false });
      await signIn(plain, url, 'Rima');
      await plain.check('tbody input[type=checkbox]');
      await plain.click('button:has-text("Drop…")');
      await plain.fill('input[name=why]', 'a test');
      await plain.click('main button:has-text("Drop: 1")');
      const page = await open();
      await signIn(page, url, 'Rima');
      await page.waitForSelector('tbody tr');
      await page.waitForLoadState();
      await page.keyboard.press('/');
      await page.keyboard.type('Zerlina');
      await page.keyboard.press('Enter');
      await page.waitForURL(/q=Zerlina/);

      expect(await plain.textContent('.notice')).toContain('Done: 1.');
      expect(await page.locator('tbody tr').count()).toBe(1);
    });

    it('see the list follow what happens, never under a ticked box, and are audited once for it', {
      tags: ['thorough'],
    }, async () => {
      const clock = fakeClock();
      const own = samplePeopleStore();
      const report = sampleReport(clock.now());
      const bookings = [sampleBooking(clock.now())];
      const listed = async (all: readonly Booking[]) =>
        all.map((booking) => ({
          ...{ booking, chosen: { doctor: null, treatment: null }, zone: 'UTC' },
          actions: [{ action: 'drop', needs: [] }],
          visit: null,
        }));
      const listing = { bookings: async () => bookings, bookingsOf: async () => bookings, listed };
      const adminData = { ...listing, clinics: () => [] };
      const http = await startSampleHttp(
        {
          ...own,
          report: async () => ({
            ...report,
            needs_by_kind: { booking: bookings.length },
            needs: bookings.flatMap(({ ref }) =>
              report.needs.slice(0, 1).map((one) => ({ ...one, subject: ref })),
            ),
          }),
          adminData: adminData as unknown as HttpOptions['adminData'],
          people: [person('Rima', 'desk')],
        },
        clock,
      );
      onTestFinished(() => http.stop());
      const page = await open();
      await signIn(page, http.url, 'Rima');
      const streaming = page.waitForRequest((asked) => asked.url().endsWith('/live')).catch(() => undefined);
      await page.goto(`${http.url}/bookings`);
      await streaming;
      const rows = () => page.locator('tbody tr').count();
      const arrives = async (ref: string) => {
        bookings.unshift({ ...sampleBooking(clock.now()), ref });
        await clock.advance(3_000);
        // The counts come before the list, in the same turn.
        await page.waitForSelector(`#part-filters b:text-is("${bookings.length}")`);
      };

      await page.mouse.move(0, 0);
      await arrives('CS-11111A');
      await page.waitForSelector('tbody tr:nth-child(2)');
      await page.check('tbody tr:nth-child(2) input[type=checkbox]');
      await page.mouse.move(0, 0);
      await arrives('CS-22222B');
      const whileTicked = await rows();
      await page.uncheck('tbody tr:nth-child(2) input[type=checkbox]');
      await page.mouse.move(0, 0);
      await arrives('CS-33333C');
      await page.waitForSelector('tbody tr:nth-child(4)');

      expect(whileTicked).toBe(2);
      const reads = own.entries.filter(({ action }) => action === 'patients.read');
      // Signing in led to the list, too.
      expect(reads.map(({ subject }) => subject)).toEqual(['bookings', 'bookings']);
    });

    it('see what happens again half a minute after there was no room for one more open page', {
      tags: ['thorough'],
    }, async () => {
      const { url } = await start();
      const page = await openOwn();
      await page.clock.install();
      let asked = 0;
      await page.route('**/live', (route) => {
        asked += 1;
        return route.fulfill({ status: 503 });
      });
      await signIn(page, url, 'Rima');
      await until('the page has opened its stream', () => asked > 0);
      const before = asked;

      await page.clock.runFor(29_000);
      const tooSoon = asked;
      await page.clock.runFor(2_000);
      await until('it asks again', () => asked > before);

      expect(tooSoon).toBe(before);
    });

    it('see no button that they may not press', { tags: ['thorough'] }, async () => {
      const { url } = await start();
      const [rima, vik] = [await open(), await openOwn()];

      await signIn(rima, url, 'Rima');
      await rima.goto(url);
      await signIn(vik, url, 'Vik');
      await vik.goto(url);

      expect(await buttons(rima)).toEqual([]);
      expect(await rima.locator('main a[href^="/bookings/"]').count()).toBeGreaterThan(0);
      expect(await buttons(vik)).toEqual([]);
      expect(await vik.locator('a[href^="/bookings"]').count()).toBe(0);
    });
  },
);
