import { expect, it } from 'vitest';
import { DAY } from '../../../src/platform/duration.ts';
import {
  closedMirror,
  hiddenIn,
  htmlOf,
  lead,
  mirror,
  submissionOf,
  visit,
} from '../../../test/support/forms/form-visit.ts';
import { catalogue, shippedLanguages } from './pages/languages.ts';

const contact = { patient_name: lead.patient_name, patient_phone: lead.patient_phone };
const closedVisit = (settings: Record<string, unknown> = {}, mirror = closedMirror()) =>
  visit(settings, undefined, mirror);

it.each(shippedLanguages)(
  'says in %s that no day can be chosen, and gives the number to call',
  async (lang) => {
    const { load } = await closedVisit();

    const page = await load('form', `lang=${lang}`);

    const { no_day, no_day_call, intro } = catalogue[lang];
    expect(page).toContain(`<p>${no_day.replaceAll("'", '&#39;')}</p>`);
    expect(page).toContain(
      `<p>${no_day_call.replaceAll("'", '&#39;')} <strong><a href="tel:+880255001234" target="_top"><bdi dir="ltr">+880 2-5500-1234</bdi></a></strong></p>`,
    );
    expect(page).not.toContain(intro.replaceAll("'", '&#39;'));
    expect(page).not.toMatch(/appointment_date|appointment_time|type="date"/);
  },
);

it('asks for the visitor’s number alone where the clinic’s is not known', async () => {
  const { load } = await closedVisit({}, closedMirror({ contact_phone: null }));

  const page = await load();

  expect(page).toContain(catalogue.en.no_day);
  expect(page).not.toContain('href="tel:');
  expect(page).toContain('id="patient_phone"');
});

it('takes the request to be called, without a day', async () => {
  const { book } = await closedVisit();

  const { result } = await book({ ...contact, treatment_id: '3' });

  expect({ ...submissionOf(result).fields }).toEqual({ ...contact, treatment_id: '3' });
});

it('says so, too, where the few days that may be chosen are all closed ones', async () => {
  const [friday, saturday] = Array.from({ length: 2 }, () => ({ open: '', close: '', is_closed: true }));
  const weekend = closedMirror({ opening_hours: JSON.stringify({ friday, saturday }) });
  const { load, clock } = await closedVisit({ form: { days_ahead: 1 } }, weekend);
  clock.jump(Date.UTC(2026, 2, 6, 1) - clock.now());

  const onFriday = await load();
  clock.jump(DAY);

  expect(onFriday).toContain(catalogue.en.no_day);
  expect(await load()).toContain('<option value="2026-03-08">');
});

it('keeps the day of a form that was opened before the clinic closed, and does not ask for another', async () => {
  const { intake, clock, send } = await closedVisit();
  const open = await intake.page(
    {
      method: 'GET',
      path: 'form',
      query: new URLSearchParams(),
      headers: {},
      body: Buffer.alloc(0),
      remoteAddress: '',
    },
    mirror,
  );
  await clock.advance(10_000);

  const result = await send({ ...hiddenIn(open?.html ?? ''), ...lead });

  expect({ ...submissionOf(result).fields }).toEqual(lead);
});

it('carries the day of the clinic’s own form along when it is shown again', async () => {
  const { clock, send } = await closedVisit();

  const again = htmlOf(await send(lead));
  await clock.advance(10_000);
  const result = await send({ ...hiddenIn(again), ...contact });

  expect(again).not.toContain('type="date"');
  expect({ ...submissionOf(result).fields }).toEqual(lead);
});
