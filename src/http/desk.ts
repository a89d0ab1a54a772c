import type { Booking, HoldReason } from '../domain/bookings/booking.ts';
import type { AvailableAction, Choices, ChosenNames } from '../domain/bookings/booking-actions.ts';
import type { VisitNow, VisitStanding } from '../domain/bookings/visit-now.ts';

/** A booking as the desk's list shows it. */
export interface ListedBooking {
  booking: Booking;
  /** The clinic's names for the chosen numbers. */
  chosen: ChosenNames;
  /** The clinic's wall clock (IANA name). */
  zone: string;
  /** What a person can do with it now, the most likely action first. */
  actions: AvailableAction[];
  /** Its visit as the clinic shows it now. */
  visit: VisitNow | null;
  standing: VisitStanding | null;
}

/** Everything by which the desk's list is filtered and sorted. */
export type ListedVisit = Omit<ListedBooking, 'actions'>;

export const visitOrders = ['visit', 'dentist', 'status'] as const;

/** Filters of the list of bookings. */
export interface BookingsQuery {
  source?: string;
  /** Days on which it was received, `YYYY-MM-DD` on the page's clock, both included. */
  from?: string;
  to?: string;
  /** Days of the visit, `YYYY-MM-DD`, `today` or `tomorrow` on each clinic's clock, both included. */
  visit_from?: string;
  visit_to?: string;
  /** The dentist's name, as the list shows it. */
  dentist?: string;
  standing?: VisitStanding;
  sort?: (typeof visitOrders)[number];
  /** A name, a phone number in any notation, a reference or an e-mail address. */
  q?: string;
}

/** The choices people have for a booking. */
export type BookingChoices = Record<'doctor' | 'treatment', Choices>;

/** What is wrong with a field of a booking. */
export interface FieldProblem {
  field: string;
  reason: HoldReason;
  /** English. */
  message: string;
}

/** The next booking that waits for a person. */
export interface NextWaiting {
  ref: string;
  /** How many wait, the present one not counted. */
  left: number;
  /** The present one does not wait. */
  isDecided: boolean;
}
