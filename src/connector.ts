import type { z } from 'zod';
import type { Booking, BookingState, FieldFault, Submission } from './domain/bookings/booking.ts';
import type {
  IntakePage,
  IntakeRefusal,
  IntakeRequest,
  IntakeResult,
  IntakeSetup,
  PageSources,
  ProbeLead,
  ProbeRequest,
  RefusedVisitor,
  VisitorLimits,
  VisitorTrouble,
} from './domain/bookings/intake-contract.ts';
import type { Change } from './domain/clinics/change.ts';
import type { MonthPack } from './domain/clinics/month.ts';
import type { GrowingTable, LoggedTable, MirrorTable, Row } from './domain/clinics/tables.ts';
import type { ShownRequest } from './domain/delivery.ts';
import type { CheckLine } from './domain/texts/check-line.ts';
import type { Problem } from './domain/texts/problem.ts';
import type { Clock, Instant } from './platform/clock.ts';
import type { Log } from './platform/log.ts';

export type {
  IntakePage,
  IntakeRefusal,
  IntakeRequest,
  IntakeResult,
  PageSources,
  ProbeLead,
  ProbeRequest,
  RefusedVisitor,
  VisitorLimits,
  VisitorTrouble,
} from './domain/bookings/intake-contract.ts';
// biome-ignore lint/performance/noBarrelFile: packages from outside see this file alone
export {
  type GrowingTable,
  type LoggedTable,
  loggedTables,
  type MirrorTable,
  mirrorTables,
  type Row,
} from './domain/clinics/tables.ts';
export { type CheckedLine, type CheckLine, fail, ok, warn } from './domain/texts/check-line.ts';
export {
  type Ask,
  byWeight,
  type Note,
  need,
  type Problem,
  type ProblemCode,
  said,
  sentenceOf,
  stated,
  statedFrom,
  trouble,
  weightOf,
} from './domain/texts/problem.ts';
/** Thrown by connectors. A copy of the class works too: it is recognised by its name and `kind`. */
export { Failure } from './platform/failure.ts';

/**
 * The contract between the daemon and its connectors. A connector imports this file, `platform/` and `domain/` only;
 * packages from outside see it as `clinic-sync/connector`.
 *
 * The daemon expects: every method honours its `signal`; a failure is thrown as `Failure` (anything else counts as
 * transient); no method may block another connector. A connector that throws while being built is quarantined and
 * shown.
 */
export interface ConnectorKind<Settings = unknown> {
  /** The name that `use:` gives in the configuration. */
  readonly name: string;
  /** One line for `connectors list` and the documentation. */
  readonly summary: string;
  /** Its settings in snake_case, each with a description; without `use` and the common settings. */
  readonly settings: z.ZodType<Settings>;
  /** Settings of earlier versions that have no effect any more: named in a warning, and left out. */
  readonly former?: readonly string[];
  /** Names of settings that are secrets: masked wherever the configuration is shown. */
  readonly secrets: readonly string[];
  /** Hosts whose scripts run on the pages that it serves, at the daemon's own address. */
  scriptHosts?(settings: Settings): readonly string[];
  /** What to set so that each lead is for one of several clinics; undefined where leads say so already. */
  clinicHint?(settings: Settings): string | undefined;
  /** How an event goes out, for people who look for what went wrong; values that are secret are `…`. */
  requestOf?(settings: Settings, event: { id: string }): ShownRequest;
  create(context: ConnectorContext<Settings>): Promise<Connector>;
  /**
   * Lets a person sign in (`connectors login`), also before the daemon's first start; the result is kept where the
   * settings say. Throws `Failure`, also for settings that need no sign-in.
   */
  login?(settings: Settings, options: LoginOptions, signal: AbortSignal): Promise<void>;
  /**
   * What others may have of a person by this connector, and `forget` cannot reach: for `people export` and `erase`,
   * which run beside the daemon. Without it: what the connector was given, if patients are included.
   */
  beyondReach?(given: GivenAway<Settings>): string[];
  /** Places in its files that contain one of these numbers in a text that was not booked. */
  mentions?(settings: Partial<Settings>, phones: readonly string[]): string[];
  /** The name under which its files for advertising platforms have conversions. */
  conversionName?(settings: Partial<Settings>): string;
}

