import type { AuditEntry, Session } from '../domain/audit.ts';
import type { Actor, Booking, BookingEvent, BookingState, Evidence } from '../domain/booking.ts';
import type { Change, NewChange } from '../domain/change.ts';
import type { Delivery, NewDelivery } from '../domain/delivery.ts';
import type { Figures, HealthReason } from '../domain/report.ts';
import type { ListPoll, Poll, Statistics, Thing } from '../domain/resource.ts';
import type { Instant } from '../platform/clock.ts';
import type { Failure } from '../platform/failure.ts';
import type { JsonObject } from '../platform/json.ts';

/**
 * Everything that outlives the process. Each verb is one atomic step: one short transaction, durable (fsynced) when it
 * resolves, no network call inside, no handle that leaks. Every verb is scoped to a clinic or a connector.
 * All verbs throw `Failure` transient when the database cannot be read or written; then nothing of the verb happened
 * (a COMMIT that itself failed: see `health`).
 */
export interface Store {
  /**
   * Identity of this database file and how often it was opened for writing by a daemon. `restored`: this daemon found an
   * older copy than the one it last had; every booking that waited to be sent is held (`restored_state`) by then.
   */
  readonly identity: { instance: string; epoch: number; restored: boolean };
  readonly mirror: MirrorVerbs;
  readonly changes: ChangeVerbs;
  readonly appointments: AppointmentVerbs;
  readonly unreadable: UnreadableVerbs;
  readonly bookings: BookingVerbs;
  readonly deliveries: DeliveryVerbs;
  readonly runs: RunVerbs;
  readonly guards: GuardVerbs;
  readonly incidents: IncidentVerbs;
  readonly keyValue: KeyValueVerbs;
  readonly sessions: SessionVerbs;
  readonly audit: AuditVerbs;
  /**
   * Cheap and honest: writes a row and reads it back; after a write that failed, as much as a booking takes. `ok:false`
   * carries a sentence for a person, `warning` one about what will not work for long. Does not throw.
   * After a COMMIT that threw (other than for a full disk) nobody can know whether it is on disk: from then on `ok` is
   * false and every write throws, until the process is restarted and reads what is really there. The same after damage
   * was found, until a backup is restored.
   */
  health(): Promise<StoreHealth>;
  /**
   * Reads every page, beside other work, in seconds to minutes. Resolves to the damage found, by this or any verb before;
   * then nothing is written any more. Rejects when it could not look or was aborted.
   */
  checkIntegrity(signal: AbortSignal): Promise<Failure | undefined>;
  /**
   * Free bytes on the database's volume against the configured floor. `below`: take no new lead (503), so that what is
   * accepted can still be booked. Cheap: measured at most once a second. Does not throw.
   */
  space(): { free: number | null; floor: number; below: boolean };
  /** Such a COMMIT, once there was one: the process has to be started anew. Asks nobody. */
  commitFailure(): Failure | undefined;
  /** Verified online copy; refuses to overwrite. Resolves to its size in bytes. */
  backup(file: string): Promise<number>;
  /**
   * Removes what is settled and older than the limits, in short transactions: never what waits for a person, a send or a
   * connector. Bookings stay counted in `totals`, and the change log keeps its numbers.
   */
  prune(keep: Keep, signal?: AbortSignal): Promise<Removed>;
  /**
   * What may be about a person. Reads every booking and appointment once, in short statements: for commands.
   */
  findPerson(person: Person): Promise<PersonFound>;
  /**
   * Removes a person's data wherever this database holds it, booking by booking; the rows stay, without the person.
   * Bookings that wait are dropped first. Throws `Failure` transient while one of them is being sent: repeat it then,
   * what was erased stays erased. Idempotent.
   */
  erase(person: Person, at: Instant, by: string): Promise<Erased>;
  /** Erasures after the `n`-th, oldest first: what connectors have to take out of what they wrote. No personal data. */
  erasures(n: number): Promise<Erasure[]>;
  /** A restored database has been acted upon (sending is paused, durably): the next start need not do so again. */
  settleRestored(): Promise<void>;
  /**
   * True when another process (a command beside the daemon) has committed something since the last call. Cheap: nothing
   * is read from disk when nothing happened.
   */
  changedElsewhere(): Promise<boolean>;
  /** Waits for writes under way. Idempotent. */
  close(): Promise<void>;
}

