import { expect, it } from 'vitest';
import { sampleBooking } from '../../../test/support/http/http-kit.ts';
import { localeOf } from '../../platform/text/locale.ts';
import { bookingsPage } from './bookings-page.ts';
import type { Viewer } from './parts/layout.ts';

const now = Date.parse('2026-03-02T09:00:00Z');
const viewer: Viewer = {
  canSignIn: true,
  by: 'Ruma',
  role: 'desk',
  canSignOut: true,
  formToken: 'f0rm',
  notice: undefined,
  locale: localeOf('en'),
  here: '/',
};
const report = {
  bookings: [
    { source: 'website', today: 1, last_7_days: 5, states: { held: 2, booked: 120 } },
    { source: 'inbox', today: 0, last_7_days: 0, states: { held: 1 } },
  ],
  needs_by_kind: { booking: 4, guard: 1 },
};
const page = (clinics: readonly string[], more: Partial<Parameters<typeof bookingsPage>[0]> = {}) =>
  bookingsPage({
    bookings: clinics.map((clinic, n) => ({
      booking: sampleBooking(now, { clinic, ref: `CS-00000${n}` }),
      chosen: { doctor: null, treatment: null },
      zone: 'Asia/Dhaka',
      actions: [],
      ...{ visit: null, standing: null },
    })),
    filter: undefined,
    query: {},
    days: undefined,
    cutAt: undefined,
    dentists: [],
    total: clinics.length,
    after: undefined,
    next: null,
    report,
    viewer,
    now,
    ...more,
  });

it('names the clinic of each booking where there are several', () => {
  const one = page(['main', 'main']);
  const two = page(['main', 'south']);

  expect(one).not.toContain('Clinic');
  expect(two).toContain('>Reference · Clinic<');
  expect(two).toContain('<code>south</code>');
});

it('counts the bookings of each state over all sources, and leaves out what is empty', () => {
  const text = page(['main']);

  expect(text).toContain('All <b>123</b>');
  expect(text).toContain('<a href="/bookings?state=needs_you">needs you <b>4</b></a>');
  expect(text).toContain('<a href="/bookings?state=held">held <b>3</b></a>');
  expect(text).not.toContain('dropped');
});

it('leads to the next page within the same filter, and back to the top', () => {
  expect(page(['main'])).not.toContain('Next page');

  const text = page(['main'], { filter: 'held', after: 'CS-000009', next: 'CS-000000' });

  expect(text).toContain('<a rel="next" href="/bookings?state=held&amp;after=CS-000000">Next page</a>');
  expect(text).toContain('<a href="/bookings?state=held">From the top</a>');
});

it('says that there is none of a kind, and keeps its filter visible', () => {
  const text = page([], { filter: 'unknown' });

  expect(text).toContain('No booking matches.');
  expect(text).toContain('aria-current="page">unknown <b>0</b>');
});
