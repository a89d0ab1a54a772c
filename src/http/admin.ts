import type { Booking, BookingEvent, BookingState, SubmissionField } from '../domain/booking.ts';
import type { AvailableAction, ChosenNames } from '../domain/booking-actions.ts';
import type { Poll } from '../domain/resource.ts';

/** What an action reports back, as one sentence for the person who asked for it. */
export interface Done {
  ok: true;
  message: string;
}

/** The fields a person changed; null empties one. */
export type BookingEdit = Partial<Pick<Booking, SubmissionField>>;

/** The ways out of a booking whose outcome is not known. `confirm`: although the clinic shows something else, or may still be working on it. */
export type Resolution =
  | { as: 'booked'; appointment_id: number; confirm?: boolean }
  | { as: 'booked-no-id' }
  | { as: 'not-booked'; confirm?: boolean };

/**
 * What a person may do from the status page or over `POST /admin/…`. `by` is who, and is stored with it. Each throws
 * `Failure` when it cannot be done: `refused` with status 404 for something that is not there, `refused` for what the
 * thing's state does not allow, `transient` when the database does not work.
 */
export interface AdminActions {
  /** Releases a booking to be sent: a held one, or one that was surely not booked (rejected, expired). */
  approve(ref: string, by: string): Promise<Done>;
  /** A changed submission in place of the first, which was not sent yet and is dropped. */
  take(ref: string, by: string): Promise<Done>;
  /** Corrects what is going to be sent; only the fields given. */
  edit(ref: string, edit: BookingEdit, by: string): Promise<Done>;
  /** `not-booked` sends it again: a person has looked and it is not there. */
  resolve(ref: string, resolution: Resolution, by: string): Promise<Done>;
  drop(ref: string, why: string, by: string): Promise<Done>;
  /** A person has seen that what the clinic booked is not what was asked for. */
  acknowledge(ref: string, by: string): Promise<Done>;
  /** Looks at the clinic for a booking whose outcome is not known; may take minutes. */
  reconcile(ref: string, by: string): Promise<Done>;
  pauseConnector(connector: string, by: string): Promise<Done>;
  resumeConnector(connector: string, by: string): Promise<Done>;
  /** One dead delivery, or all of the connector. */
  retryDeliveries(connector: string, id: string | undefined, by: string): Promise<Done>;
  skipDeliveries(connector: string, id: string | undefined, by: string): Promise<Done>;
  approveGuard(id: string, by: string): Promise<Done>;
  /** Lets bookings be sent to this clinic again. */
  resumeSending(clinic: string, by: string): Promise<Done>;
  /** Polls now: one resource, or all of the clinic. */
  syncNow(clinic: string, poll: Poll | undefined, by: string): Promise<Done>;
}

/** What only a signed-in person sees. */
export interface AdminData {
  booking(ref: string): Promise<BookingDetail | undefined>;
  /** Newest first; `behind`: the ref of the last one on the page before. */
  bookings(filter: { states?: readonly BookingState[]; behind?: string; limit: number }): Promise<Booking[]>;
  /** Those of these refs that there are, in this order. */
  bookingsOf(refs: readonly string[]): Promise<Booking[]>;
}

export interface BookingDetail {
  booking: Booking;
  /** What happened and what is known, as plain sentences. */
  sentence: string;
  /** Oldest first. */
  events: BookingEvent[];
  /** What a person may do with it now, the usual way first. */
  actions: AvailableAction[];
  chosen: ChosenNames;
  /** The earlier booking this one resembles (`duplicate_of`). */
  resembles: (Booking & { chosen: ChosenNames }) | null;
}
