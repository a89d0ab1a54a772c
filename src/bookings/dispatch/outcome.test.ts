import { describe, expect, it } from 'vitest';
import type { BookingOutcome } from '../../clinic/clinic.ts';
import { unknownCauses } from '../../domain/bookings/booking.ts';
import { judgeOutcome } from './outcome.ts';

const refused = (status: number): BookingOutcome => ({ class: 'refused', status, message: 'No' });
const lane = (status: number): BookingOutcome => ({ class: 'lane_refusal', status, message: 'No' });

describe('judging an outcome', () => {
  it('sends again only what was proven not to have happened', () => {
    const again: BookingOutcome[] = [
      { class: 'never_sent', detail: 'no connection' },
      ...[401, 403, 404, 405, 407, 415, 429].map(lane),
    ];

    expect(again.map((outcome) => judgeOutcome(outcome).booking.to)).toEqual(again.map(() => 'queued'));
  });

  it('does not pause for what was not sent because of us', () => {
    const { booking, effect } = judgeOutcome({ class: 'never_sent', detail: 'too busy', ours: true });

    expect([booking.to, effect.kind]).toEqual(['queued', 'unknown']);
  });

  it.each([400, 409, 410, 413, 414, 422, 431, 200, 201])('rejects on a complete %i', (status) => {
    expect(judgeOutcome(refused(status)).booking.to).toBe('rejected');
  });

  it.each(unknownCauses)('leaves %s unknown', (cause) => {
    const { booking } = judgeOutcome({ class: 'ambiguous', cause, detail: '' });

    expect(booking).toMatchObject({ to: 'unknown', cause });
  });

  it('leaves unknown an outcome whose class does not fit its status', () => {
    for (const status of [500, 502, 503, 504, 408, 301, 100]) {
      expect(judgeOutcome(refused(status)).booking.to).toBe('unknown');
      expect(judgeOutcome(lane(status)).booking.to).toBe('unknown');
    }
    expect(judgeOutcome({ class: 'strange' } as never).booking.to).toBe('unknown');
  });

  it('leaves unknown a success without a usable number', () => {
    const confirmed = (appointment_id: number) =>
      judgeOutcome({ class: 'booked', appointment_id, message: '' }).booking;

    for (const id of [0, -1, 1.5, Number.NaN, 2 ** 60])
      expect(confirmed(id)).toMatchObject({ to: 'unknown', cause: 'accepted_no_id' });
    expect(judgeOutcome({ class: 'no_id', message: '' }).booking).toMatchObject({ cause: 'accepted_no_id' });
    expect(confirmed(7)).toEqual({ to: 'booked', appointment_id: 7 });
  });

  it('never resumes automatically where another try could book twice', () => {
    for (const cause of ['redirect', 'certificate_or_protocol'] as const)
      expect(judgeOutcome({ class: 'ambiguous', cause, detail: '' }).effect).toMatchObject({
        kind: 'configuration',
        safe: false,
      });
    expect(judgeOutcome(lane(403)).effect).toMatchObject({ kind: 'configuration', safe: true });
  });
});
