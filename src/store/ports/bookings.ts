import type {
  Actor,
  Booking,
  BookingEvent,
  BookingState,
  Evidence,
  Submission,
} from '../../domain/bookings/booking.ts';
import type { LeadIdentity, Resemblance } from '../../domain/bookings/resemblance.ts';
import type { TrackedVisit } from '../../domain/bookings/visit-now.ts';
import type { Campaign, Touches } from '../../domain/campaign.ts';
import type { Instant } from '../../platform/clock.ts';

/** A booking before it has a ref; the store assigns one and applies the duplicate rules. */
export type NewBooking = Omit<
  Booking,
  | 'ref'
  | 'appointment_id'
  | 'attempt'
  | 'sending_since'
  | 'merged'
  | 'duplicate_of'
  | 'acknowledged_duplicates'
  | 'changed_fields'
  | 'refusals'
  | 'verified_at'
  | 'evidence'
  | 'changed_at'
  | keyof Touches
> & {
  /** Its origin; not part of the content. A merged submission passes its own to the first booking. */
  touch?: Campaign;
  /** Hash over name, E.164 phone, date, time, doctor and treatment (folded), as submitted. */
  content_hash: string | null;
  /** Hash that also covers note and address: equal only for an identical resubmission. */
  submission_hash: string | null;
  /** Stored only if the submission is merged or repeated; `get` then finds the booking by it. */
  visitor_ref?: string;
  /** As in the submission; for what is said beside another booking. */
  version?: Submission['version'] | undefined;
};

export interface BookingMove {
  ref: string;
  /** The attempt that this concerns. No effect once a later one has begun. */
  attempt: number;
  /** The states that the caller expects. No effect in any other. */
  from: readonly BookingState[];
  to: BookingState;
  actor: Actor;
  by: string;
  at: Instant;
  /** Its `changed_at` as read by the caller. No effect if it has changed since. */
  as_of?: Instant;
  /** `seenOf` the booking as shown to the user. No effect if that has changed since. */
  seen?: string;
  reason?: string | null;
  message?: string | null;
  not_before?: Instant | null;
  /** Merged into the stored evidence. */
  evidence?: Evidence;
  verified_at?: Instant;
  refusals?: number;
  acknowledged_duplicates?: readonly string[];
  /** Enables `undo`, which then restores this booking as held. */
  undo?: Undo;
  /** Required for `booked`; linked to this booking only, and tracked, in the same transaction. */
  appointment_id?: number;
  /** The booking that has this number now, and whose visit it no longer is: it loses it, and a user is asked. */
  number_from?: string;
  /** A user's corrections (`edit`). */
  edit?: Partial<Pick<Booking, EditableField>>;
  /** If given, no effect while `resembling` has a booking that is neither held nor listed here. */
  beside?: readonly string[];
  /** The booking that this one replaces, dropped in the same step. No effect unless it is in one of these states. */
  instead_of?: { ref: string; from: readonly BookingState[] };
}

export interface Undo {
  until: Instant;
  /** The booking before the decision. */
  booking: Booking;
}

/** Facts about an attempt that do not move the booking. */
export interface BookingNote {
  ref: string;
  attempt: number;
  /** As in a move. */
  seen?: string;
  /** Merged into the stored evidence. */
  evidence: Evidence;
  verified_at?: Instant;
  /** Other bookings shown to the user before the release. */
  acknowledged_duplicates?: readonly string[];
}

type EditableField =
  | 'patient_name'
  | 'patient_phone'
  | 'phone_e164'
  | 'address'
  | 'appointment_date'
  | 'appointment_time'
  | 'doctor_id'
  | 'doctor'
  | 'treatment_id'
  | 'treatment'
  | 'note'
  | 'unreadable_fields'
  | 'duplicate_of'
  /** Only of a held booking that names none of several clinics. */
  | 'clinic';

/** How many bookings one source or one phone number may send to a clinic. */
export interface IntakeLimit {
  by: 'source' | 'phone';
  within_ms: number;
  /** This many are accepted; the next is held. */
  at_most: number;
  message: string;
}

export interface IntakeAllowance {
  limits: readonly IntakeLimit[];
  /** What becomes of a booking that exceeds some of the limits. Pure: may be called twice. */
  over(reached: readonly IntakeLimit[]): Pick<NewBooking, 'state' | 'reason' | 'message'>;
}

/** What was stored with a booking about what was submitted. */
export type Hashes = Pick<NewBooking, 'content_hash' | 'submission_hash'>;

/** A submission that was merged into a booking. */
export interface MergedSubmission extends Hashes {
  source: string;
  submission_id: string;
  ref: string;
}

