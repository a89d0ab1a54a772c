import type { Booking } from '../domain/booking.ts';
import type { AvailableAction, Choices, ChosenNames } from '../domain/booking-actions.ts';

/** A booking as the desk's list shows it. */
export interface ListedBooking {
  booking: Booking;
  /** By the clinic's names. */
  chosen: ChosenNames;
  /** The clinic's wall clock (IANA name). */
  zone: string;
  /** What a person can do with it now, the usual action first. */
  actions: AvailableAction[];
}

/** What the list of bookings is narrowed to. */
export interface BookingsQuery {
  source?: string;
  /** Days of receiving, `YYYY-MM-DD` on the page's clock, both included. */
  from?: string;
  to?: string;
  /** A name, a phone number in any writing, a reference, an e-mail address. */
  q?: string;
}

/** What people may choose for a booking. */
export type BookingChoices = Record<'doctor' | 'treatment', Choices>;
