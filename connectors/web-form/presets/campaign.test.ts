import { globSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { expect, it } from 'vitest';
import type { Submission } from '../../../src/domain/bookings/booking.ts';
import { readCampaign } from '../../../src/domain/campaign.ts';
import {
  become,
  contentTypeOf,
  fixture,
  formToken,
  intakeRequest,
  openWebForm,
} from '../../../test/support/forms/web-form.ts';
import { type PresetName, presetNames } from './presets.ts';

const files = new Map(
  globSync('connectors/web-form/fixtures/campaign/*').map((file) => [
    basename(file, extname(file)),
    `campaign/${basename(file)}`,
  ]),
);

async function submissionOf(preset: PresetName): Promise<Submission> {
  const file = files.get(preset) ?? 'none';
  const contentType = contentTypeOf(file, fixture(file));
  if (preset !== 'html-form') return become(preset, fixture(file), { contentType });
  const { intake } = await openWebForm({ preset, token: formToken });
  const result = await intake.sample(intakeRequest(fixture(file), { 'content-type': contentType }));
  expect.assert(result.kind === 'submission', 'the sample is a submission');
  return result.submission;
}

const read = ({ campaign = {}, fields }: Submission) =>
  readCampaign(campaign, {
    patient_name: String(fields.patient_name ?? ''),
    patient_phone: String(fields.patient_phone ?? ''),
  });

const utm = {
  utm_source: 'google',
  utm_medium: 'cpc',
  campaign: 'spring & sun',
  utm_term: 'dental implants',
  utm_content: 'ad 3',
  channel: 'google / cpc',
};
const address = 'https://www.clinic.example/implants/';
const click = {
  click_id: 'Cj0KCQiA-5a9BhCBARIsACwMkJ4',
  click_id_kind: 'gclid',
  landing_page: `${address}?utm_source=google&gclid=Cj0KCQiA-5a9BhCBARIsACwMkJ4`,
  referrer: 'https://www.google.com/search',
};
/** What a tool does not send, whatever its form has. */
const missing: Partial<Record<PresetName, object>> = {
  elementor: { referrer: null },
  calendly: { click_id: null, click_id_kind: null, landing_page: null, referrer: null },
};

it.each(presetNames)(
  'takes from %s all of the campaign that the tool sends, and nothing of the patient',
  async (preset) => {
    const submission = await submissionOf(preset);

    expect(read(submission)).toEqual({ ...utm, ...click, ...missing[preset] });
  },
);

it('keeps every part of the campaign that a tool’s request has: 1.0 of what was sent, for each preset', async () => {
  const wanted = { ...utm, ...click };
  /** Each of these words is the campaign's alone; a tool writes them into its own fields, or into an address. */
  const marks = Object.entries({
    utm_source: 'google',
    campaign: 'spring',
    utm_term: 'implants',
    click_id: 'Cj0KCQ',
  });
  const figures = [];
  for (const preset of presetNames) {
    const request = decodeURIComponent(
      fixture(files.get(preset) ?? 'none')
        .toString()
        .replaceAll('+', ' '),
    );
    const kept = read(await submissionOf(preset)) as unknown as Record<string, string | null>;
    const sent = marks.filter(([, mark]) => request.includes(mark));
    const found = sent.filter(([name]) => kept[name] === wanted[name as keyof typeof wanted]);
    figures.push({
      preset,
      sent: sent.length,
      kept: found.length,
      'kept ÷ sent': found.length / sent.length,
    });
  }
  console.table(figures);

  expect(figures.map((one) => one['kept ÷ sent'])).toEqual(presetNames.map(() => 1));
  expect(Math.min(...figures.map(({ sent }) => sent))).toBeGreaterThanOrEqual(3);
});

it('takes a campaign from the text that Contact Form 7 sends where its template is not JSON', async () => {
  const body = 'Name: Ann Lee\nPhone: 01712-345678\nutm_source: google\nutm_campaign: spring\nMessage: Hello';

  const submission = await become('contact-form-7', body, { contentType: 'text/plain' });

  expect(read(submission)).toMatchObject({ utm_source: 'google', campaign: 'spring' });
  expect(submission.fields.note).toBe('Hello');
  expect(submission.problems).toBeUndefined();
});

it('takes a campaign from where `fields:` says it is', async () => {
  const submission = await become(
    'gravity-forms',
    JSON.stringify({ 2: '01712-345678', 11: 'bing', 12: 'x' }),
    {
      fields: { patient_phone: '{{2}}', utm_source: '{{11}}', utm_campaign: 'implants' },
    },
  );

  expect(read(submission)).toMatchObject({ utm_source: 'bing', campaign: 'implants' });
});

it('is never held for its campaign', async () => {
  const submission = await become(
    'native',
    JSON.stringify({
      patient_name: 'Ann Lee',
      patient_phone: '01712-345678',
      utm_source: ['a', { b: true }],
      utm_campaign: `\uFFFD\u0000${'x'.repeat(10_000)}`,
      gclid: '=HYPERLINK("x")',
      landing_page: 'javascript:alert(1)',
    }),
  );

  expect(submission.problems).toBeUndefined();
  expect(read(submission)).toMatchObject({ click_id: null, landing_page: null });
  expect(read(submission).campaign).toHaveLength(200);
});
