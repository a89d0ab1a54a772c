import type { Actor, Booking, BookingEvent, BookingState, Evidence } from '../../domain/booking.ts';
import type { Campaign, Touches } from '../../domain/campaign.ts';
import type { Instant } from '../../platform/clock.ts';

/** A booking before it has a ref; the store gives it one and applies the duplicate rules. */
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
  /** Where it came from; not part of the content. A merged submission brings its own to the first. */
  touch?: Campaign;
  /** Hash over name, E.164 phone, date, time, doctor and treatment (folded), as they were submitted. */
  content_hash: string | null;
  /** The same with note and address: equal for a submission that is sent again as it was. */
  submission_hash: string | null;
  /** Stored only when the submission is merged or repeated; `get` finds the booking by it. */
  visitor_ref?: string;
};

export interface BookingMove {
  ref: string;
  /** The attempt that this concerns. Nothing happens once a later one has begun. */
  attempt: number;
  /** The states the caller expects. In any other, nothing happens. */
  from: readonly BookingState[];
  to: BookingState;
  actor: Actor;
  by: string;
  at: Instant;
  /** Its `changed_at` as the caller read it. If it has changed since, nothing happens. */
  as_of?: Instant;
  /** `seenOf` the booking as a person was shown it. If that has changed since, nothing happens. */
  seen?: string;
  reason?: string | null;
  message?: string | null;
  not_before?: Instant | null;
  /** Merged into what is stored. */
  evidence?: Evidence;
  verified_at?: Instant;
  refusals?: number;
  acknowledged_duplicates?: readonly string[];
  /** For `undo`, which then leads back to this booking, held. */
  undo?: Undo;
  /** Required for `booked`; linked to only this booking, and tracked, in the same transaction. */
  appointment_id?: number;
  /** Corrections by a person (`edit`). */
  edit?: Partial<Pick<Booking, EditableField>>;
  /** If given, nothing happens while `sameSlot` has another booking that is neither held nor named here. */
  beside?: readonly string[];
  /** The booking that this one replaces, dropped in the same step. Unless it is in one of these states, nothing happens. */
  instead_of?: { ref: string; from: readonly BookingState[] };
}

export interface Undo {
  until: Instant;
  /** As it was before the decision. */
  booking: Booking;
}

/** Facts about an attempt that do not move the booking. */
export interface BookingNote {
  ref: string;
  attempt: number;
  /** As in a move. */
  seen?: string;
  /** Merged into what is stored. */
  evidence: Evidence;
  verified_at?: Instant;
  /** Other bookings that the user was shown before releasing it. */
  acknowledged_duplicates?: readonly string[];
}

export type EditableField =
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
  | 'duplicate_of';

/** How many bookings one source, or one phone number, may bring to a clinic. */
export interface IntakeLimit {
  by: 'source' | 'phone';
  within_ms: number;
  /** This many are let through; the next is held. */
  at_most: number;
  message: string;
}

export interface IntakeLimits {
  limits: readonly IntakeLimit[];
  /** What becomes of a booking that exceeds some of them. Pure: may be called twice. */
  over(reached: readonly IntakeLimit[]): Pick<NewBooking, 'state' | 'reason' | 'message'>;
}

/** What would become of a submission. It has no reference: there is no booking. */
export interface Rehearsal {
  result: 'new' | 'same' | 'merged';
  state: BookingState;
  reason: string | null;
}

