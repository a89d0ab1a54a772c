import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Http } from '../../src/http/http.ts';
import { adminToken, startSampleHttp } from '../support/http/http-kit.ts';
import { sampleFleet, sampleReport } from '../support/http/sample-report.ts';
import { findProgram, needing } from '../support/program.ts';

const executablePath = findProgram(
  ...(process.env.CHROMIUM ? [process.env.CHROMIUM] : ['chromium', 'chromium-browser', 'google-chrome']),
);
const patience = 120_000;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const pages = [
  '/',
  '/clinics/main',
  '/clinics/main/treatments',
  '/connectors/crm',
  '/change-log',
  '/reports',
  '/reports?by=weekday&clinic=main',
  '/fees',
  '/fees/main/treatment/7',
  '/incidents',
  '/bookings',
  `/bookings?q=${'w'.repeat(60)}`,
  '/bookings/CS-7K3Q9F',
  '/sessions',
  '/audit',
  '/nowhere',
];
/** In the page: what axe finds, and whether one has to scroll sideways. */
const findings = `axe.run().then(({ violations }) => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const found = violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | '));
  return wide > 0 ? [...found, wide + ' px too wide'] : found;
})`;

const looks = [
  { width: 1280, colorScheme: 'light', locale: 'en' },
  { width: 390, colorScheme: 'dark', locale: 'ar' },
] as const;

describe.skipIf(executablePath === undefined)(
  `every page${needing('Chromium', executablePath)}`,
  { timeout: patience },
  () => {
    let browser: Browser;
    let http: Http;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
      const report = async () => ({ ...sampleReport(Date.now()), fleet: sampleFleet(Date.now()) });
      http = await startSampleHttp({ report });
    }, patience);
    afterAll(() => Promise.all([browser.close(), http.stop()]));

    it.each(looks)(
      'is accessible by axe’s rules and not wider than the screen: $width $colorScheme $locale',
      async ({ width, colorScheme, locale }) => {
        const context = await browser.newContext({
          viewport: { width, height: 900 },
          colorScheme,
          locale,
          bypassCSP: true,
        });
        const page = await context.newPage();
        const errors: string[] = [];
        page.on('pageerror', ({ message }) => errors.push(message));
        await page.goto(`${http.url}/admin/sign-in`);
        await page.addScriptTag({ content: axe });
        const check = () => page.evaluate<string[]>(findings);
        expect.soft(await check(), 'sign in').toEqual([]);
        await page.fill('input[name=token]', adminToken);
        await page.click('main button');

        for (const path of pages) {
          await page.goto(http.url + path);
          await page.addScriptTag({ content: axe });
          expect.soft(await check(), path).toEqual([]);
        }
        expect(errors).toEqual([]);
        await context.close();
      },
    );
  },
);