/** Since when things are kept. Undefined: for ever. */
export interface Keep {
  now: Instant;
  /** Delivered and skipped deliveries, closed guards, erasures that every connector has heeded. */
  deliveries: Instant;
  /** What was learned from looks at appointments. */
  observations: Instant;
  /** Settled bookings with their appointments, once their date is over. */
  bookings?: Instant | undefined;
  /** Those among them that a person dropped. */
  dropped?: Instant | undefined;
  /** The beginning of the change log, and of the audit but for its last 31 days; of the organization's figures one a month stays. */
  changes?: Instant | undefined;
  /** The configured connectors: what one of them has not taken yet stays. */
  connectors: readonly string[];
  /** Those of them that take erased people out of what they wrote: an erasure stays until all of them have. */
  forgetting: readonly string[];
}

/** How many rows went. */
export interface Removed {
  bookings: number;
  appointments: number;
  changes: number;
  deliveries: number;
  other: number;
}

export interface StoreHealth {
  ok: boolean;
  problem: string | null;
  /** Of the file and its log; null when unknown, or in memory. */
  bytes: number | null;
  log_bytes: number | null;
  warning: string | null;
}

/**
 * By every way a phone number was written, and by what a user knows to be theirs: bookings, and appointments that are
 * followed without one.
 */
export interface Person {
  phones?: readonly string[];
  refs?: readonly string[];
  appointments?: readonly AppointmentKey[];
}

export interface AppointmentKey {
  clinic: string;
  appointment_id: number;
}

export interface PersonFound {
  /** Bookings with the phone number, and those given. */
  refs: string[];
  mentions: Mention[];
  /** Followed by number alone, under the same name as one of these bookings; only a user can tell. */
  same_name: (AppointmentKey & Pick<TrackedAppointment, 'date' | 'time'>)[];
}

/** A booking of another or no number in whose texts (`fields`) the number occurs. */
export interface Mention {
  ref: string;
  fields: string[];
}

/** Whom an erasure was about, by what stays known of them. */
export interface Erasure {
  n: number;
  refs: string[];
  appointments: AppointmentKey[];
}

export interface Erased {
  /** Number of the last erasure this made (`Store.erasures`); 0 when there was nothing to erase. */
  last: number;
  refs: string[];
  appointment_ids: number[];
  /** Rows of the change log and deliveries that were rewritten. */
  changes: number;
  deliveries: number;
  /** False: another process keeps the write-ahead log in use, which has the former pages until it lets go. */
  log_cleared: boolean;
  /** Copies of the database we made beside it, which still have everything. */
  copies: string[];
  /** Backups that were made with this program and are still where they were written. */
  backups: string[];
}

export interface MirrorVerbs {
  /** Id → hash of the things now present (not removed). */
  hashes(clinic: string, poll: ListPoll): Promise<Map<string, string>>;
  /** Things by id, present or removed. */
  records(clinic: string, poll: ListPoll, ids: readonly string[]): Promise<Map<string, Thing>>;
  /**
   * A complete poll: upserts, removals, changes and freshness in one transaction. A removed thing that comes back is
   * upserted with its first_seen_at kept. `statistics` adds a row to the series when any figure differs from the last.
   * Unchanged things get the new `seen_at`. Resolves to the changes with their sequence.
   */
  record(poll: RecordedPoll): Promise<Change[]>;
  /** Rows for people and connectors, ordered by id, removed ones included. `columns` are the API's field names. */
  rows(table: ReadableTable, clinic: string): Promise<MirrorRow[]>;
  /** The newest figures of the organization, oldest first, at most `limit`. */
  statistics(clinic: string, limit: number): Promise<Figures[]>;
  /**
   * The same rows of a table that grows, in the same order, so many at a time: those behind `after` (the last row of
   * the page before), the first ones without it. Fewer than `limit`: that was the end.
   */
  page(table: GrowingTable, clinic: string, limit: number, after?: MirrorRow): Promise<MirrorRow[]>;
  /** The rows with these ids (appointment numbers, refs), removed ones included, in no order. */
  rowsById(table: LoggedTable, clinic: string, ids: readonly string[]): Promise<MirrorRow[]>;
  /**
   * The present rows of what the change log names after `sequence`, each once, and the sequence that was read up to
   * (`sequence` itself: nothing new). Reads at most `limit` changes, of whatever resource; ask again from `through`.
   * What is not in the log does not show: `seen_at`, `next_due_at`, the count of merged submissions.
   */
  rowsChangedSince(
    table: LoggedTable,
    clinic: string,
    sequence: number,
    limit: number,
  ): Promise<{ rows: MirrorRow[]; through: number }>;
}

