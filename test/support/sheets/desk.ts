import type { BookingPort } from '../../../src/connector.ts';
import type { Booking } from '../../../src/domain/bookings/booking.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { answered, fakeBooking, notesIn } from '../bookings/fake-booking.ts';
import type { FakeBookings } from '../csv/kit.ts';

export interface FragileBookings extends FakeBookings {
  /** The next booking is taken, and the process dies before it hears of it. */
  dieOnce(): void;
}

/** A booking desk that merges nothing: whatever is handed over twice under another id is a second booking. */
export function newDesk(ledger: Booking[], now: () => string): FragileBookings {
  let dying = false;
  const notes: Record<string, string> = {};
  const bookings: Booking[] = [];
  const port: BookingPort = {
    async accept(submission) {
      const known = bookings.find((one) => one.submission_id === submission.submission_id);
      const ref = `CS-${String(ledger.length).padStart(6, '0')}`;
      const booking = known ?? fakeBooking(submission, { ref, at: now() });
      if (!known) {
        bookings.push(booking);
        ledger.push(booking);
      }
      if (dying) {
        dying = false;
        throw new Failure({ kind: 'transient', message: 'The process was killed.' });
      }
      return answered(booking, !known);
    },
    validate: async () => [],
    find: async () => undefined,
    withdraw: async () => false,
  };
  return {
    bookings,
    submissions: [],
    dieOnce() {
      dying = true;
    },
    port,
    move: (ref, change) =>
      void Object.assign(bookings.find((one) => one.ref === ref) ?? {}, change, { changed_at: now() }),
    memory: notesIn(notes),
  };
}
