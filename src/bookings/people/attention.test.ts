import { describe, expect, it } from 'vitest';
import type { Booking } from '../../model/booking.ts';
import { expiresAt } from '../accepting/expiry.ts';
import { taskPrefix } from '../sentences.ts';
import { attention } from './attention.ts';
import { describe as inWords } from './describe.ts';

const zone = 'Asia/Dhaka';
const at = (iso: string) => Date.parse(iso);
const booking = (fields: Partial<Booking> = {}): Booking => ({
  ref: 'CS-7K3Q9F',
  clinic: 'main',
  source: 'form',
  submission_id: null,
  state: 'unknown',
  reason: 'timeout',
  message: null,
  patient_name: 'Planted Patient',
  patient_phone: '01712345678',
  phone_e164: '+8801712345678',
  address: 'Planted Road 1',
  appointment_date: '2026-03-10',
  appointment_time: '10:00',
  doctor_id: null,
  doctor: null,
  treatment_id: null,
  treatment: null,
  note: 'Planted note',
  appointment_id: null,
  attempt: 1,
  not_before: null,
  sending_since: null,
  merged: 0,
  duplicate_of: null,
  evidence: null,
  received_at: '2026-03-02T09:00:00.000Z',
  changed_at: '2026-03-02T09:00:00.000Z',
  ...fields,
});

describe('what needs a person', () => {
  it.each([
    ['2026-03-02T09:00:00Z', ['at_once'], '2026-03-02T09:15:00.000Z'],
    ['2026-03-02T09:15:00Z', ['at_once', 'after_15_minutes'], '2026-03-03T09:00:00.000Z'],
    ['2026-03-03T09:00:00Z', ['at_once', 'after_15_minutes', 'daily'], '2026-03-04T09:00:00.000Z'],
    [
      '2026-03-09T04:00:00Z',
      ['at_once', 'after_15_minutes', 'slot_within_24_hours', 'daily'],
      '2026-03-09T09:00:00.000Z',
    ],
  ])('at %s has the alerts %j', (now, alerts, next) => {
    expect(attention(booking(), at(now), zone)).toMatchObject({ alerts, next_alert_at: next });
  });

  it('is urgent from a day before the appointment', () => {
    const held = booking({ state: 'held', reason: 'approval' });

    expect(attention(held, at('2026-03-09T03:59:00Z'), zone)?.urgent).toBe(false);
    expect(attention(held, at('2026-03-09T04:00:00Z'), zone)?.urgent).toBe(true);
  });

  it('is urgent when an outcome has been unknown for 15 minutes', () => {
    expect(attention(booking(), at('2026-03-02T09:14:59Z'), zone)?.urgent).toBe(false);
    expect(attention(booking(), at('2026-03-02T09:15:00Z'), zone)?.urgent).toBe(true);
  });

  it('is a lead the clinic refused: somebody may want to call', () => {
    const refused = booking({ state: 'rejected', reason: null });

    expect(attention(refused, at('2026-03-02T09:01:00Z'), zone)?.sentence).toContain(
      'The clinic refused it.',
    );
  });

  it.each(['received', 'queued', 'sending', 'booked', 'booked_no_id', 'dropped'] as const)(
    'leaves %s alone',
    (state) => {
      expect(attention(booking({ state, reason: null }), at('2026-03-02T10:00:00Z'), zone)).toBeUndefined();
    },
  );

  it('carries no patient data, whatever the state', () => {
    const all = (['held', 'unknown', 'expired', 'rejected', 'booked'] as const).map((state) => {
      const one = booking({
        state,
        evidence: { sent_at: '2026-03-02T09:00:00.000Z', mismatch: ['Differs.'] },
      });
      return [attention(one, at('2026-03-02T10:00:00Z'), zone), inWords(one, zone)];
    });

    expect(JSON.stringify(all)).not.toMatch(/Planted|1712345678/);
  });
});

describe('when a booking expires', () => {
  it.each(['received', 'held', 'queued'] as const)('is at its slot while %s', (state) => {
    expect(expiresAt(booking({ state, reason: null }), zone)).toBe(at('2026-03-10T04:00:00Z'));
  });

  it.each(['sending', 'unknown', 'booked', 'booked_no_id', 'rejected', 'dropped', 'expired'] as const)(
    'is never while %s',
    (state) => {
      expect(expiresAt(booking({ state }), zone)).toBeUndefined();
    },
  );

  it('is a week after it came for one that came too late', () => {
    const late = booking({ state: 'held', reason: 'past_slot', appointment_date: '2026-03-01' });

    expect(expiresAt(late, zone)).toBe(at('2026-03-09T09:00:00Z'));
  });

  it('is never for what has no slot', () => {
    expect(expiresAt(booking({ state: 'held', appointment_date: 'soon' }), zone)).toBeUndefined();
  });

  it('is a task as what it is, and nothing to approve', () => {
    const task = booking({
      state: 'held',
      reason: 'approval',
      message: `${taskPrefix}: Cancelled at Calendly`,
    });

    const asked = attention(task, at('2026-03-02T09:00:00Z'), zone);
    const described = inWords(task, zone);

    expect(asked?.sentence).toBe('Booking CS-7K3Q9F from form: A task for a person, not a booking.');
    expect(JSON.stringify([asked, described])).not.toMatch(/[Aa]pprove|Nothing is booked/);
  });

  it.each([
    [{ state: 'expired', reason: null }, '--appointment-date YYYY-MM-DD'],
    [{ state: 'held', reason: 'past_slot' }, '--appointment-date YYYY-MM-DD'],
    [{ state: 'held', reason: 'mapping', treatment: 'Scaling' }, '--treatment-id N'],
    [{ state: 'held', reason: 'mapping', doctor: 'Dr. Nobody' }, '--doctor-id N'],
    [{ state: 'held', reason: 'missing_field', appointment_time: null }, '--appointment-time HH:MM'],
    [{ state: 'held', reason: 'missing_field', patient_name: null }, '--patient-name NAME'],
  ] as const)('is corrected first where approving alone would be refused: %j', (fields, option) => {
    const { ways } = inWords(booking(fields), zone);

    expect(ways.map(({ command }) => command)).toEqual([
      `clinic-sync bookings edit CS-7K3Q9F ${option}`,
      'clinic-sync bookings approve CS-7K3Q9F',
      'clinic-sync bookings drop CS-7K3Q9F',
    ]);
  });
});
