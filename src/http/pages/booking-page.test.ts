import { describe, expect, it } from 'vitest';
import { sampleBooking, sampleEvents } from '../../../test/support/http/http-kit.ts';
import { type Booking, type BookingState, bookingStates, legalMoves } from '../../model/booking.ts';
import { bookingPage } from './booking-page.ts';
import type { Viewer } from './layout.ts';
import { waysByState } from './ways-out.ts';

const now = Date.parse('2026-03-02T09:00:00Z');
const person: Viewer = {
  canSignIn: true,
  by: 'Ruma',
  role: 'desk',
  canSignOut: true,
  formToken: 'f0rm',
  notice: undefined,
};

const page = (more: Partial<Booking> = {}, resembles: Booking | null = null) =>
  bookingPage(
    { booking: sampleBooking(now, more), sentence: 'It was sent.', events: sampleEvents(now), resembles },
    person,
    now,
  );

describe('a booking whose outcome is unknown', () => {
  it('shows the sentence, the evidence, the person and the history', () => {
    const text = page();

    expect(text).toContain('It was sent.');
    expect(text).toContain('18,941 appointments');
    expect(text).toContain('90389, 90390');
    expect(text).toContain('Zerlina Plantagenet');
    expect(text.match(/<ol class="history">.*?<\/ol>/s)?.[0].match(/<li>/g)).toHaveLength(4);
  });

  it('offers to look, and the four ways out', () => {
    const forms = [...page().matchAll(/action="\/admin\/bookings\/CS-7K3Q9F\/(\w+)".*?<\/form>/gs)].map(
      ([form, action]) => [action, form.match(/name="as" value="([^"]+)"/)?.[1]].filter(Boolean).join(' '),
    );

    expect(forms).toEqual([
      'reconcile',
      'resolve booked',
      'resolve booked-no-id',
      'resolve not-booked',
      'drop',
    ]);
  });
});

it('puts the form’s token into every form', () => {
  for (const state of bookingStates) {
    const text = page({ state, evidence: { mismatch: ['The clinic shows another time.'] } });

    expect(text.match(/name="form_token" value="f0rm"/g)?.length).toBe(text.match(/<form /g)?.length);
  }
});

it('offers only what the table of legal moves allows a person', () => {
  const leadsTo: Record<string, BookingState[]> = {
    approve: ['queued'],
    edit: ['held'],
    reconcile: ['booked'],
    acknowledge: [],
    booked: ['booked'],
    booked_no_id: ['booked_no_id'],
    send_again: ['queued'],
    drop: ['dropped'],
  };

  for (const [state, ways] of Object.entries(waysByState)) {
    for (const way of ways) {
      for (const to of leadsTo[way] ?? []) {
        expect
          .soft(['person', 'either'], `${way} from ${state}`)
          .toContain(legalMoves[state as BookingState][to]);
      }
    }
  }
});

it('shows a held booking’s fields for correction, also what no date field could show', () => {
  const text = page({ state: 'held', appointment_date: 'next Friday', appointment_time: '10:30' });

  expect(text).toContain('name="appointment_date" type="text" value="next Friday"');
  expect(text).toContain('name="appointment_time" type="time" value="10:30"');
});

it('shows the booking it resembles beside it', () => {
  const text = page({ state: 'held', reason: 'duplicate_suspect' }, sampleBooking(now, { ref: 'CS-AAAAAA' }));

  expect(text).toContain('href="/bookings/CS-AAAAAA"');
});

it('asks to confirm having seen that a booked appointment is not as asked for', () => {
  const different = page({ state: 'booked', evidence: { mismatch: ['The clinic shows another time.'] } });
  const same = page({ state: 'booked', evidence: null });

  expect(different).toContain('action="/admin/bookings/CS-7K3Q9F/acknowledge"');
  expect(different).toContain('The clinic shows another time.');
  expect(same).not.toContain('What to do');
});
