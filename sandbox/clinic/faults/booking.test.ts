import { describe, expect } from 'vitest';
import { type Expected, proveFaults } from '../../../test/support/clinic/prove-faults.ts';
import { bookingFaults } from './booking.ts';

/** The body for the appointment that was really made. */
const booked = (body: (id: number) => unknown): Expected => ({
  end: 'closed',
  committed: 1,
  check: ({ answer, json, sandbox }) => {
    const made = sandbox.control.ledger().at(-1)?.appointment_id ?? Number.NaN;
    expect(answer?.status).toBe(200);
    expect(json()).toEqual(body(made));
  },
});
const message = 'Appointment booked successfully.';
const answeredId = (of: (id: number) => unknown) =>
  booked((id) => ({ success: true, message, data: { appointment_id: of(id) } }));

describe('an unexpected answer to a booking', () => {
  proveFaults(bookingFaults, {
    no_id: booked(() => ({ success: true, message, data: {} })),
    no_data: booked(() => ({ success: true, message })),
    null_data: booked(() => ({ success: true, message, data: null })),
    id_null: answeredId(() => null),
    id_string: answeredId((id) => String(id)),
    id_zero: answeredId(() => 0),
    id_negative: answeredId((id) => -id),
    id_float: answeredId((id) => id + 0.5),
    id_huge: answeredId(() => 2 ** 60),
    id_duplicate: answeredId(() => 5199),
    id_wrong: answeredId((id) => id + 1_000_000),
    success_false: {
      parameters: { message: 'Closed on Fridays.' },
      end: 'closed',
      committed: 0,
      check: ({ answer, json }) => {
        expect(answer?.status).toBe(200);
        expect(json()).toEqual({ success: false, message: 'Closed on Fridays.' });
      },
    },
    success_false_after_commit: booked(() => ({
      success: false,
      message: 'This slot is no longer available.',
    })),
    success_missing: booked((id) => ({ message, data: { appointment_id: id } })),
    success_text: booked((id) => ({ success: 'true', message, data: { appointment_id: id } })),
  });
});
