import { describe, expect, it } from 'vitest';
import { check, type Facts, type IntakeCircumstances } from './check.ts';
import { type BookingFields, readFields } from './read-fields.ts';

const facts: Facts = { zone: 'Asia/Dhaka', dentists: [], treatments: [], openingHours: undefined };
const now: IntakeCircumstances = {
  nowMs: Date.parse('2026-03-02T09:00:00Z'),
  horizonDays: 30,
  approval: false,
  faults: [],
};
const draft = (fields: Partial<BookingFields> = {}): BookingFields => ({
  ...readFields({
    patient_name: 'Rahim Uddin',
    patient_phone: '01712345678',
    appointment_date: '2026-03-03',
    appointment_time: '10:00',
  }).draft,
  ...fields,
});

describe('checking a booking', () => {
  it('queues what has no fault', () => {
    expect(check(draft(), facts, now)).toMatchObject({ state: 'queued', reason: null, faults: [] });
  });

  it('uses the clinic’s time zone, not ours', () => {
    // 15:00 in Dhaka is now.
    const at = (appointment_time: string) =>
      check(draft({ appointment_date: '2026-03-02', appointment_time }), facts, now).reason;

    expect(at('15:00')).toBe('past_slot');
    expect(at('15:01')).toBe(null);
  });

  it('uses the later occurrence of an hour repeated in autumn', () => {
    const london = { ...facts, zone: 'Europe/London' };
    const slot = draft({ appointment_date: '2026-10-25', appointment_time: '01:30' });
    const at = (iso: string) =>
      check(slot, london, { ...now, nowMs: Date.parse(iso), horizonDays: 365 }).reason;

    expect(at('2026-10-25T00:45:00Z')).toBe(null);
    expect(at('2026-10-25T01:30:00Z')).toBe('past_slot');
  });

  it('holds a time skipped in spring', () => {
    const slot = draft({ appointment_date: '2026-03-29', appointment_time: '01:30' });

    expect(check(slot, { ...facts, zone: 'Europe/London' }, now).reason).toBe('invalid_field');
  });

  it('holds a lead that is too far ahead, outside opening hours, or needs approval', () => {
    const closed = {
      ...facts,
      openingHours: { tuesday: { open: '11:00', close: '17:00', is_closed: false } },
    };

    expect(check(draft({ appointment_date: '2026-05-03' }), facts, now).reason).toBe('too_far');
    expect(check(draft(), closed, now).reason).toBe('outside_hours');
    expect(check(draft(), facts, { ...now, approval: true }).reason).toBe('approval');
  });

  it('leads with what must be corrected and keeps the rest beside it', () => {
    const verdict = check(draft({ appointment_date: '2026-05-03', doctor: 'Dr. Nobody' }), facts, {
      ...now,
      approval: true,
    });

    expect(verdict.reason).toBe('mapping');
    expect(verdict.faults.map(({ reason }) => reason)).toEqual(['mapping', 'too_far', 'approval']);
  });

  it('waits for the mirror only while there is no other fault', () => {
    const empty = { ...facts, dentists: undefined };

    expect(check(draft({ doctor: 'Dr. O’Neil' }), empty, now).state).toBe('received');
    expect(check(draft({ doctor: 'Dr. O’Neil' }), empty, { ...now, approval: true }).state).toBe('held');
  });

  it('lists first that it may be booked already, whatever else is wrong', () => {
    const faults = [
      { field: 'patient_name', message: 'Missing.', reason: 'missing_field' },
      { field: 'booking', message: 'An older copy.', reason: 'restored_state' },
    ] as const;

    expect(check(draft(), facts, { ...now, faults }).reason).toBe('restored_state');
  });
});