export interface BookingVerbs {
  /**
   * Stores a submission, judged inside the transaction. Same (source, submission_id) and same content → `same`; other
   * content → `new`, held (`changed_submission`) beside the first, and sent again counted there (`same`). Same content
   * from the same source within `mergeWithinMs`, or the same name, phone, date and time from any source within a day →
   * `merged` (counted on the first). Another in `sameSlot` → held (`duplicate_suspect`) with `duplicate_of`. Else `new`
   * in the state given, or as `over` says. Waiting calls are judged in their order, as if each had been committed before
   * the next, and share one commit.
   */
  accept(
    booking: NewBooking,
    mergeWithinMs: number,
    over?: IntakeLimits,
  ): Promise<{ booking: Booking; result: 'new' | 'same' | 'merged' }>;
  /**
   * What `accept` would do, by the same statements, which are taken back before their commit: nothing of it is ever stored.
   * Even what is taken back is held, so no fault here can make it sendable.
   */
  rehearse(booking: NewBooking, mergeWithinMs: number, over?: IntakeLimits): Promise<Rehearsal>;
  /**
   * A queued booking whose `not_before` has passed becomes `sending`, with attempt + 1, the highest of our appointment
   * numbers and `evidence` stored. Undefined when it is no longer sendable, or when any booking of the clinic is
   * `sending` (a unique index enforces it too).
   */
  claim(
    clinic: string,
    at: Instant,
    wanted: { ref: string; evidence: Evidence },
  ): Promise<Booking | undefined>;
  /** Queued bookings that may be sent at `at`, in order; those the clinic keeps refusing come last. */
  nextSendable(clinic: string, at: Instant, limit: number): Promise<Booking[]>;
  /** When the next waiting booking in `queued` may be sent; undefined when none waits. */
  nextDue(clinic: string, at: Instant): Promise<Instant | undefined>;
  /** Adds facts about an attempt without moving the booking; false, and no effect, once another attempt has begun or it is not as seen. */
  note(note: BookingNote): Promise<boolean>;
  /**
   * One legal move with its change-log row and event. Undefined when the booking is not in `from`, is at another
   * attempt, or has another beside it. Throws `Failure` refused, without any effect, for a move that is not in
   * `legalMoves`, and for `booked` with another booking's appointment_id.
   */
  move(move: BookingMove): Promise<Booking | undefined>;
  /** What `undo` has to be told as `seen`; undefined when there is nothing to take back at that time. */
  undoable(ref: string, at: Instant): Promise<string | undefined>;
  /**
   * Takes back a person's last move that allowed it (`undo`): the booking is held as it was. Undefined, and no effect, when
   * it is no longer as that move left it (`seen`), its person was erased, or the time is over.
   */
  undo(wanted: { ref: string; seen: string; by: string; at: Instant }): Promise<Booking | undefined>;
  /** At start: every `sending` (of this clinic) becomes `unknown(interrupted)`. Resolves to those bookings. */
  interruptSending(at: Instant, clinic?: string): Promise<Booking[]>;
  get(ref: string): Promise<Booking | undefined>;
  list(filter: BookingFilter): Promise<Booking[]>;
  /** In which of these states is any booking of the clinic? Costs the same however many are. */
  statesAmong(clinic: string, states: readonly BookingState[]): Promise<ReadonlySet<BookingState>>;
  /** Bookings in these states that last changed at or after a time. Uses an index: older bookings cost nothing. */
  changedSince(states: readonly BookingState[], since: Instant): Promise<Booking[]>;
  /**
   * Unsent bookings for days up to and including `date` (YYYY-MM-DD), the earliest first: what may have expired.
   * Leaves out what an older copy brought back, which does not expire.
   */
  waitingUntil(clinic: string, date: string): Promise<Booking[]>;
  events(ref: string): Promise<BookingEvent[]>;
  /** Is this appointment already linked to a booking? */
  linked(clinic: string, appointmentId: number): Promise<string | undefined>;
  /**
   * Bookings that are or may become an appointment for this phone at this time, the earliest first, including
   * dropped ones that no user confirmed absent at the clinic; none when a part is missing.
   */
  sameSlot(
    slot: Pick<Booking, 'clinic' | 'phone_e164' | 'appointment_date' | 'appointment_time'>,
  ): Promise<{ ref: string; state: BookingState }[]>;
  /**
   * Those of which, for each of these beginnings (`termsIn`), a term begins so, the newest first. Where more than `limit`
   * do, those with just the longest one, then the newest of others.
   */
  withTerms(beginnings: readonly string[], limit: number): Promise<Booking[]>;
  /** How many bookings wait for their terms, counted up to `most`: of more, `withTerms` reads the newest only. */
  termsDue(): Promise<{ count: number; most: number }>;
  /** Writes the terms of bookings that came since, which `withTerms` reads itself until then; resolves to how many. */
  fillTerms(signal?: AbortSignal): Promise<number>;
  /** With this number, the newest first. */
  ofPhone(number: { clinic: string; phone_e164: string }, limit: number): Promise<Booking[]>;
  /** Bookings of a clinic for one date and time, whatever their state. */
  atTime(clinic: string, date: string, time: string): Promise<Booking[]>;
  /** Booked ones that differ from what was asked for and that no person has acknowledged. */
  differing(): Promise<Booking[]>;
  /** Booked ones whose appointment has not yet been compared. */
  unverified(clinic: string): Promise<Booking[]>;
  /**
   * The bookings among these that came from the source: by ref (including those that one of its submissions was merged
   * into), or by the source's own submission id. Newest first.
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
  /** Our lowest appointment number above one that was booked after a time. */
  firstOwnIdAfter(clinic: string, above: number, since: Instant): Promise<number | undefined>;
  /** Our appointment numbers between two, ascending, at most `limit`; null: no end. */
  ownIdsBetween(clinic: string, above: number, below: number | null, limit: number): Promise<number[]>;
  /** How many of our bookings were confirmed after one time and until another (one linked later counts when it was sent). */
  confirmedBetween(clinic: string, after: Instant, until: Instant): Promise<number>;
  /** How many leads of a clinic came in each quarter of an hour from `since` on, by source, in order. */
  leadsPerQuarter(clinic: string, since: Instant): Promise<{ source: string; at: Instant; count: number }[]>;
  /**
   * Per source and state, of these clinics or all: received since `today`, since `week` and ever, including removed
   * ones. Both instants begin a quarter of an hour, as midnight does in every zone. Costs the same after ten years.
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
  /** Received at or after. */
  since?: Instant;
  /** Received before. */
  until?: Instant;
  /** Behind this one in the list, newest first. */
  behind?: Pick<Booking, 'received_at' | 'ref'>;
  limit?: number;
}
