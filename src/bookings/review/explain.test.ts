import { describe, expect, it } from 'vitest';
import { sampleBooking as booking } from '../../../test/support/bookings/sample-booking.ts';
import { bookedMessage, taskPrefix } from '../messages.ts';
import { availableActions, type Circumstances } from './available-actions.ts';
import { describe as inWords } from './explain.ts';
import { reviewItem } from './review-item.ts';

const zone = 'Asia/Dhaka';
const around: Circumstances = {
  clinicKnown: true,
  verdict: { faults: [], waits: false },
  settlesInMs: 0,
  mayProbe: true,
  first: undefined,
};
const blocked: Circumstances['verdict'] = {
  faults: [{ field: 'booking', message: 'It is wrong.', reason: 'missing_field' }],
  waits: false,
};
const at = (iso: string) => Date.parse(iso);

describe('a booking as explained to a user', () => {
  it('is said once', () => {
    const { sentence } = inWords(
      booking({ state: 'booked', reason: null, message: bookedMessage }),
      zone,
      [],
    );

    expect(sentence.match(/confirmed/g)).toHaveLength(1);
  });

  it('is a task, with nothing to approve', () => {
    const task = booking({
      state: 'held',
      reason: 'approval',
      kind: 'cancellation',
      message: `${taskPrefix}: Cancelled at Calendly`,
    });

    const asked = reviewItem(task, at('2026-03-02T09:00:00Z'), zone);
    const described = inWords(task, zone, availableActions(task, around));

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
    const asked = booking(fields);
    const { ways } = inWords(asked, zone, availableActions(asked, { ...around, verdict: blocked }));

    expect(ways.map(({ command }) => command)).toEqual([
      `clinic-sync bookings edit CS-7K3Q9F ${option}`,
      'clinic-sync bookings drop CS-7K3Q9F',
    ]);
  });
});
