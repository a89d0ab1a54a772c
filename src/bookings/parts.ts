import type { Booking } from '../domain/booking.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';

/** What every part of the bookings works with. */
export interface BookingParts {
  store: Store;
  clock: Clock;
  log: Log;
  /** After every move of a booking. Must not throw. */
  onBookingChanged: (booking: Booking) => void;
}
