import { describe, expect, it } from 'vitest';
import { sampleBooking } from '../../test/support/bookings/sample-booking.ts';
import { compare, isSame, leftOut } from './comparison.ts';

describe('a clinic’s appointment compared with a booking', () => {
  const booking = sampleBooking({ patient_name: 'Nadia Islam' });
  const seen = { name: 'Nadia Islam', date: '2026-03-10', time: '10:00', status: 'Scheduled', raw: {} };

  it.each([{}, { name: 'NADIA  islam' }, { time: '10:00:00' }])('is the same with %j', (shown) => {
    expect(isSame(compare(booking, 101, { ...seen, ...shown }))).toBe(true);
  });

  it.each([
    { name: 'Nadia Khan' },
    { name: null },
    { date: '2026-03-11' },
    { date: null },
    { time: '10:30' },
    { time: null },
  ])('is not the same with %j', (shown) => {
    expect(isSame(compare(booking, 101, { ...seen, ...shown }))).toBe(false);
  });

  it('lists what the clinic’s record leaves out', () => {
    const comparison = compare(booking, 101, { ...seen, name: null, time: null });

    expect(leftOut(comparison)).toEqual(['patient_name', 'appointment_time']);
  });
});
