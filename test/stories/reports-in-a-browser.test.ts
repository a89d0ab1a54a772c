/** @module-tag thorough */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MonthPack } from '../../src/domain/clinics/month.ts';
import type { LeadsRow } from '../../src/domain/clinics/report-columns.ts';
import { stylesheet } from '../../src/http/pages/parts/stylesheet.ts';
import { reportsPage } from '../../src/http/pages/reports-page.ts';
import { localeOf } from '../../src/platform/text/locale.ts';
import { monthPage } from '../../src/reports/month-page.ts';
import { chromiumPath, closed, launchBrowser } from '../support/browser.ts';
import { needing } from '../support/program.ts';

const patience = 120_000;

/** As long as campaigns may be, with and without a place to break. */
const campaigns = ['implants-autumn-', 'W', 'the spring sale of all ', 'زراعة الأسنان '].map((text) =>
  text.repeat(200).slice(0, 200),
);
const currencies = ['BDT', 'JPY', 'KWD'];

const rowOf = (clinic: string, group: string, currency: string): LeadsRow => ({
  ...{ clinic, group, currency, leads: 1234, booked: 1024, completed: 512, cancelled: 99, no_show: 99 },
  ...{
    to_come: 99,
    unknown: 99,
    open: 99,
    lost: 99,
    value: 1_234_567.5,
    hours_to_booking: 1.5,
    days_to_visit: 16,
  },
  ...{ leads_before: 1234, booked_before: 1024, completed_before: 512, value_before: 1_234_567.5 },
});

const reports = (lang: 'en' | 'ar'): string => {
  const clinics = currencies.map((currency) => ({
    clinic: currency.toLowerCase(),
    name: `Clinic of ${currency}`,
    currency,
  }));
  const page = reportsPage({
    shown: clinics.map(({ clinic, name, currency }) => ({
      ...{ clinic, name, timezone: 'Asia/Dhaka', visits: [], unknownStatuses: [] },
      leads: campaigns.map((campaign) => rowOf(clinic, campaign, currency)),
    })),
    ...{
      clinics,
      clinic: undefined,
      by: 'campaign',
      month: '2026-03',
      months: ['2026-03'],
      here: '/reports',
      next: null,
    },
    viewer: {
      ...{ canSignIn: true, by: 'Vera', role: 'viewer', canSignOut: true, formToken: '', notice: undefined },
      ...{ locale: localeOf(lang), here: '/reports' },
    },
  });
  return page.replace('</head>', `<style>${stylesheet}</style></head>`);
};

const counts = {
  ...{ leads: 999, booked: 999, to_come: 99, completed: 99, cancelled: 99, no_show: 99, unknown: 99 },
  ...{ open: 99, lost: 99, value: 1_234_567.5, currency: 'BDT' },
};

const month: MonthPack = {
  ...{ clinic: 'main', name: 'Bright Dental', timezone: 'Asia/Dhaka', month: '2026-03', known_since: null },
  ...{
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-04-01T00:00:00.000Z',
    taken_at: '2026-04-01T00:00:00.000Z',
  },
  ...{
    head: null,
    notes: [],
    fees: [],
    changes: [],
    visits: [],
    visits_total: 0,
    figures: [],
  },
  leads: campaigns.map((campaign) => ({
    ...{ source: 'website', campaign, ...counts },
  })),
  ...{ leads_total: counts, corrections: [] },
};

/** A page that is wider than the screen, and tables with campaigns that are wider than their place; others are scrolled. */
const overflowing = `[document.documentElement, ...document.querySelectorAll('.scroll:has(bdi), .scroll:has(td.t + td.n + td.n + td.n)')].flatMap((one) =>
  one.scrollWidth > one.clientWidth + 1
    ? [(one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 40) + ': ' + one.scrollWidth + ' in ' + one.clientWidth]
    : [])`;
/** The highest row: a name that gets no room is a column of letters. */
const highest = `Math.max(...[...document.querySelectorAll('tbody tr')].map((one) => one.getBoundingClientRect().height))`;

describe.skipIf(chromiumPath === undefined)(
  `reports in a browser${needing('Chromium', chromiumPath)}`,
  () => {
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      browser = await launchBrowser();
      page = await browser.newPage();
      page.setDefaultTimeout(patience);
    }, patience);
    afterAll(() => closed(browser), patience);

    const cases = [
      ['the page of reports', 375, reports('en'), 800],
      ['the page of reports', 1280, reports('en'), 800],
      ['the page of reports in Arabic', 375, reports('ar'), 800],
      ['the page of reports in Arabic', 1280, reports('ar'), 800],
      ['the month to print', 375, monthPage([month], undefined, localeOf('en')), 800],
      ['the month to print', 1280, monthPage([month], undefined, localeOf('en')), 800],
    ] as const;
    it.each(cases)(
      'keep every column in sight beside campaigns of 200 characters: %s, %i pixels wide',
      async (_page, width, content, height) => {
        await page.setViewportSize({ width, height: 900 });
        await page.setContent(content);

        expect(await page.evaluate(overflowing)).toEqual([]);
        expect(await page.evaluate(highest)).toBeLessThan(height);
      },
      patience,
    );
  },
);
