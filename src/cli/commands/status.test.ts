import { expect, it } from 'vitest';
import { sampleReport } from '../../../test/support/http/sample-report.ts';
import { instant } from '../../platform/clock.ts';
import { statusText } from './status.ts';

const NOW = Date.parse('2026-03-02T09:00:00Z');
const plain = (_style: unknown, text: string) => text;

it('names the clinic of each part and of each question, where there are several', () => {
  const report = sampleReport(NOW);
  const [clinic] = report.clinics;
  expect.assert(clinic);

  const one = statusText({ ...report, clinics: [clinic] }, plain);
  const two = statusText({ ...report, clinics: [clinic, { ...clinic, clinic: 'south' }] }, plain);

  expect(one).not.toContain('main: ');
  expect(two).toContain('  CS-7K3Q9F  main: CS-7K3Q9F was sent');
  expect(two).toContain('south: Bright Smile Dental');
});

it('says what bookings wait for, and for how long', () => {
  const report = sampleReport(NOW);
  const [clinic] = report.clinics;
  expect.assert(clinic);
  clinic.lane = { state: 'waiting', reason: 'It is compared.', since: null, until: instant(NOW + 150_000) };

  const text = statusText({ ...report, clinics: [clinic] }, plain);

  expect(text).toContain('bookings wait, for 3 min at most: It is compared)');
});

it.each([
  ['bookings are sent', null, null],
  ['the clinic has asked us to wait; bookings are sent again in 2 min', 2 * 60_000, null],
  ['bookings are sent', -60_000, null],
  ['bookings paused: The clinic answers 401.', 2 * 60_000, 'The clinic answers 401.'],
])('says "%s"', (words, waitMs, reason) => {
  const report = sampleReport(NOW);
  const [clinic] = report.clinics;
  expect.assert(clinic);
  clinic.limiter.blocked_until = waitMs === null ? null : instant(NOW + waitMs);
  clinic.lane = { state: reason === null ? 'open' : 'paused', reason, since: null };

  const text = statusText({ ...report, clinics: [clinic] }, plain);

  expect(text).toContain(`${words})`);
});