/** The stored bookings that may equal or conflict with a submission, and what is known of their visits. */
export interface KnownLeads {
  /** Bookings stored under this id, or into which a submission with it was merged. */
  bySubmission(submission: { source: string; submission_id: string }): Booking[];
  /** What was merged under this id; undefined if it was stored as a booking, or never came. */
  merged(submission: { source: string; submission_id: string }): MergedSubmission | undefined;
  /** Whether it repeats what was sent under its id by a person who was erased. True also if only the id is known. */
  isForgotten(submission: { source: string; submission_id: string; submission_hash: string | null }): boolean;
  /** With the same content, for this clinic and from this source. */
  byContent(submission: Pick<NewBooking, 'clinic' | 'source' | 'content_hash'>): Booking[];
  /** For the same date and time, or whose visit the clinic moved there. */
  atSlot(submission: NewBooking): Booking[];
  /** Of the same phone number. */
  ofPhone(submission: NewBooking): Booking[];
  /** Of a person who was erased, with the phone number, date and time of this submission. */
  erasedAt(submission: NewBooking): Booking[];
  hashesOf(ref: string): Hashes;
  /** The visit of a booking as last read. */
  visitOf(ref: string): TrackedVisit | undefined;
  /** Whether a form tool reported the cancellation or move of a booking's visit. */
  isReported(ref: string): boolean;
}

/** Why a submission is held beside others. */
export interface Beside {
  reason: 'duplicate_suspect' | 'changed_submission';
  refs: string[];
  changed_fields: string[];
  says: string;
}

export type DuplicateVerdict =
  | { result: 'same' | 'merged'; first: Booking; change?: Booking | undefined }
  | { result: 'new'; beside: Beside | undefined; submission_hash: string | null };

/** Decides whether a submission is a lead that is known already. */
export interface LeadJudge {
  /** How far back bookings of the same content are read. */
  mergeWithinMs: number;
  /** Pure: called inside the transaction, and again if that is repeated. */
  judge(known: KnownLeads, submission: NewBooking): DuplicateVerdict;
}

/** What would become of a submission, which has no reference of its own. */
export interface Rehearsal {
  result: 'new' | 'same' | 'merged';
  state: BookingState;
  reason: string | null;
  /** The booking that it would be counted on, or be held beside. */
  ref: string | null;
}

/** `moved`: it asked for another time, and the clinic moved its visit there. */
export interface ResemblingBooking {
  ref: string;
  state: BookingState;
  resembles: Resemblance;
  moved: boolean;
}

