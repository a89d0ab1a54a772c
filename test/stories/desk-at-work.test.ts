/** @module-tag thorough */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daysAfter } from '../../src/domain/date-time.ts';
import { chromiumPath, closed, launchBrowser } from '../support/browser.ts';
import { type Story, startStory } from '../support/daemon/clinic-story.ts';
import type { Lead } from '../support/daemon/leads.ts';
import { clean, judge } from '../support/daemon/story-judge.ts';
import { hastyClock } from '../support/hasty-clock.ts';
import { needing } from '../support/program.ts';
import { until } from '../support/until.ts';

/** A click that sends all of them is answered when that is done. */
const patience = 480_000;
/** More than one page of the list; the long run has four pages. */
const WAITING = Number(process.env.VERIFY_RUNS ?? 1) > 1 ? 185 : 60;
/** What a source may send in an hour. */
const LIMIT = 5;

const TOKEN = 'token-of-the-landing-page';

/** What a person does on a page, counted. */
function hands(page: Page) {
  const did = { clicks: 0, keys: 0 };
  return {
    did,
    async click(selector: string) {
      did.clicks += 1;
      await page.click(selector).catch(async (error: Error) => {
        throw new Error(`${error.message}\nThe page says:\n${await page.innerText('main')}`);
      });
    },
    async press(...keys: string[]) {
      did.keys += keys.length;
      for (const key of keys) await page.keyboard.press(key);
    },
  };
}

describe.skipIf(chromiumPath === undefined)(
  `the desk${needing('Chromium', chromiumPath)}`,
  { timeout: patience },
  () => {
    let browser: Browser;
    let story: Story;
    let page: Page;
    beforeAll(async () => {
      browser = await launchBrowser();
      story = await startStory({
        name: 'desk',
        // What can be undone is sent ten seconds later; everything else may take its time.
        here: { clock: hastyClock(5) },
        clinic: { bookings: { max_per_source_per_hour: LIMIT }, schedule: {} },
        connectors: { landing: { use: 'web-form', token: TOKEN } },
      });
      await story.start();
      page = await browser.newPage({ locale: 'en' });
      page.setDefaultTimeout(patience / 2);
      await page.goto(`${story.daemon.url}/admin/sign-in`);
      await page.fill('input[name=token]', story.adminToken);
      await page.click('main button');
    }, patience);
    afterAll(() => Promise.all([closed(browser), story[Symbol.asyncDispose]()]), patience);

    /** One from the landing page, which is below its limit. */
    const submit = async (more: Partial<Lead> = {}) => {
      const { ok, ref } = (
        await story.ask('/in/landing', {
          method: 'POST',
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
          body: JSON.stringify(story.lead(more)),
        })
      ).body;
      expect.assert(ok && ref);
      return ref;
    };
    /** Their names, in the order in which the clinic took them. */
    const booked = () => story.sandbox.control.ledger().map(({ body }) => body.patient_name);

    it(`approves ${WAITING} leads over the limit with four clicks from the overview; the clinic books each once`, async () => {
      const leads = Array.from({ length: WAITING + LIMIT }, () => story.lead());
      for (const lead of leads) expect(await story.submit(lead)).toMatchObject({ status: 200 });
      await until('those within the limit are booked', async () => booked().length === LIMIT);
      const { click, did } = hands(page);
      await page.goto(story.daemon.url);

      await click('a[href="/bookings?state=needs_you"]');
      await click('input[name=all]');
      await click('button:has-text("Approve and send…")');
      await click(`main button:has-text("Approve and send: ${WAITING}")`);
      // The result of anything longer than eight seconds (on a fast clock) is shown on the next page.
      const told = await until(
        'the page says what was done',
        async () => {
          const said = (await page.locator('.notice').allTextContents()).join(' ');
          if (!said.includes('Done: ')) await page.reload();
          return said.includes('Done: ') && said;
        },
        { withinMs: 100_000, found: () => page.innerText('main') },
      );
      await until('all are booked', async () => booked().length >= leads.length, { withinMs: 100_000 });

      expect(told).toContain(`Done: ${WAITING}.`);
      expect(did).toEqual({ clicks: 4, keys: 0 });
      expect(booked().toSorted()).toEqual(leads.map(({ patient_name }) => patient_name).toSorted());
      expect(await judge(story, { atRest: false })).toEqual(clean);
    });

    it('corrects a wrong dentist and sends with two clicks from the overview', async () => {
      const [dentist] = story.sandbox.control.dentists();
      expect.assert(dentist);
      const ref = await submit({ doctor: dentist.doctor_name.replace(/h/, '') });
      await story.untilBooking(ref, 'held');
      const { click, did } = hands(page);
      await page.goto(story.daemon.url);

      await click(`a.button[href="/bookings/${ref}"]`);
      await click(`.mean button:has-text("${dentist.doctor_name}")`);
      const booking = await story.untilBooking(ref, 'booked');

      expect(did).toEqual({ clicks: 2, keys: 0 });
      expect(booking.doctor_id).toBe(dentist.doctor_id);
    });

    it('books the day that was typed, by the one button that sends, without JavaScript', async () => {
      const { ref } = (await story.submit(story.lead()))?.body ?? {};
      expect.assert(ref);
      await story.untilBooking(ref, 'held');
      const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' });
      await context.addCookies(await page.context().cookies());
      const plain = await context.newPage();
      await plain.goto(`${story.daemon.url}/bookings/${ref}`);
      const shown = await plain.inputValue('input[name=appointment_date]');
      const typed = daysAfter(shown, 1);

      await plain.fill('input[name=appointment_date]', typed);
      await plain.click('.ways button:has-text("Approve and send")');
      await closed(context);
      const booking = await story.untilBooking(ref, 'booked');

      expect(booking.appointment_date).toBe(typed);
      expect(story.sandbox.control.ledger().at(-1)?.body.appointment_date).toBe(typed);
      expect(await judge(story, { atRest: false })).toEqual(clean);
    });

    it('settles a booking of unknown outcome with three clicks and its number', async () => {
      story.sandbox.control.script({ match: { endpoint: 'book' }, fault: 'reset_after_commit' });
      const ref = await submit();
      await story.untilBooking(ref, 'unknown');
      const number = String(story.sandbox.control.ledger().at(-1)?.appointment_id);
      const { click, press, did } = hands(page);
      await page.goto(story.daemon.url);

      await click(`a.button[href="/bookings/${ref}"]`);
      await click('input[name=appointment_id]');
      await press(...number);
      await click('button:text-is("It is there")');
      const booking = await story.untilBooking(ref, 'booked');

      expect(did).toEqual({ clicks: 3, keys: number.length });
      expect(booking.appointment_id).toBe(Number(number));
      expect(await judge(story, { atRest: false })).toEqual(clean);
    });

    it('finds a patient by the end of a phone number', async () => {
      const lead = story.lead({ patient_phone: '01799887766', patient_name: 'Zarin Tasnim' });
      await submit(lead);
      const { press, did } = hands(page);
      await page.goto(`${story.daemon.url}/bookings`);

      await press('/', ...'887766', 'Enter');
      await page.waitForURL(/q=887766/);

      expect(await page.locator('tbody tr').count()).toBe(1);
      expect(await page.textContent('tbody')).toContain('Zarin Tasnim');
      expect(did).toEqual({ clicks: 0, keys: 8 });
    });
  },
);
