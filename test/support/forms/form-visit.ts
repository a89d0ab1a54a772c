import { expect } from 'vitest';
import type { IntakeResult, MirrorView, Row } from '../../../src/connector.ts';
import { formToken, intakeRequest, mirrorOf, openWebForm } from './web-form.ts';

const row = (fields: Record<string, string | number | null>) => ({ removed_at: null, ...fields });
const day = (hours?: [open: string, close: string]) => ({
  open: hours?.[0] ?? '',
  close: hours?.[1] ?? '',
  is_closed: hours === undefined,
});
const tables = {
  treatments: [
    row({ treatment_id: 3, treatment_name: 'Scaling & Polishing', duration_minutes: 20 }),
    row({ treatment_id: 5, treatment_name: 'Check-up', duration_minutes: null }),
    row({ treatment_id: 4, treatment_name: 'Gone', removed_at: '2026-01-01T00:00:00.000Z' }),
  ],
  dentists: [row({ doctor_id: 7, doctor_name: 'Dr. Aoife O’Neil', specialization: 'Orthodontist' })],
  website: [
    row({
      clinic_name: 'Lakeside',
      contact_phone: '+880 2-5500-1234',
      theme_primary: '#ffcc00',
      opening_hours: JSON.stringify({
        monday: day(['09:00', '17:00']),
        tuesday: day(['09:00', '17:00']),
        friday: day(),
      }),
    }),
  ],
};
export const mirror = mirrorOf(tables);

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** The same clinic, closed all week. */
export const closedMirror = (website: Row = {}): MirrorView => {
  const opening_hours = JSON.stringify(Object.fromEntries(weekdays.map((name) => [name, day()])));
  return mirrorOf({ ...tables, website: [{ ...tables.website[0], opening_hours, ...website }] });
};
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
  seen: MirrorView = mirror,
) {
  const opened = await openWebForm(
    { preset: 'html-form', token: formToken, ...settings },
    clinics ? { clinics } : {},
  );
  const { intake, clock } = opened;
  const load = async (path = 'form', query = '', headers = {}) =>
    (
      await intake.page(
        intakeRequest('', headers, { method: 'GET', path, query: new URLSearchParams(query) }),
        seen,
      )
    )?.html ?? '';
  type Headers = Record<string, string | undefined>;
  const send = (fields: Record<string, string>, headers: Headers = {}, publicHost?: string) => {
    const more = publicHost === undefined ? {} : { publicHost };
    const body = new URLSearchParams(fields).toString();
    return intake.receive(intakeRequest(body, { ...browser, ...headers }, more), seen);
  };
  /** Opens the form, takes the time a person needs, and sends it. */
  const book = async (fields: Record<string, string> = lead, typingMs = 10_000) => {
    const hidden = hiddenIn(await load());
    await clock.advance(typingMs);
    return { hidden, result: await send({ ...hidden, ...fields }) };
  };
  /** Sends what was typed, and once more what is shown again. */
  const insist = async (fields: Record<string, string>, headers: Headers = {}, publicHost?: string) => {
    const page = htmlOf(await send(fields, headers, publicHost));
    await clock.advance(10_000);
    return { page, result: await send({ ...fields, ...hiddenIn(page), _gotcha: '' }, headers, publicHost) };
  };
  return { ...opened, load, send, book, insist };
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
