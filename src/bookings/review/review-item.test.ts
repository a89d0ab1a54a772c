import { describe, expect, it } from 'vitest';
import { sampleBooking as booking } from '../../../test/support/bookings/sample-booking.ts';
import { expiresAt } from '../intake/expiry.ts';
import { describe as inWords } from './explain.ts';
import { reviewItem } from './review-item.ts';

const zone = 'Asia/Dhaka';
const at = (iso: string) => Date.parse(iso);
describe('an item for a user', () => {
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
    expect(reviewItem(booking(), at(now), zone)).toMatchObject({ alerts, next_alert_at: next });
  });

  it('asks about a cancelled visit that the patient wanted again, not about a difference', () => {
    const evidence = { mismatch: ['It came again.'], verification: 'asked_again' as const };
    const item = reviewItem(
      booking({ state: 'booked', reason: null, evidence }),
      at('2026-03-02T09:00:00Z'),
      zone,
    );

    expect(item).toMatchObject({
      reason: 'asked_again',
      sentence: expect.stringMatching(/: It came again\.$/),
      action: expect.stringContaining('Ask the patient'),
    });
  });

  it('is urgent from a day before the appointment', () => {
    const held = booking({ state: 'held', reason: 'approval' });

    expect(reviewItem(held, at('2026-03-09T03:59:00Z'), zone)?.urgent).toBe(false);
    expect(reviewItem(held, at('2026-03-09T04:00:00Z'), zone)?.urgent).toBe(true);
  });

  it('is urgent when an outcome has been unknown for 15 minutes', () => {
    expect(reviewItem(booking(), at('2026-03-02T09:14:59Z'), zone)?.urgent).toBe(false);
    expect(reviewItem(booking(), at('2026-03-02T09:15:00Z'), zone)?.urgent).toBe(true);
  });

  it('includes a lead that the clinic refused, because a user may want to call', () => {
    const refused = booking({ state: 'rejected', reason: null });

    expect(reviewItem(refused, at('2026-03-02T09:01:00Z'), zone)?.sentence).toContain(
      'The clinic refused it.',
    );
  });

  it.each(['received', 'queued', 'sending', 'booked', 'booked_no_id', 'dropped'] as const)(
    'leaves %s alone',
    (state) => {
      expect(reviewItem(booking({ state, reason: null }), at('2026-03-02T10:00:00Z'), zone)).toBeUndefined();
    },
  );

  it('says when the clinic showed another visit, which may be days ago, wherever it says so', () => {
    const evidence = { mismatch: ['The clinic shows 10:00.'], verification: 'differs' as const };
    const one = booking({ state: 'booked', evidence, verified_at: '2026-03-02T09:00:00.000Z' });
    const later = { ...one, evidence: { ...evidence, asked_at: '2026-03-03T04:30:00.000Z' } };
    const outlets = (of: typeof one) => [
      reviewItem(of, at('2026-03-09T10:00:00Z'), zone)?.sentence,
      inWords(of, zone, []).sentence,
      inWords(of, zone, []).evidence.join(' '),
    ];

    for (const sentence of outlets(one)) expect(sentence).toContain('on 2026-03-02 at 15:00');
    for (const sentence of outlets(later)) expect(sentence).toContain('on 2026-03-03 at 10:30');
  });

  it('contains no patient data, whatever the state', () => {
    const all = (['held', 'unknown', 'expired', 'rejected', 'booked'] as const).map((state) => {
      const one = booking({
        state,
        evidence: { sent_at: '2026-03-02T09:00:00.000Z', mismatch: ['Differs.'] },
      });
      return [reviewItem(one, at('2026-03-02T10:00:00Z'), zone), inWords(one, zone, [])];
    });

    expect(JSON.stringify(all)).not.toMatch(/Planted|1712345678/);
  });
});

describe('a lead that is ready and not sent', () => {
  const asked = (nowIso: string, fields: Parameters<typeof booking>[0] = {}) =>
    reviewItem(booking({ state: 'queued', reason: null, attempt: 0, ...fields }), at(nowIso), zone);

  it('needs no user while it is new and its slot is far away', () => {
    expect(asked('2026-03-03T08:59:00Z')).toBeUndefined();
  });

  it('needs a user after a day', () => {
    expect(asked('2026-03-03T09:00:00Z')).toMatchObject({
      since: '2026-03-03T09:00:00.000Z',
      urgent: false,
      sentence: expect.stringContaining('It could not be sent to the clinic yet.'),
    });
  });

  it.each(['queued', 'received'] as const)(
    'needs a person after fifteen minutes when its slot is near (%s)',
    (state) => {
      const near = { state, appointment_date: '2026-03-02', appointment_time: '20:00' };

      expect(asked('2026-03-02T09:14:00Z', near)).toBeUndefined();
      expect(asked('2026-03-02T09:15:00Z', near)).toMatchObject({
        urgent: true,
        alerts: expect.arrayContaining(['at_once']),
      });
    },
  );

  it('is counted from its arrival, however often it was tried since', () => {
    const tried = {
      not_before: '2026-03-03T09:10:00.000Z',
      changed_at: '2026-03-03T09:05:00.000Z',
      attempt: 40,
    };

    expect(asked('2026-03-03T09:06:00Z', tried)).toBeDefined();
  });

  it('is counted from its release by a user', () => {
    expect(
      asked('2026-03-03T09:06:00Z', { changed_at: '2026-03-03T09:05:00.000Z', attempt: 3 }),
    ).toBeUndefined();
  });
});

describe('when a booking expires', () => {
  it.each(['received', 'held', 'queued'] as const)('is at its slot while %s', (state) => {
    expect(expiresAt(booking({ state, reason: null }), zone)).toBe(at('2026-03-10T04:00:00Z'));
  });

  it.each(['sending', 'unknown', 'booked', 'booked_no_id', 'rejected', 'dropped', 'expired'] as const)(
    'never expires while %s',
    (state) => {
      expect(expiresAt(booking({ state }), zone)).toBeUndefined();
    },
  );

  it('expires a week after arrival when its slot was already past', () => {
    const late = booking({ state: 'held', reason: 'past_slot', appointment_date: '2026-03-01' });

    expect(expiresAt(late, zone)).toBe(at('2026-03-09T09:00:00Z'));
  });

  it('never expires without a slot', () => {
    expect(expiresAt(booking({ state: 'held', appointment_date: 'soon' }), zone)).toBeUndefined();
  });
});
