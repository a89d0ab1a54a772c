import { expect, it } from 'vitest';
import { hiddenIn, lead, mirror, visit } from '../../../test/support/forms/form-visit.ts';
import { intakeRequest } from '../../../test/support/forms/web-form.ts';

/** Sends the form and asks for what its thank-you page links to. */
async function thanked(
  fields: Record<string, string> = lead,
  language = 'en',
  settings: Record<string, unknown> = {},
) {
  const { intake, load, send, clock } = await visit(settings);
  const hidden = hiddenIn(await load('form', `lang=${language}`));
  await clock.advance(10_000);
  const result = await send({ ...hidden, ...fields });
  const address = result.kind === 'submission' ? (result.thanks ?? '').replace('{ref}', 'CS-7K3Q9F') : '';
  const page = await load('form', address.split('?')[1]);
  const link = /href="(\?form_page=calendar\.ics&[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
  const file = async (query = link?.split('?')[1]) => {
    const request = intakeRequest('', {}, { method: 'GET', path: 'form', query: new URLSearchParams(query) });
    return intake.page(request, mirror);
  };
  return { address, page, link, file };
}

it('shows the visitor the day and time asked for, with a calendar entry of them, at the clinic’s own time, not confirmed', async () => {
  const { file, page } = await thanked();

  const { type, html: text = '' } = (await file()) ?? {};

  expect(page).toContain('<strong><bdi>Tuesday, March 10</bdi> · <bdi>10:30</bdi></strong>');
  expect(page).toContain('>Add to your calendar</a>');
  expect(type).toBe('text/calendar');
  // 10:30 in Dhaka.
  expect(text).toContain('\r\nDTSTART:20260310T043000Z\r\nSTATUS:TENTATIVE\r\n');
  expect(text).toContain('\r\nUID:CS-7K3Q9F@clinic-sync\r\n');
  expect(text).toContain('\r\nSUMMARY:Requested appointment: Lakeside Dental\r\n');
});

it.each([
  ['by its number', { treatment_id: '3' }],
  ['by its name, from a form of the clinic’s own', { treatment: 'scaling & polishing' }],
])('lasts as long as the chosen treatment: %s', async (_, treatment) => {
  const { file } = await thanked({ ...lead, ...treatment });

  const { html: text } = (await file()) ?? {};

  expect(text).toContain('\r\nDTSTART:20260310T043000Z\r\nDTEND:20260310T045000Z\r\n');
});

it.each([
  ['no treatment was chosen', {}],
  ['the clinic does not say how long it takes', { treatment_id: '5' }],
])('has no end where %s, rather than an invented one', async (_, treatment) => {
  const { file } = await thanked({ ...lead, ...treatment });

  expect((await file())?.html).not.toContain('DTEND');
});

it('folds and escapes it as calendars want it, in the language of the form', async () => {
  const { file } = await thanked(lead, 'bn');

  const { html: text = '' } = (await file()) ?? {};

  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(text.replaceAll('\r\n ', '')).toContain('ক্লিনিক আপনার সঙ্গে যোগাযোগ করবে।');
});

it('reveals nothing of the visit in its address, and rejects a forged address', async () => {
  const { address, link = '', file } = await thanked();

  const changed = link.split('?')[1]?.replace(/visit=(..)/, 'visit=AA');

  expect(`${address} ${link}`).not.toMatch(/2026|10:?30|Ann|01712/);
  expect(await file(changed)).toBeUndefined();
  expect(await file('form_page=calendar.ics&visit=')).toBeUndefined();
});

it('has the clinic’s logo above the thanks, as above the form', async () => {
  const logo = 'https://www.clinic.example/logo.svg';

  const { page } = await thanked(lead, 'en', { form: { look: { logo } } });

  expect(page).toContain(`<img class="logo" src="${logo}" alt="Lakeside Dental">`);
});

it('offers no entry without a readable day and time', async () => {
  expect((await thanked({ ...lead, appointment_date: 'soon' })).link).toBeUndefined();
});