/** What a connector may have given others about a person. */
export interface GivenAway<Settings = unknown> {
  name: string;
  /** As written: a secret may be missing. */
  settings: Partial<Settings>;
  clinics: readonly string[];
  includePatient: boolean;
  includeHashed: boolean;
  /** The only host that has its folders, if that is another one. */
  host: string | undefined;
  /** The person's bookings. */
  leads: readonly Lead[];
  /** True: only what remains after the connector has removed the person. */
  isErased: boolean;
  /** Whether each conversion in its files is named elsewhere. */
  isNamed: boolean;
}

/** A booking and one connector that brought it. */
export interface Lead {
  ref: string;
  source: string;
  clinic: string;
  /** Whether it came with a campaign or a click. */
  isTracked: boolean;
}

/** One configured connector. An absent member is an ability that it lacks. */
export interface Connector {
  /** Receives single events, in order per record. */
  readonly events?: EventDelivery;
  /** Keeps a file, a sheet or any other state equal to the mirror. */
  readonly state?: StateDelivery;
  /** Takes bookings over HTTP at `/in/{connector}`. */
  readonly intake?: HttpIntake;
  /** For `connectors check` and `doctor`. Changes nothing. Does not throw. */
  check(signal: AbortSignal): Promise<CheckLine[]>;
  /** Restores what people removed, such as a column (`connectors repair`). Throws `Failure`. */
  repair?(signal: AbortSignal): Promise<Converged>;
  /**
   * Removes erased people from everything it wrote and can still reach; the mirror no longer has them. Never runs
   * beside `state.converge`. Called, also while paused, until it resolves; the same person may come twice. Throws
   * `Failure`. Without it, `erase` tells people to clean this connector themselves, unless it `holdsNothing`.
   */
  forget?(erased: ErasedPeople, mirror: MirrorView, signal: AbortSignal): Promise<void>;
  /** True when neither it nor what it writes keeps anything about a person. */
  readonly holdsNothing?: boolean;
  /** Deletes its own files that are older than `before`. Resolves to their number. Throws `Failure`. */
  tidy?(before: Instant, signal: AbortSignal): Promise<number>;
  /** Releases its resources. No other method is called afterwards. Idempotent. */
  stop(): Promise<void>;
}

export interface LoginOptions {
  /** A port of this machine that the browser returns to; 0 for any free one. */
  port: number;
  /** Shows the person which address to open in a browser. */
  show(address: string): void;
  /** Lines that the person types: the address that a browser on another machine could not open. */
  typed: AsyncIterable<string>;
}

/** Erased people, identified by their bookings and appointments, never by name. */
export interface ErasedPeople {
  refs: readonly string[];
  appointments: readonly { clinic: string; appointment_id: number }[];
}

/** At least once, in order per record, the same id and bytes on every retry. */
export interface EventDelivery {
  /** Whether this change is for this connector. No I/O. */
  wants(change: Change): boolean | Promise<boolean>;
  /** The exact bytes to send. Called once per change; the result is stored and resent unchanged. */
  encode(change: Change): string | Promise<string>;
  /**
   * Resolves when the receiver has it. Throws `Failure`: `transient` is retried, `refused` waits for a person;
   * `refused` with status 410 (gone) pauses the connector, which keeps everything that waits.
   */
  deliver(event: OutgoingEvent, signal: AbortSignal): Promise<void>;
  /** Milliseconds to wait before attempt 2, 3, …, plus jitter; after the last attempt the delivery is dead. */
  readonly schedule: readonly number[];
  /** True: a new connector first receives everything there is, as `created` and `updated` events. */
  readonly snapshot: boolean;
  /** Concurrent deliveries, of different records; default 8. */
  readonly concurrency?: number;
  /** Milliseconds after which an attempt is aborted; default 60 s. */
  readonly deadlineMs?: number;
  /** True: events that pile up during an outage become one per record, except for bookings. */
  readonly coalesce?: boolean;
}

export interface OutgoingEvent {
  id: string;
  clinic: string;
  sequence: number;
  type: string;
  body: string;
  attempt: number;
}

/** State, not changes: every call compares and writes what differs, so the next call repairs any accident. */
export interface StateDelivery {
  /** Called after changes, and at least this often (milliseconds) to repair drift and read input. */
  readonly everyMs: number;
  /** Milliseconds after which a call is aborted; default 10 min. */
  readonly deadlineMs?: number;
  /** Longest pause after a failure, where an attempt costs nothing, as in a folder; default 15 min. */
  readonly retryWithinMs?: number;
  converge(mirror: MirrorView, signal: AbortSignal): Promise<Converged>;
}

