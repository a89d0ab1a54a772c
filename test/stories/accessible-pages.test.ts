/** @module-tag thorough */
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Booking, noClinic } from '../../src/domain/bookings/booking.ts';
import type { ActionName } from '../../src/domain/bookings/booking-actions.ts';
import type { StatusReport } from '../../src/domain/status/report.ts';
import type { Http, HttpOptions } from '../../src/http/http.ts';
import type { InsightStore } from '../../src/http/routes/insight.ts';
import { type Axe, startAxe } from '../support/axe.ts';
import { chromiumPath, closed, launchBrowser } from '../support/browser.ts';
import { fakeClock } from '../support/fake-clock.ts';
import {
  adminToken,
  noChoices,
  noVisits,
  sampleBooking,
  sampleEvents,
  sampleListed,
  startSampleHttp,
} from '../support/http/http-kit.ts';
import { sampleFigures } from '../support/http/sample-insight.ts';
import { sampleFleet, sampleReport } from '../support/http/sample-report.ts';
import { needing } from '../support/program.ts';

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;
const patience = 120_000;

const pages = [
  '/',
  '/clinics/main',
  '/clinics/main/treatments',
  '/clinics/main/treatments/7',
  '/clinics/main/organization',
  '/clinics/main/appointments',
  '/connectors/crm',
  '/change-log',
  '/reports',
  '/reports?by=weekday&clinic=main',
  '/fees',
  '/fees?on=2026-02-10',
  '/fees/main/treatment/7',
  '/incidents',
  '/bookings',
  '/bookings?state=needs_you&q=Zerlina',
  '/bookings?visit_from=today&visit_to=today',
  '/bookings/new',
  '/bookings/CS-7K3Q9F',
  '/bookings/CS-HELD01',
  '/bookings/CS-N0NE01',
  '/bookings/CS-7K3Q9F/receipt',
  '/links/one-of-a-message',
  '/sessions',
  '/audit',
  '/nowhere',
];
/** In the page: by how many pixels one has to scroll sideways. */
const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/** In the page: what axe finds, and whether one has to scroll sideways. */
const findings = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => {
  const wide = ${excess};
  const found = violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | '));
  return wide > 0 ? [...found, wide + ' px too wide'] : found;
})`;

/** In the page: parts that have to be scrolled sideways within it. */
const scrolled = `[...document.querySelectorAll('main *')]
  .filter((part) => part.scrollWidth > part.clientWidth && getComputedStyle(part).overflowX === 'auto')
  .map(({ className }) => className)`;

const NOW = fakeClock().now();

const widths = [390, 700, 810, 900];
const looks = [
  { width: 1280, colorScheme: 'light', locale: 'en' },
  { width: 390, colorScheme: 'dark', locale: 'ar' },
  { width: 390, colorScheme: 'light', locale: 'de' },
] as const;
type Look = Omit<(typeof looks)[number], 'width'> & { width: number };

const none = async () => [];
const down = () => Promise.reject(new Error('the database is locked'));
const full = (): StatusReport => ({ ...sampleReport(NOW), fleet: sampleFleet(NOW) });
const everyWay = (way: () => Promise<unknown>) =>
  new Proxy({}, { get: () => new Proxy({}, { get: () => way }) }) as InsightStore;
const linked: HttpOptions['oneTaps'] = {
  look: async () => ({
    ...{ ref: 'CS-7K3Q9F', action: 'booked', target: 'phone', until: NOW, seen: '' },
    ...{ booking: sampleBooking(NOW), sentence: 'Its outcome is not known.', includePatient: true },
  }),
  act: down,
};

/** What there is to show. */
const states: Record<string, () => Partial<HttpOptions>> = {
  full: () => ({ report: async () => full(), oneTaps: linked, adminData: fullData }),
  empty: () => ({
    report: async () => ({
      ...full(),
      ...{ health: 'ok', reasons: [], sentence: 'All good', needs: [], needs_total: 0, needs_by_kind: {} },
      ...{ connectors: [], bookings: [], changes: [] },
    }),
    store: everyWay(none),
    figures: {
      ...sampleFigures,
      ...{ leads: none, openVisits: none, unknownStatuses: none, feePeriodsOf: none },
    },
    adminData: { ...sampleData, ...{ bookings: none, bookingsOf: none, search: none, listed: none } },
  }),
  'in trouble': () => ({
    report: async () => ({
      ...full(),
      health: 'stale',
      database: { ok: false, problem: 'The disk is full.', bytes: null },
    }),
    store: everyWay(down),
    adminData: { ...sampleData, ...{ bookings: down, bookingsOf: down, search: down, figures: down } },
  }),
};

const sampleData: HttpOptions['adminData'] = {
  booking: async () => undefined,
  ...noVisits,
  ...{ bookings: none, search: none, bookingsOf: none, figures: none, listed: sampleListed },
};

const wrong = { state: 'held', patient_phone: null, appointment_date: 'next Friday' } as const;
const near = [{ id: 7, name: 'Dr. Aoife O’Neil' }];
const named = { all: [...near, { id: 8, name: 'Dr. Søren Kjærgaard' }], near };
/** A booking of each form: one to settle, one to correct, one that names no clinic; and a day's visits. */
const fullData: HttpOptions['adminData'] = {
  ...sampleData,
  clinics: () => ['main', 'south'],
  choices: async () => ({ doctor: named, treatment: named }),
  bookings: async () => [sampleBooking(NOW)],
  search: async () => [sampleBooking(NOW)],
  bookingsOf: async () => [sampleBooking(NOW)],
  visits: async () =>
    (await sampleListed([sampleBooking(NOW)])).map((row) => ({ ...row, standing: 'moved' })),
  async booking(ref) {
    const kinds: Record<string, [more: Partial<Booking>, actions: readonly ActionName[]]> = {
      'CS-7K3Q9F': [{}, ['reconcile', 'booked', 'booked_no_id', 'send_again', 'drop']],
      'CS-HELD01': [{ ...wrong, reason: 'mapping' }, ['take', 'approve', 'edit', 'drop']],
      'CS-N0NE01': [{ ...wrong, reason: 'missing_field', clinic: noClinic }, ['edit', 'drop']],
    };
    const [more, actions] = kinds[ref] ?? [];
    if (more === undefined || actions === undefined) return undefined;
    const booking = sampleBooking(NOW, { ref, ...more });
    return {
      ...{ booking, sentence: 'It waits for you.', events: sampleEvents(NOW), ...noChoices },
      actions: actions.map((action) => ({ action, needs: action === 'send_again' ? ['confirm'] : [] })),
      choices: { doctor: named, treatment: named },
      chosen: { doctor: null, treatment: null },
      resembles: { ...sampleBooking(NOW), chosen: { doctor: null, treatment: null } },
      versions: [],
    };
  },
};

/** Kilobytes of a page itself, and what else it asks for. */
const MOST_KB = 100;
const MOST_REQUESTS = 5;
const sizeOf = async (response: Response): Promise<number> =>
  response.url().endsWith('/live')
    ? 0
    : response.body().then(
        (body) => body.length,
        () => 0,
      );

describe.skipIf(chromiumPath === undefined)(
  `every page${needing('Chromium', chromiumPath)}`,
  { timeout: patience },
  () => {
    let browser: Browser;
    let axe: Axe;
    beforeAll(async () => {
      [browser, axe] = await Promise.all([launchBrowser(), startAxe()]);
    }, patience);
    afterAll(async () => {
      await closed(browser);
      await axe?.[Symbol.asyncDispose]();
    });

    const open = async (http: Http, { width, colorScheme, locale }: Look) => {
      const viewport = { width, height: 900 };
      const context = await browser.newContext({ viewport, colorScheme, locale, bypassCSP: true });
      onTestFinished(() => closed(context));
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      const check = async (name: string) => {
        await page.addScriptTag({ url: axe.url });
        expect.soft(await page.evaluate<string[]>(findings), name).toEqual([]);
      };
      await page.goto(`${http.url}/admin/sign-in`);
      return { page, check, errors };
    };
    const signIn = async (page: Page) => {
      await page.fill('input[name=token]', adminToken);
      await page.click('main button');
    };

    const [wide, narrow, german] = looks;
    /** Every page, and the question before something is done to many bookings. */
    const visit = async (
      { page, url, look: { width, colorScheme, locale } }: { page: Page; url: string; look: Look },
      state: string,
      check: (name: string) => Promise<void>,
    ) => {
      const name = (what: string) => `${state} ${width} ${colorScheme} ${locale} ${what}`;
      for (const path of pages) {
        await page.goto(url + path);
        await check(name(path));
      }
      if (state !== 'full') return;
      await page.goto(`${url}/bookings`);
      await page.check('tbody input[type=checkbox]');
      await page.click('form#many button >> nth=1');
      await check(name('many'));
    };

    it.each([
      // Axe reads colours and structure: those of German are those of the wide page and of the one in trouble.
      ...(isLongRun ? looks : [wide, narrow]).map((look) => ({ state: 'full', ...look })),
      { state: 'empty', ...narrow },
      { state: 'in trouble', ...german },
    ])(
      'is accessible by axe’s rules and not wider than the screen: $state, $width $colorScheme $locale',
      async ({ state, ...look }) => {
        const http = await startSampleHttp(states[state]?.());
        onTestFinished(() => http.stop());
        const { page, check, errors } = await open(http, look);

        await check('sign in');
        await signIn(page);
        await visit({ page, url: http.url, look }, state, check);

        expect(errors).toEqual([]);
      },
    );

    it('is light, and not wider than a screen of any width, in German, whose words are long', {
      tags: ['thorough'],
    }, async () => {
      const http = await startSampleHttp(states.full?.());
      onTestFinished(() => http.stop());
      const { page } = await open(http, german);
      await signIn(page);
      // What the page after signing in asks for is not counted with the next one.
      await page.goto('about:blank');
      let asked: Promise<number>[] = [];
      page.on('request', (request) => {
        if (request.isNavigationRequest() && request.redirectedFrom() === null) asked = [];
      });
      page.on('response', (response) => void asked.push(sizeOf(response)));

      await visit({ page, url: http.url, look: german }, 'full', async (name) => {
        const bytes = await Promise.all(asked);
        const kb = bytes.reduce((sum, one) => sum + one, 0) / 1_024;
        expect.soft(bytes.length, name).toBeGreaterThan(0);
        expect.soft(kb, name).toBeLessThan(MOST_KB);
        expect.soft(bytes.length, name).toBeLessThanOrEqual(MOST_REQUESTS);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          expect.soft(await page.evaluate<number>(excess), `${name} at ${width}`).toBe(0);
          if (!name.includes('/reports'))
            expect.soft(await page.evaluate<string[]>(scrolled), `${name} at ${width}`).toEqual([]);
        }
      });
    });
  },
);
