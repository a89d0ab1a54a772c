import { expect } from 'vitest';
import type { IntakeResult } from '../../../src/connector.ts';
import { formToken, intakeRequest, mirrorOf, openWebForm } from './web-form.ts';

const row = (fields: Record<string, string | number | null>) => ({ removed_at: null, ...fields });
export const mirror = mirrorOf({
  treatments: [
    row({ treatment_id: 3, treatment_name: 'Scaling & Polishing' }),
    row({ treatment_id: 4, treatment_name: 'Gone', removed_at: '2026-01-01T00:00:00.000Z' }),
  ],
  dentists: [row({ doctor_id: 7, doctor_name: 'Dr. Aoife O’Neil', specialization: 'Orthodontist' })],
  website: [
    row({
      clinic_name: 'Lakeside',
      contact_phone: '+880 2-5500-1234',
      theme_primary: '#ffcc00',
      opening_hours: JSON.stringify({
        monday: { open: '09:00', close: '17:00', is_closed: false },
        tuesday: { open: '09:00', close: '17:00', is_closed: false },
        friday: { open: '', close: '', is_closed: true },
      }),
    }),
  ],
});
export const browser = {
  'content-type': 'application/x-www-form-urlencoded',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  host: 'sync.example',
  origin: 'https://sync.example',
};
export const lead = {
  patient_name: 'Ann Lee',
  patient_phone: '01712-345678',
  appointment_date: '2026-03-10',
  appointment_time: '10:30',
};

/** A visitor of the form at `/in/website`, without HTTP in between. */
export async function visit(
  settings: Record<string, unknown> = {},
  clinics?: { clinic: string; timezone: string }[],
) {
  const opened = await openWebForm(
    { preset: 'html-form', token: formToken, ...settings },
    clinics ? { clinics } : {},
  );
  const { intake, clock } = opened;
  const load = async (path = 'form', query = '') =>
    (
      await intake.page(
        intakeRequest('', {}, { method: 'GET', path, query: new URLSearchParams(query) }),
        mirror,
      )
    )?.html ?? '';
  const send = (fields: Record<string, string>, headers: Record<string, string | undefined> = {}) =>
    intake.receive(intakeRequest(new URLSearchParams(fields).toString(), { ...browser, ...headers }), mirror);
  /** Opens the form, takes the time a person needs, and sends it. */
  const book = async (fields: Record<string, string> = lead, typingMs = 10_000) => {
    const hidden = hiddenIn(await load());
    await clock.advance(typingMs);
    return { hidden, result: await send({ ...hidden, ...fields }) };
  };
  return { ...opened, load, send, book };
}

export const hiddenIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
export const submissionOf = (result: IntakeResult) => {
  expect.assert(result.kind === 'submission', JSON.stringify(result));
  return result.submission;
};
export const htmlOf = (result: IntakeResult) => {
  expect.assert(result.kind === 'page', JSON.stringify(result));
  return result.html;
};