export interface Converged {
  /** What was written, for people: `{ 'treatments.csv': 12 }`. */
  written: Record<string, number>;
  /** For the status page: what was skipped and what to do. */
  problems: Problem[];
  /** Milliseconds until the next call, when earlier than `everyMs`. */
  nextInMs?: number;
  /** True: known work is left for the next call, not before `nextInMs`; until then the connector counts as behind. */
  unfinished?: boolean;
}

/** A consistent reading of the mirror, without patient columns unless the connector is configured to `include` them. */
export interface MirrorView {
  /** The current clinics of this connector: each run and each request gets a new view. */
  readonly clinics: readonly ClinicFacts[];
  /** All rows by id, bookings by receipt, also removed ones (`removed_at`). Read growing tables with `page`. */
  rows(table: MirrorTable, clinic: string): Promise<Row[]>;
  /** The same rows in the same order, at most `limit`, after the row `after`. */
  page(table: GrowingTable, clinic: string, limit: number, after?: Row): Promise<Row[]>;
  /**
   * The current rows of everything the change log names after `sequence`, each once, and the sequence read up to
   * (`sequence` itself when nothing is new). Reads at most `limit` changes; continue from `through`. A booking's count
   * of merged submissions is not in the log. A conversion taken back or made again comes with only its former position
   * (`converted_at`, `ref`). `retractions` only gain rows, until a person is erased or a booking removed.
   */
  rowsChangedSince(
    table: LoggedTable,
    clinic: string,
    sequence: number,
    limit: number,
  ): Promise<{ rows: Row[]; through: number }>;
  /** The rows with these ids (appointment numbers, refs), including removed ones, unordered. */
  rowsById(table: LoggedTable, clinic: string, ids: readonly string[]): Promise<Row[]>;
  /**
   * The bookings among these that came from this connector or were merged with a submission of it, newest first, with
   * patient data (the connector supplied it).
   */
  ownBookings(clinic: string, refs: readonly string[]): Promise<Booking[]>;
  /** The same by submission id; a merged booking has only the id of its first submission. */
  ownBookingsBySubmission(clinic: string, submissionIds: readonly string[]): Promise<Booking[]>;
  /** Change log after `sequence`, at most `limit` rows. */
  changes(clinic: string, after: number, limit: number): Promise<Change[]>;
  /**
   * What became of the leads received from one instant until before another, by source, as the view `leads` counts
   * them, and how many of all leads are in each state now. Counts only; deleted leads stay counted.
   */
  leadCounts(clinic: string, from: Instant, until: Instant): Promise<LeadCounts>;
  /** A month `YYYY-MM` of the clinic's calendar, known at `now` (ms); undefined before it begins. No patient data. */
  month(clinic: string, month: string, now: number): Promise<MonthPack | undefined>;
  /** `next_due_at` is the next reading; null while there is nothing to read. */
  freshness(
    clinic: string,
  ): Promise<{ poll: string; rows: number; as_of: Instant | null; next_due_at: Instant | null }[]>;
}

export interface LeadCounts {
  /** Cumulative: completed ones are also booked. A source has a row per currency of its value. */
  sources: {
    source: string;
    leads: number;
    booked: number;
    completed: number;
    /** The sum of the fees of completed visits. */
    value: number;
    currency: string | null;
  }[];
  states: Partial<Record<BookingState, number>>;
}

export interface ClinicFacts {
  clinic: string;
  timezone: string;
  name: string | null;
  currency: string | null;
  currency_symbol: string | null;
  /** ISO code, by its own phone number or address; absent when unknown. */
  country?: string;
}