export type MirrorRow = Record<string, string | number | null>;
/** Tables that grow with the history of the clinic. */
export type GrowingTable = 'organization_statistics' | 'appointments' | 'bookings';
/** Of those, the ones whose rows the change log knows by their id. */
export type LoggedTable = 'appointments' | 'bookings';

export type ReadableTable =
  | 'organization'
  | 'organization_statistics'
  | 'website'
  | 'treatments'
  | 'dentists'
  | 'appointments'
  | 'bookings';

export interface RecordedPoll {
  clinic: string;
  poll: ListPoll;
  at: Instant;
  upserts: Thing[];
  removals: string[];
  changes: NewChange[];
  statistics?: Statistics;
  /** Kept although the answer does not have them, or not in a readable form: their `seen_at` stays. */
  unseen?: readonly string[];
  /** All that could not be read of this answer; what is not among them counts as read. */
  unreadable?: readonly NewUnreadable[];
}

/**
 * A thing of the clinic that its newest answer did not let us read. Its row stays as it was, and this stays until the
 * thing is read or gone.
 */
export interface Unreadable {
  clinic: string;
  poll: Poll;
  /** Null when not even the id can be read; then `position` says which it is. */
  id: string | null;
  /** Place in the list, from 0; null for an appointment, which is asked for by its id. */
  position: number | null;
  /** The field that is to blame, `base_fee`; null when it is the whole, or no answer came at all. */
  field: string | null;
  /** What is wrong with it, for a person: `is missing`. No value of the clinic's. */
  problem: string;
  /** Answers in a row that could not be read. */
  tries: number;
  first_at: Instant;
  last_at: Instant;
}

export type NewUnreadable = Pick<Unreadable, 'id' | 'position' | 'field' | 'problem'>;

export interface UnreadableVerbs {
  /** The oldest first within each clinic and poll; of appointments only those still followed. */
  list(clinic?: string): Promise<Unreadable[]>;
}

export interface ChangeVerbs {
  /** Changes after `sequence`, in order. */
  after(clinic: string, sequence: number, limit: number): Promise<Change[]>;
  /** Highest sequence of the clinic; 0 when there is none. */
  latest(clinic: string): Promise<number>;
  /** Newest first, over all clinics or one. */
  recent(limit: number, clinic?: string): Promise<Change[]>;
  /** Every change of one record, oldest first. */
  history(clinic: string, resource: string, id: string): Promise<Change[]>;
  /**
   * The changes of all records of a resource, record by record, each oldest first, so many at a time: those behind
   * `after`, the first ones without it. Fewer than `limit`: that was the end.
   */
  historyPage(
    clinic: string,
    resource: string,
    limit: number,
    after?: Pick<Change, 'id' | 'sequence'>,
  ): Promise<Change[]>;
}

/** An appointment whose status we follow. */
export interface TrackedAppointment {
  clinic: string;
  appointment_id: number;
  /** Null until it was read the first time. */
  status: string | null;
  name: string | null;
  date: string | null;
  time: string | null;
  /** The booking it came from, if it was booked through us. */
  ref: string | null;
  /** When the status last changed, as far as we saw. */
  status_changed_at: Instant | null;
  first_seen_at: Instant;
  seen_at: Instant | null;
  next_due_at: Instant | null;
  /** Not followed any more: final, long past, or untracked. */
  done: boolean;
}

