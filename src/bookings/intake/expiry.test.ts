import { expect, it } from 'vitest';
import { sampleBooking } from '../../../test/support/bookings/sample-booking.ts';
import { expiresAt } from './expiry.ts';

it('expires no booking of an older copy, because it may have been sent since', () => {
  const held = { state: 'held', reason: 'missing_field' } as const;

  expect(expiresAt(sampleBooking(held), 'UTC')).toBe(Date.parse('2026-03-10T10:00:00Z'));
  expect(expiresAt(sampleBooking({ ...held, reason: 'restored_state' }), 'UTC')).toBeUndefined();
});

it('leaves a week for any held booking whose time had passed when it came, whatever it is held for', () => {
  const held = { state: 'held', reason: 'invalid_field', received_at: '2026-03-11T10:00:00.000Z' } as const;

  expect(expiresAt(sampleBooking(held), 'UTC')).toBe(Date.parse('2026-03-18T10:00:00Z'));
});