export interface BookingVerbs {
  /**
   * Stores a submission, judged inside the transaction: counted on the first booking (`same`, `merged`), or `new`, held
   * beside others if the judge says so, else in the given state or as `over` decides. Concurrent calls are judged in
   * order, each as if the previous one had been committed, and share one commit.
   */
  accept(
    booking: NewBooking,
    judge: LeadJudge,
    over?: IntakeAllowance,
  ): Promise<{ booking: Booking; result: 'new' | 'same' | 'merged' }>;
  /**
   * What `accept` would do, by the same statements, which are rolled back before the commit: nothing is ever stored.
   * Even what is rolled back is held, so that no fault here can make it sendable.
   */
  rehearse(booking: NewBooking, judge: LeadJudge, over?: IntakeAllowance): Promise<Rehearsal>;
  /**
   * A queued booking whose `not_before` has passed becomes `sending`, with attempt + 1; stores `evidence` and our
   * highest appointment number. Undefined when it is no longer sendable, or while any booking of the clinic is
   * `sending` (a unique index).
   */
  claim(
    clinic: string,
    at: Instant,
    wanted: { ref: string; evidence: Evidence },
  ): Promise<Booking | undefined>;
  /** Queued bookings that may be sent at `at`, in order; those that the clinic keeps refusing come last. */
  nextSendable(clinic: string, at: Instant, limit: number): Promise<Booking[]>;
  /** When the next delayed `queued` booking may be sent; undefined if there is none. */
  nextDue(clinic: string, at: Instant): Promise<Instant | undefined>;
  /** Adds facts about an attempt; moves nothing. False, and no effect, after a later attempt or if not as seen. */
  note(note: BookingNote): Promise<boolean>;
  /**
   * One legal move with its change-log row and event. Undefined when the booking is not in `from`, is at another
   * attempt, or has another beside it. Throws `Failure` refused, without any effect, for a move not in `legalMoves`,
   * and for `booked` with another booking's appointment_id.
   */
  move(move: BookingMove): Promise<Booking | undefined>;
  /** The token that `undo` expects as `seen`; undefined when there is nothing to undo at that time. */
  undoable(ref: string, at: Instant): Promise<string | undefined>;
  /**
   * Undoes a user's last move if it allowed that (`undo`): the booking is held as before. Undefined, and no effect, if
   * it is no longer as that move left it (`seen`), its person was erased, or the time is over.
   */
  undo(wanted: { ref: string; seen: string; by: string; at: Instant }): Promise<Booking | undefined>;
  /** At start: every `sending` booking (of this clinic) becomes `unknown(interrupted)`. Resolves to those bookings. */
  interruptSending(at: Instant, clinic?: string): Promise<Booking[]>;
  get(ref: string): Promise<Booking | undefined>;
  list(filter: BookingFilter): Promise<Booking[]>;
  /** Which of these states any booking of the clinic is in. The cost does not depend on their number. */
  statesAmong(clinic: string, states: readonly BookingState[]): Promise<ReadonlySet<BookingState>>;
  /** Bookings in these states last changed at or after a time. By index: older bookings cost nothing. */
  changedSince(states: readonly BookingState[], since: Instant): Promise<Booking[]>;
  /**
   * Unsent bookings for days up to and including `date` (YYYY-MM-DD), earliest first: those that may have expired.
   * Without `restored_state` bookings, which do not expire.
   */
  waitingUntil(clinic: string, date: string): Promise<Booking[]>;
  events(ref: string): Promise<BookingEvent[]>;
  /** The booking linked to this appointment, if any. */
  linked(clinic: string, appointmentId: number): Promise<Booking | undefined>;
  /**
   * Bookings that are or may become an appointment and that may be the same wish as this lead, earliest first,
   * including dropped ones that no user confirmed absent at the clinic; none without phone, date and time.
   */
  resembling(lead: LeadIdentity): Promise<ResemblingBooking[]>;
  /**
   * Bookings that have a matching term for every one of these beginnings (`termsIn`), newest first. If more than
   * `limit` do, those with exactly the longest term come first, then the newest of the others.
   */
  withTerms(beginnings: readonly string[], limit: number): Promise<Booking[]>;
  /** How many bookings wait for their terms, counted up to `most`: beyond that, `withTerms` misses older ones. */
  termsDue(): Promise<{ count: number; most: number }>;
  /** Writes the terms of new bookings, which `withTerms` reads directly until then; resolves to their number. */
  fillTerms(signal?: AbortSignal): Promise<number>;
  /** Bookings with this number, newest first. */
  ofPhone(number: { clinic: string; phone_e164: string }, limit: number): Promise<Booking[]>;
  /**
   * Bookings of these clinics with a visit on these days (both included), as asked for or as the clinic shows it, which
   * may be one of the two; at most `limit` of each, earliest first.
   */
  ofVisitDays(
    days: { clinics: readonly string[]; from: string; to: string },
    limit: number,
  ): Promise<Booking[]>;
  /** Bookings of a clinic for one date and time, in any state. */
  atTime(clinic: string, date: string, time: string): Promise<Booking[]>;
  /** Booked ones that differ from the request, unacknowledged by a user. */
  differing(): Promise<Booking[]>;
  /** Booked ones whose appointment has not yet been compared. */
  unverified(clinic: string): Promise<Booking[]>;
  /**
   * Those of these bookings that came from the source, by ref (including bookings that one of its submissions was
   * merged into) or by the source's own submission id. Newest first.
   */
  ofSource(
    clinic: string,
    source: string,
    by: { refs: readonly string[] } | { submission_ids: readonly string[] },
  ): Promise<Booking[]>;
  /** Whether this booking came from the source, or one of its submissions was merged into it. */
  cameFrom(ref: string, source: string): Promise<boolean>;
  /** Our highest appointment number. */
  highestOwnId(clinic: string): Promise<number | undefined>;
  /** Our lowest appointment number above `above` that was booked after a time. */
  firstOwnIdAfter(clinic: string, above: number, since: Instant): Promise<number | undefined>;
  /** Our appointment numbers between two (exclusive), ascending, at most `limit`; null: no upper bound. */
  ownIdsBetween(clinic: string, above: number, below: number | null, limit: number): Promise<number[]>;
  /**
   * Records that the clock leapt at `at` and showed `before` until then: the machine may have been put back to an older
   * state, so what waits must be compared with the clinic before it is sent.
   */
  noteLeap(clinic: string, at: Instant, before: Instant): Promise<void>;
  /** Number of our bookings confirmed within a period (a booking linked later counts when it was sent). */
  confirmedBetween(clinic: string, after: Instant, until: Instant): Promise<number>;
  /** Number of a clinic's leads per quarter of an hour and source from `since` on, in order. */
  leadsPerQuarter(clinic: string, since: Instant): Promise<{ source: string; at: Instant; count: number }[]>;
  /**
   * Per source and state, for these clinics or all: received since `today`, since `week` and ever, including removed
   * ones. Both instants must start a quarter of an hour, as midnight does in any zone.
   */
  totals(
    today: Instant,
    week: Instant,
    clinics?: readonly string[],
  ): Promise<{ source: string; state: BookingState; today: number; week: number; all: number }[]>;
}

export interface BookingFilter {
  clinic?: string;
  source?: string;
  states?: readonly BookingState[];
  /** Received at this time or later. */
  since?: Instant;
  /** Received before this time. */
  until?: Instant;
  /** After this booking in the list, newest first. */
  behind?: Pick<Booking, 'received_at' | 'ref'>;
  limit?: number;
}
