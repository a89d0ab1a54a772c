import type { CheckLine } from '../connector.ts';
import type { Booking, BookingEvent, BookingState, SubmissionField } from '../domain/booking.ts';
import type { AvailableAction, ChosenNames } from '../domain/booking-actions.ts';
import type { OneTap } from '../domain/one-tap.ts';
import type { Figures } from '../domain/report.ts';
import type { Poll } from '../domain/resource.ts';
import type { Instant } from '../platform/clock.ts';
import type { BookingChoices, ListedBooking } from './desk.ts';

/** The outcome of an action, as one sentence for the person who asked for it. */
/** What was done, as the catalogue of the pages knows it. */
type Deed =
  | 'approved'
  | 'not_sent'
  | 'corrected'
  | 'settled'
  | 'dropped'
  | 'taken_back'
  | 'seen'
  | 'paused'
  | 'resumed'
  | 'can_work'
  | 'cannot_work'
  | 'retried'
  | 'skipped'
  | 'guard'
  | 'sending'
  | 'reading';

export interface Done {
  ok: true;
  message: string;
  /** The sentence in the catalogue of the pages' texts, and what it names: a booking, a connector, a clinic. */
  said?: Deed;
  ref?: string;
  /** It can be taken back for ten seconds: `seenOf` the booking after it. */
  undo?: { ref: string; seen: string };
  /** What a check found, one by one. */
  lines?: readonly CheckLine[];
}

/** What comes with a decision about a booking. */
export interface Asked {
  /** `seenOf` the booking as the person was shown it: refused when it has changed since. */
  seen?: string | undefined;
  /** Ten seconds to take it back are offered; it is not sent before. */
  undoable?: boolean;
}

/** The fields a person changed; null empties one. */
export type BookingEdit = Partial<Pick<Booking, SubmissionField>>;

/**
 * How a booking with an unknown outcome is resolved. `confirm`: even though the clinic shows something else, or may still
 * be working on it.
 */
export type Resolution =
  | { as: 'booked'; appointment_id: number; confirm?: boolean }
  | { as: 'booked-no-id' }
  | { as: 'not-booked'; confirm?: boolean };

/**
 * What people can do from the status page or over `POST /admin/…`. `by` is stored with the action. Each throws `Failure`:
 * `refused` with status 404 when the subject does not exist, `refused` when its state does not allow the action, and
 * `transient` when the database does not work.
 */
export interface AdminActions {
  /** Queues a booking that is held, or that was certainly not booked (rejected, expired). */
  approve(ref: string, by: string, asked?: Asked): Promise<Done>;
  /** Sends a changed submission instead of the first one, which was not sent yet and is dropped. */
  take(ref: string, by: string, asked?: Asked): Promise<Done>;
  /** Corrects what will be sent; only the given fields. `send`: approves it too, when nothing else is wrong. */
  edit(ref: string, edit: BookingEdit, by: string, asked?: Asked & { send?: boolean }): Promise<Done>;
  /** `not-booked` sends it again, because a person did not find it at the clinic. */
  resolve(ref: string, resolution: Resolution, by: string, asked?: Asked): Promise<Done>;
  drop(ref: string, why: string, by: string, asked?: Asked): Promise<Done>;
  /** Takes back a decision; `seen` is what its `Done.undo` named. */
  undo(ref: string, seen: string, by: string): Promise<Done>;
  /** Records that a person saw the difference between what was booked and what was asked for. */
  acknowledge(ref: string, by: string, asked?: Asked): Promise<Done>;
  /** Searches the clinic for a booking with an unknown outcome; may take minutes. */
  reconcile(ref: string, by: string): Promise<Done>;
  pauseConnector(connector: string, by: string): Promise<Done>;
  resumeConnector(connector: string, by: string): Promise<Done>;
  /** Runs the connector's own check, which changes nothing. */
  checkConnector(connector: string, by: string): Promise<Done>;
  /** One dead delivery, or all of the connector's. */
  retryDeliveries(connector: string, id: string | undefined, by: string): Promise<Done>;
  skipDeliveries(connector: string, id: string | undefined, by: string): Promise<Done>;
  approveGuard(id: string, by: string): Promise<Done>;
  /** Resumes sending bookings to this clinic. */
  resumeSending(clinic: string, by: string): Promise<Done>;
  /** Polls now: one resource, or all of the clinic's. */
  syncNow(clinic: string, poll: Poll | undefined, by: string): Promise<Done>;
}

/** Data for signed-in people only. */
export interface AdminData {
  booking(ref: string): Promise<BookingDetail | undefined>;
  /** Newest first; `behind`: the last ref of the previous page. */
  bookings(filter: {
    states?: readonly BookingState[];
    source?: string | undefined;
    since?: Instant | undefined;
    until?: Instant | undefined;
    behind?: string;
    limit: number;
  }): Promise<Booking[]>;
  /** Those that a text may mean, the newest first: a name, a phone number in any writing, a reference, an e-mail. */
  search(text: string, limit: number): Promise<Booking[]>;
  /** The same, with what their rows show. */
  listed(bookings: readonly Booking[]): Promise<ListedBooking[]>;
  /** The existing ones of these refs, in this order. */
  bookingsOf(refs: readonly string[]): Promise<Booking[]>;
  /** The clinic's figures over time, oldest first; the report has them only where clinics are few. */
  figures(clinic: string): Promise<Figures[]>;
}

export interface BookingDetail {
  booking: Booking;
  /** What happened and what is known, for a person. */
  sentence: string;
  /** Oldest first. */
  events: BookingEvent[];
  /** What a person can do with it now, the usual action first. */
  actions: AvailableAction[];
  chosen: ChosenNames;
  choices: BookingChoices;
  /** The clinic's wall clock (IANA name). */
  zone: string;
  /** When clinic-sync may look for it at the clinic; null: now, or never. */
  looks_from: Instant | null;
  /** A decision that can be taken back now: `seenOf` the booking after it. */
  undo: string | null;
  /** The earlier booking that `duplicate_of` names. */
  resembles: (Booking & { chosen: ChosenNames }) | null;
}

/** A link of a message that still works, and what it is about. */
export interface OpenOneTap extends OneTap {
  booking: Booking;
  /** What the booking waits for, without patient data. */
  sentence: string;
  /** The message with the link named the patient, too. */
  includePatient: boolean;
}

/** Links in messages that act without signing in. Each throws `Failure` refused for a link that does not work any more. */
export interface OneTaps {
  /** What it would do. Changes nothing, however often it is called. */
  look(token: string): Promise<OpenOneTap>;
  /** Does it, once. `appointmentId`: the number of what `booked` found, where a person knows it. */
  act(opened: OpenOneTap, token: string, appointmentId: number | undefined): Promise<Done>;
}
