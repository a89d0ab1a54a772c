import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Http } from '../../src/http/http.ts';
import { person, samplePeopleStore, startSampleHttp } from '../support/http/http-kit.ts';
import { findProgram, needing } from '../support/program.ts';

const executablePath = findProgram(
  ...(process.env.CHROMIUM ? [process.env.CHROMIUM] : ['chromium', 'chromium-browser', 'google-chrome']),
);
/** Browsers start slowly on a busy machine. */
const patience = 60_000;

describe.skipIf(executablePath === undefined)(
  `people${needing('Chromium', executablePath)}`,
  { timeout: patience },
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
    }, patience);
    afterAll(() => browser.close());

    const kept = samplePeopleStore();
    const start = async (): Promise<Http> => {
      const http = await startSampleHttp({
        ...kept,
        people: [person('Rima', 'desk'), person('Vik', 'viewer')],
      });
      onTestFinished(() => http.stop());
      return http;
    };
    const open = async (storageState?: Awaited<ReturnType<BrowserContext['storageState']>>) => {
      const context = await browser.newContext({ ...(storageState && { storageState }) });
      onTestFinished(() => context.close());
      return context.newPage();
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
      const again = await open({
        ...cookies,
        cookies: cookies.cookies.map((cookie) => ({ ...cookie, domain: '127.0.0.1' })),
      });
      await again.goto(`${restarted.url}/bookings`);

      expect(arrived).toBe('/bookings');
      expect(notice).toContain('It is done');
      expect(new URL(again.url()).pathname).toBe('/admin/sign-in');
    });

    it('see no button that they may not press', async () => {
      const { url } = await start();
      const [rima, vik] = [await open(), await open()];

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