export interface AppointmentVerbs {
  /** Starts following; a no-op for one already followed (and not done). Records `appointment.tracked`. */
  track(
    clinic: string,
    ids: readonly number[],
    at: Instant,
    facts?: { ref?: string; date?: string; time?: string },
  ): Promise<number>;
  untrack(clinic: string, ids: readonly number[], at: Instant): Promise<number>;
  /** Not done, most overdue first. */
  pending(clinic: string): Promise<TrackedAppointment[]>;
  /** Those with these ids. */
  list(clinic: string, ids: readonly number[]): Promise<TrackedAppointment[]>;
  /** Ordered by number, at most `limit`: those above `after`, the first ones without it. Fewer: that was the end. */
  page(clinic: string, limit: number, after?: number): Promise<TrackedAppointment[]>;
  countPending(clinic: string): Promise<number>;
  /** One status read: new values, next due time and changes in one transaction. */
  observe(observation: Observation): Promise<Change[]>;
  /**
   * A status read that failed for this appointment alone. It keeps what is known of it and is in `unreadable` until the
   * next `observe`; `done` ends that, too.
   */
  unread(
    unread: Pick<Unreadable, 'clinic' | 'field' | 'problem'> & {
      appointment_id: number;
      at: Instant;
      done: boolean;
    },
  ): Promise<void>;
  /** Looks that found a change or not, for learning when statuses move. Oldest first. */
  observations(clinic: string, since: Instant): Promise<ObservedInterval[]>;
}

export interface Observation {
  clinic: string;
  appointment_id: number;
  at: Instant;
  /** Null: the clinic does not know this id (any more). */
  seen: {
    status: string;
    name: string | null;
    date: string | null;
    time: string | null;
    raw: JsonObject;
  } | null;
  next_due_at: Instant | null;
  done: boolean;
  changes: NewChange[];
}

export interface ObservedInterval {
  appointment_id: number;
  status: string;
  date: string;
  time: string;
  from: Instant;
  to: Instant;
  changed: boolean;
}

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
> & {
  /** Hash over name, E.164 phone, date, time, doctor and treatment (folded), as they were submitted. */
  content_hash: string | null;
};

export interface BookingMove {
  ref: string;
  /** The attempt this is said about; when it is not the present one any more nothing happens. */
  attempt: number;
  /** The states the caller believes it to be in; when it is in none of them nothing happens. */
  from: readonly BookingState[];
  to: BookingState;
  actor: Actor;
  by: string;
  at: Instant;
  /** Given: its `changed_at` as it was read; when something has happened to it since, nothing happens. */
  as_of?: Instant;
  reason?: string | null;
  message?: string | null;
  not_before?: Instant | null;
  /** Merged into what is stored. */
  evidence?: Evidence;
  verified_at?: Instant;
  refusals?: number;
  acknowledged_duplicates?: readonly string[];
  /** Required for `booked`; linked to this booking alone and tracked in the same transaction. */
  appointment_id?: number;
  /** Corrections by a person (`edit`). */
  edit?: Partial<Pick<Booking, EditableField>>;
  /** Given: nothing happens while `sameSlot` has another that is neither held nor named here. */
  beside?: readonly string[];
  /** Dropped in the same step, in whose place this one comes; when it is in none of these states nothing happens. */
  instead_of?: { ref: string; from: readonly BookingState[] };
}