/** Authenticates, parses and maps; makes no call to the clinic and does not wait. */
export interface HttpIntake {
  /** Set when anyone may send here (a form in a web page). Absent: senders authenticate, and only failures count. */
  readonly visitors?: VisitorLimits;
  /** Websites that may frame this connector's pages, such as https://www.clinic.example. */
  readonly framedBy?: readonly string[];
  /**
   * What its pages may load besides their own styles and pictures, as Content-Security-Policy sources. Only for
   * connectors that run within the daemon, because the pages share an origin with the status page.
   */
  readonly pageSources?: PageSources;
  /** Whether this request may read the state of this connector's bookings. */
  authorize(request: IntakeRequest): IntakeRefusal | undefined | Promise<IntakeRefusal | undefined>;
  receive(request: IntakeRequest, mirror?: MirrorView): Promise<IntakeResult>;
  /** The submission with this receipt was stored, or merged into the booking with this reference. Does not throw. */
  accepted?(receipt: string, ref: string): void | Promise<void>;
  /** What people enter at their website or form tool, given this connector's address. Without secrets. */
  setup?(address: string, link: string): IntakeSetup | Promise<IntakeSetup>;
  /** Maps a sample from a person, without authentication; keeps nothing. */
  sample?(request: IntakeRequest): Promise<IntakeResult>;
  /**
   * The authenticated request that the tool would send for this lead. The daemon sends it to itself every night; it is
   * marked as a probe and never stored.
   */
  probe?(lead: ProbeLead): ProbeRequest | Promise<ProbeRequest>;
  /** The form again, with what a refused visitor typed and why; undefined for a program. */
  again?(request: IntakeRequest, mirror: MirrorView, refused: RefusedVisitor): Promise<string | undefined>;
  /** What its visitors ran into where it was not asked, such as a limit. Does not throw. */
  trouble?(trouble: VisitorTrouble): void;
  /** The number of its clinic, for visitors who miss its pages; undefined where several clinics have one. */
  phone?(mirror: MirrorView): Promise<string | undefined>;
  /** Serves a page under `GET /in/{connector}/…` (a form, a thank-you page); undefined for 404. */
  page?(request: IntakeRequest, mirror: MirrorView): Promise<IntakePage | undefined>;
}

/** Where connectors submit bookings. */
export interface BookingPort {
  /**
   * Stores the submission durably before it resolves. Idempotent per (source, submission_id), and same content within
   * 15 minutes is merged: both give the first booking's ref. Throws `Failure` transient when it could not be stored.
   */
  accept(submission: Submission): Promise<AcceptedBooking>;
  /** The faults of a submission; stores nothing. */
  validate(submission: Submission): Promise<FieldFault[]>;
  /** Undefined when this source has no such booking. */
  find(source: string, ref: string): Promise<AcceptedBooking | undefined>;
  /**
   * Drops a booking that this source sent incomplete, because the whole of it follows. False when a person has decided
   * about it since, or any of it was sent: then the whole one goes under the same submission id, and is asked about.
   * Idempotent for the same `why`.
   */
  withdraw(source: string, ref: string, why: string): Promise<boolean>;
}

/** What a source may know about its own booking. */
export interface AcceptedBooking {
  ref: string;
  state: BookingState;
  reason: string | null;
  message: string | null;
  appointment_id: number | null;
  duplicate_of: string | null;
  changed_at: Instant;
  /** False when an earlier submission already had this ref. */
  created: boolean;
  /** False when this submission was merged into a booking of another one, perhaps another person's. */
  own: boolean;
}

/** Small durable notes of one connector (claims, tab ids) as JSON text; no other connector sees them. */
export interface Memory {
  get(key: string): Promise<string | undefined>;
  /** Several keys at once, atomically; undefined deletes. Durable when it resolves. */
  set(entries: Record<string, string | undefined>): Promise<void>;
  list(prefix: string): Promise<Record<string, string>>;
}

export interface ConnectorContext<Settings = unknown> {
  /** The instance's name in the configuration. */
  name: string;
  settings: Settings;
  clinics: readonly {
    clinic: string;
    timezone: string;
    /** ISO code, when configured. */
    country?: string;
    /** Bookings further ahead are held (`bookings.horizon_days`). */
    horizonDays?: number;
  }[];
  /** True with `include: [patient]`. */
  includePatient: boolean;
  /** True with `include: [hashed_contacts]`. */
  includeHashed?: boolean;
  /** Identifies this installation's database, to mark what it owns. */
  instance: string;
  bookings: BookingPort;
  memory: Memory;
  clock: Clock;
  log: Log;
  /** Asks for a run soon, when the connector notices something. */
  wake(): void;
}

export const defineConnector = <Settings>(kind: ConnectorKind<Settings>): ConnectorKind<Settings> => kind;
