import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import {
  adminToken,
  doing,
  noChoices,
  noVisits,
  sampleAdmin,
  sampleBooking,
  sampleListed,
  startSampleHttp,
} from '../../../test/support/http/http-kit.ts';
import { noClinic } from '../../domain/bookings/booking.ts';
import { Failure } from '../../platform/failure.ts';
import type { HttpOptions } from '../http.ts';

const clock = fakeClock();
const NOW = clock.now();
const unnamed = { doctor: null, treatment: null };

const found = (booking = sampleBooking(NOW), actions: readonly ('edit' | 'reconcile' | 'booked')[] = []) => ({
  ...{
    booking,
    sentence: 'It waits.',
    events: [],
    chosen: unnamed,
    resembles: null,
    versions: [],
    ...noChoices,
  },
  actions: actions.map((action) => ({ action, needs: [] })),
});

/** A person in a browser without JavaScript. */
async function start(more: Partial<HttpOptions['adminData']> = {}, refuses = true) {
  const refuse = async () => {
    throw new Failure({ kind: 'refused', message: 'Not so' });
  };
  const { admin } = sampleAdmin();
  const adminData: HttpOptions['adminData'] = {
    ...noVisits,
    booking: async () => found(sampleBooking(NOW), ['reconcile', 'booked']),
    bookings: async () => [],
    bookingsOf: async () => [sampleBooking(NOW)],
    search: async () => [],
    figures: async () => [],
    listed: sampleListed,
    ...more,
  };
  const http = await startSampleHttp(
    { adminData, admin: refuses ? doing(admin, () => refuse) : admin },
    clock,
  );
  onTestFinished(() => http.stop());
  const ask = (path: string, cookie: string, body?: Record<string, string>) =>
    fetch(`${http.url}${path}`, {
      redirect: 'manual',
      headers: { accept: 'text/html', origin: http.url, cookie },
      ...(body && { method: 'POST', body: new URLSearchParams(body) }),
    });
  const signed = await ask('/admin/sign-in', '', { token: adminToken, name: 'Ruma' });
  const cookie = signed.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = async (path: string) => (await ask(path, cookie)).text();
  const hidden = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, ...pair]) => pair),
    );
  /** Fills in what the page has, sends it, and follows. */
  const send = async (path: string, action: string, typed: Record<string, string>) => {
    const answer = await ask(action, cookie, { ...hidden(await page(path)), ...typed });
    return page(answer.headers.get('location') ?? '');
  };
  return { page, send };
}

it.each(['resolve', 'reconcile'])('shows a refused form once more as it was filled in: %s', async (route) => {
  const { send, page } = await start();
  const path = '/bookings/CS-7K3Q9F';

  const again = await send(path, `/admin${path}/${route}`, { as: 'booked-no-id', appointment_id: '5227' });

  expect(again).toMatch(/name="appointment_id"[^>]* value="5227"/);
  expect(await page(path)).not.toContain('5227');
});

it('has one form for every way out of an unknown booking, so that a typed number goes with each', async () => {
  const { page } = await start();

  const text = await page('/bookings/CS-7K3Q9F');
  const [field = ''] = /<input[^>]*name="appointment_id"[^>]*>/.exec(text) ?? [];
  const buttons = [...text.matchAll(/<button form="(\w+)"/g)].map(([, form]) => form);

  expect(field).toContain('form="settle"');
  expect(buttons).toEqual(['settle', 'settle']);
  // Enter in the field means what the number is for.
  expect(text.indexOf('<button class="quiet" name="as" value="booked">')).toBeLessThan(
    text.indexOf('<button form='),
  );
});

it('marks what keeps a new booking from being stored, keeps the rest, and its form stays one booking', async () => {
  const faults = async () => [
    { field: 'patient_phone', reason: 'missing_field' as const, message: 'The phone is missing.' },
    { field: 'appointment_time', reason: 'invalid_field' as const, message: 'The time is not HH:MM.' },
  ];
  const { page, send } = await start({ faults });
  const ids = (text: string) => /name="submission_id" value="([^"]+)"/.exec(text)?.[1];
  const fresh = ids(await page('/bookings/new'));

  const typed = { patient_name: 'Rahim', appointment_time: 'noon', submission_id: 'of-this-form' };
  const again = await send('/bookings/new', '/admin/bookings/add', typed);

  expect(again).toContain(
    'Phone <mark>missing</mark><input name="patient_phone" type="tel" value="" autofocus>',
  );
  expect(again).toContain(
    'Time <mark>The time is not HH:MM.</mark><input name="appointment_time" type="text"',
  );
  expect(again).toContain('value="Rahim"');
  expect(again.match(/ autofocus/g)).toHaveLength(1);
  expect([fresh?.length, ids(again)]).toEqual([36, 'of-this-form']);
});

it('asks for the clinic first where there are several', async () => {
  const { page } = await start({ clinics: () => ['north', 'south'] });

  expect(await page('/bookings/new')).not.toContain('name="patient_name"');
  const text = await page('/bookings/new?clinic=south');
  expect(text).toContain('<input type="hidden" name="clinic" value="south">');
  expect(text).toContain('name="patient_name"');
});

it('offers the clinics to a lead that names none, and no field before', async () => {
  const lead = sampleBooking(NOW, { state: 'held', reason: 'missing_field', clinic: noClinic });
  const { page } = await start({
    clinics: () => ['north', 'south'],
    booking: async () => found(lead, ['edit']),
  });

  const text = await page('/bookings/CS-7K3Q9F');

  expect(text).toMatch(/<select name="clinic" required autofocus>.*<option>north<\/option><option>south/);
  expect(text).not.toContain('name="patient_name"');
});

it('lists the visits of a day by the clinic’s time, narrowed and sorted as asked, and paged', async () => {
  const visits = ['09:30', '08:00', '11:00'].map((time, n) => ({
    booking: sampleBooking(NOW, {
      ref: `CS-000${n}`,
      appointment_date: '2026-03-02',
      appointment_time: '10:00',
    }),
    chosen: { doctor: n === 2 ? 'Dr. Other' : 'Dr. O’Neil', treatment: null },
    zone: 'Asia/Dhaka',
    visit: { date: '2026-03-02', time, status: 'Scheduled', read_at: '2026-03-02T08:00:00.000Z' },
    standing: n === 0 ? ('moved' as const) : null,
  }));
  const asked: unknown[] = [];
  const { page } = await start({
    visits: async (days) => {
      asked.push(days);
      return visits;
    },
  });
  const refs = async (query: string) =>
    [...(await page(`/bookings?${query}`)).matchAll(/name="pick\.(CS-\d+)"/g)].map(([, ref]) => ref);

  expect(await refs('visit_from=today&visit_to=today')).toEqual(['CS-0001', 'CS-0000', 'CS-0002']);
  expect(await refs('standing=moved')).toEqual(['CS-0000']);
  expect(await refs('dentist=Dr.+Other')).toEqual(['CS-0002']);
  expect(await refs('sort=dentist')).toEqual(['CS-0001', 'CS-0000', 'CS-0002']);
  expect(await refs('sort=visit&after=CS-0001')).toEqual(['CS-0000', 'CS-0002']);
  expect(asked).toEqual(
    expect.arrayContaining([
      { from: 'today', to: 'today' },
      { from: '2026-01-30', to: '2026-06-02' },
    ]),
  );
  expect(await page('/bookings?visit_from=today&visit_to=today')).toContain('Visits: Mon, 2 Mar 2026');
});