/** Facts about an attempt, without a move. */
export interface BookingNote {
  ref: string;
  attempt: number;
  /** Merged into what is stored. */
  evidence: Evidence;
  verified_at?: Instant;
  /** Others that whoever wanted to release it was shown. */
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

export interface BookingVerbs {
  /**
   * Stores a submission, judged inside the transaction. Same (source, submission_id) and same content → `same`; other
   * content → `new`, held (`changed_submission`) beside the first, and sent again counted there (`same`). Same content
   * from the same source within `mergeWithinMs`, or the same name, phone, date and time from any source within a day →
   * `merged` (counted on the first). Another in `sameSlot` → held (`duplicate_suspect`) with `duplicate_of`. Else `new`
   * in the state given. Waiting calls share one commit.
   */
  accept(
    booking: NewBooking,
    mergeWithinMs: number,
  ): Promise<{ booking: Booking; result: 'new' | 'same' | 'merged' }>;
  /**
   * A queued booking whose `not_before` has passed becomes `sending`, with attempt + 1, the highest of our appointment
   * numbers and `evidence` stored. Undefined when it is not sendable any more, or when any booking of the clinic is
   * `sending` (a unique index enforces it too).
   */
  claim(
    clinic: string,
    at: Instant,
    wanted: { ref: string; evidence: Evidence },
  ): Promise<Booking | undefined>;
  /** Queued bookings that may be sent at `at`, in their order: those the clinic keeps refusing come last. */
  nextSendable(clinic: string, at: Instant, limit: number): Promise<Booking[]>;
  /** When the next queued booking that waits may be sent; undefined when none waits. */
  nextDue(clinic: string, at: Instant): Promise<Instant | undefined>;
  /** Adds facts about an attempt without moving the booking; false (and nothing happens) when it is another one by now. */
  note(note: BookingNote): Promise<boolean>;
  /**
   * One legal move with its change-log row and event. Undefined when it is not in `from`, or at another attempt, or has
   * another beside it.
   * Throws `Failure` refused for a move that the table of legal moves does not have, and for `booked` with an
   * appointment_id that another booking already has (then nothing happened).
   */
  move(move: BookingMove): Promise<Booking | undefined>;
  /** At start: every `sending` becomes `unknown(interrupted)`. Resolves to those bookings. */
  interruptSending(at: Instant): Promise<Booking[]>;
  get(ref: string): Promise<Booking | undefined>;
  list(filter: BookingFilter): Promise<Booking[]>;
  /** Those in these states whose last change was at or after a time. By index: what changed before costs nothing. */
  changedSince(states: readonly BookingState[], since: Instant): Promise<Booking[]>;
  /**
   * Not sent and for a day up to `date` (YYYY-MM-DD), that day included, the earliest first: what may have expired.
   * Without what an older copy brought back, which does not expire.
   */
  waitingUntil(clinic: string, date: string): Promise<Booking[]>;
  events(ref: string): Promise<BookingEvent[]>;
  /** Is this appointment already linked to a booking? */
  linked(clinic: string, appointmentId: number): Promise<string | undefined>;
  /**
   * Bookings that are or may become an appointment for this phone at this time, the earliest first, one too that was
   * dropped without a word that it is not there; none when a part is missing.
   */
  sameSlot(
    slot: Pick<Booking, 'clinic' | 'phone_e164' | 'appointment_date' | 'appointment_time'>,
  ): Promise<{ ref: string; state: BookingState }[]>;
  /** Bookings of a clinic for one date and time, whatever their state. */
  atTime(clinic: string, date: string, time: string): Promise<Booking[]>;
  /** Booked ones that are not what was asked for, until a person has acknowledged it. */
  differing(): Promise<Booking[]>;
  /** Booked ones whose appointment nobody has compared yet. */
  unverified(clinic: string): Promise<Booking[]>;
  /**
   * Of these, the bookings that the source brought: by ref (also those that a submission of it was merged into), or by
   * the id the source gave the submission. Newest first.
   */
  ofSource(
    clinic: string,
    source: string,
    by: { refs: readonly string[] } | { submission_ids: readonly string[] },
  ): Promise<Booking[]>;
  /** Is this booking one that the source brought, or that a submission of it was merged into? */
  cameFrom(ref: string, source: string): Promise<boolean>;
  /** The highest appointment number that is ours. */
  highestOwnId(clinic: string): Promise<number | undefined>;
  /** Our lowest appointment number above one that was booked after a time. */
  firstOwnIdAfter(clinic: string, above: number, since: Instant): Promise<number | undefined>;
  /** Our appointment numbers between two, ascending, at most `limit`; null: no end. */
  ownIdsBetween(clinic: string, above: number, below: number | null, limit: number): Promise<number[]>;
  /** How many of ours were confirmed after one time and until another (one linked later counts when it was sent). */
  confirmedBetween(clinic: string, after: Instant, until: Instant): Promise<number>;
  /** How many were accepted from a source, or with a phone, since a time; a flood is counted no further than `atMost`. */
  countSince(
    clinic: string,
    since: Instant,
    by: { source: string } | { phone_e164: string },
    atMost?: number,
  ): Promise<number>;
  /**
   * Per source and state of all clinics or one: received since `today`, since `week`, and ever, also what was removed
   * since. Both instants begin a quarter of an hour, as midnight does in every zone. Costs the same after ten years.
   */
  totals(
    today: Instant,
    week: Instant,
    clinic?: string,
  ): Promise<{ source: string; state: BookingState; today: number; week: number; all: number }[]>;
}

export interface BookingFilter {
  clinic?: string;
  source?: string;
  /** With `source`: those, too, that its submissions were merged into. */
  merged_too?: boolean;
  states?: readonly BookingState[];
  /** Received at or after. */
  since?: Instant;
  /** Behind this one in the list, newest first. */
  behind?: Pick<Booking, 'received_at' | 'ref'>;
  limit?: number;
}

export interface DeliveryVerbs {
  /** Sequence up to which this connector has taken changes; undefined for a connector never seen. */
  cursor(connector: string, clinic: string): Promise<number | undefined>;
  /** The cursor of each clinic this connector has one for, and where that clinic's change log ends; in one statement. */
  positions(connector: string): Promise<Map<string, { cursor: number; latest: number }>>;
  /** Deliveries and the new cursor (null: it stays) in one transaction. Ids already present are left alone. */
  enqueue(
    connector: string,
    clinic: string,
    upTo: number | null,
    deliveries: readonly NewDelivery[],
    at: Instant,
  ): Promise<void>;
  /** Pending and due, at most one per thing (its oldest; a later one waits behind it, also behind a dead one). */
  due(connector: string, at: Instant, limit: number): Promise<Delivery[]>;
  /** When the next one becomes due; undefined when nothing is pending. */
  nextDue(connector: string): Promise<Instant | undefined>;
  settle(outcomes: readonly DeliveryOutcome[]): Promise<void>;
  list(filter: { connector?: string; state?: Delivery['state']; limit?: number }): Promise<Delivery[]>;
  /** Everything there is of one thing (`resource:id`), for all connectors, oldest first. */
  of(clinic: string, thing: string): Promise<Delivery[]>;
  /** A person's decision on one or all dead deliveries of a connector. Resolves to how many. */
  decide(connector: string, decision: 'retry' | 'skip', at: Instant, id?: string): Promise<number>;
  /** How often this connector's changes of a clinic were replayed: part of the ids, so that a replay has new ones. */
  replays(connector: string, clinic: string): Promise<number>;
  /** What waits for a later time than `at` is due at `at`. Resolves to how many. */
  hasten(connector: string, at: Instant): Promise<number>;
  /** Sets the cursor back so that changes from `sequence` on are delivered again, with new ids. */
  replay(connector: string, clinic: string, sequence: number): Promise<void>;
  /** How connectors are doing; kept over restarts. */
  connector(connector: string): Promise<ConnectorState>;
  report(connector: string, state: Partial<ConnectorState>): Promise<void>;
  counts(connector: string): Promise<{ pending: number; dead: number }>;
}

export interface DeliveryOutcome {
  id: string;
  at: Instant;
  state: 'delivered' | 'pending' | 'dead';
  next_attempt_at?: Instant;
  error?: string;
}

/** Who has to end a pause: it ends on its own when deliveries succeed, a person ends it, or the receiver wants no more. */
export type PauseKind = 'automatic' | 'person' | 'gone';

export interface ConnectorState {
  paused: boolean;
  /** Null unless paused. */
  pause_kind: PauseKind | null;
  /** For people. */
  paused_reason: string | null;
  paused_at: Instant | null;
  /** The person who paused it; null for the daemon. */
  paused_by: string | null;
  resumed_at: Instant | null;
  resumed_by: string | null;
  /** The last erasure it has heeded (`Store.erasures`). */
  forgotten: number;
  last_success_at: Instant | null;
  last_failure_at: Instant | null;
  last_error: string | null;
  failures: number;
  problems: string[];
}

/** When a poll is due and how the last ones went. */
export interface PollState {
  clinic: string;
  poll: Poll;
  next_due_at: Instant | null;
  last_started_at: Instant | null;
  last_success_at: Instant | null;
  /** Last time the poll found nothing due: then everything known is as fresh as planned, but nothing was read. */
  last_idle_at: Instant | null;
  last_error: string | null;
  failures: number;
  /** In the mirror now; of appointments those that are kept, followed or not. */
  rows: number;
  /** When the first of the failures in a row was; meaningless while there is none. */
  failing_since: Instant | null;
  /** When something of this resource last changed. */
  last_change_at: Instant | null;
}

export interface RunVerbs {
  list(clinic?: string): Promise<PollState[]>;
  started(clinic: string, poll: Poll, at: Instant): Promise<void>;
  /** `MirrorVerbs.record` already notes the success of a list poll; this is for appointments and for failures. */
  finished(clinic: string, poll: Poll, at: Instant, result: { error: string | null }): Promise<void>;
  /** A run that had nothing to do. It is neither a success nor a failure, and leaves what is known of both. */
  idle(clinic: string, poll: Poll, at: Instant): Promise<void>;
  due(clinic: string, poll: Poll, next: Instant): Promise<void>;
}

/** An answer that was not applied because it would remove or change too much. */
export interface Guard {
  id: string;
  clinic: string;
  poll: ListPoll;
  kind: 'removed' | 'changed';
  /** Hash of what the answer would do; equal ones in a row let it through, see `approval_only`. */
  fingerprint: string;
  seen: number;
  count: number;
  of: number;
  sentence: string;
  /** The first of the things that would go or change. */
  things: { id: string; name: string | null }[];
  /** Only a person's approval lets it through, however many answers agree. */
  approval_only: boolean;
  state: 'open' | 'approved' | 'passed' | 'withdrawn';
  first_at: Instant;
  last_at: Instant;
}

export interface GuardVerbs {
  /** The open or approved guard of this poll, if any. */
  current(clinic: string, poll: ListPoll): Promise<Guard | undefined>;
  /** Counts an equal answer, or opens a new guard in place of a different one. */
  raise(guard: Omit<Guard, 'id' | 'seen' | 'state' | 'first_at' | 'last_at'>, at: Instant): Promise<Guard>;
  close(id: string, state: 'passed' | 'withdrawn', at: Instant): Promise<void>;
  /** False when there is no such open guard. */
  approve(id: string, at: Instant, by: string): Promise<boolean>;
  list(): Promise<Guard[]>;
}

/** One cause of trouble, from when to when. */
export interface Incident extends Omit<HealthReason, 'since' | 'action'> {
  n: number;
  since: Instant;
  /** Null while it lasts. */
  ended_at: Instant | null;
}

export interface IncidentVerbs {
  /** What is wrong at `at`, all of it: what is new begins, what is missing ends. What ended 90 days ago is removed. */
  settle(reasons: readonly HealthReason[], at: Instant): Promise<{ begun: Incident[]; ended: Incident[] }>;
  open(): Promise<Incident[]>;
  lastEnded(): Promise<Incident | undefined>;
}

export interface KeyValueVerbs {
  get(scope: string, key: string): Promise<string | undefined>;
  /** All or nothing; undefined deletes. */
  set(scope: string, entries: Record<string, string | undefined>): Promise<void>;
  list(scope: string, prefix: string): Promise<Record<string, string>>;
}

export interface SessionVerbs {
  get(id: string): Promise<Session | undefined>;
  /** Forgets the sessions whose time is over. */
  start(session: Session): Promise<void>;
  seen(id: string, at: Instant): Promise<void>;
  /** False when there is no such session (any more). */
  end(id: string): Promise<boolean>;
  /** Those whose time is not over, the last used first. */
  list(at: Instant): Promise<Session[]>;
}

/** Append-only: the database itself refuses changes, and deletions of what is younger than 30 days. */
export interface AuditVerbs {
  /** Of what was looked at or tried: there is nothing it could share a transaction with. */
  record(entry: AuditEntry): Promise<void>;
  /**
   * Runs a deed. `entry`, which says that it succeeded, is written in the transaction of the first verb that the deed
   * changes something with, so that neither is there without the other; after a deed that changed nothing, by itself.
   * A deed that throws leaves a row with what `refused` makes of the error. `lost` hears of a row that stands alone and
   * could not be written: nothing fails for it.
   */
  perform<T>(
    entry: AuditEntry,
    deed: () => Promise<T>,
    on: { refused: (error: unknown) => string; lost: (error: unknown) => void },
  ): Promise<T>;
  /** Newest first; `before`: only what is older than the row of that number. */
  list(filter: { since?: Instant; before?: number; limit: number }): Promise<(AuditEntry & { n: number })[]>;
}
