import { expect, it } from 'vitest';
import { sampleBooking } from '../../../test/support/http/http-kit.ts';
import { bookingsPage } from './bookings-page.ts';
import type { Viewer } from './layout.ts';

const now = Date.parse('2026-03-02T09:00:00Z');
const viewer: Viewer = {
  canSignIn: true,
  by: 'Ruma',
  role: 'desk',
  canSignOut: true,
  formToken: 'f0rm',
  notice: undefined,
};
const page = (clinics: readonly string[]) =>
  bookingsPage({
    bookings: clinics.map((clinic, n) => sampleBooking(now, { clinic, ref: `CS-00000${n}` })),
    state: undefined,
    limit: 2,
    viewer,
    now,
  });

it('names the clinic of each booking where there are several', () => {
  const one = page(['main', 'main']);
  const two = page(['main', 'south']);

  expect(one).not.toContain('>Clinic<');
  expect(two).toContain('>Clinic<');
  expect(two).toContain('<code>south</code>');
});

it('says where the rest is when the list ends early', () => {
  expect(page(['main'])).not.toContain('shows all');
  expect(page(['main', 'main'])).toContain('The newest 2; <code>clinic-sync bookings list</code> shows all.');
});
