import type { z } from 'zod';
import type { Booking, BookingState, FieldFault, Submission } from './domain/booking.ts';
import type { Change } from './domain/change.ts';
import type { MonthPack } from './domain/month-pack.ts';
import type { Problem } from './domain/problem.ts';
import type { GrowingTable, LoggedTable, MirrorTable, Row } from './domain/tables.ts';
import type { Clock, Instant } from './platform/clock.ts';
import type { Log } from './platform/log.ts';

// biome-ignore lint/performance/noBarrelFile: packages from outside see this file alone
export { type Ask, byWeight, need, type Problem, sentenceOf, trouble } from './domain/problem.ts';
export {
  type GrowingTable,
  type LoggedTable,
  loggedTables,
  type MirrorTable,
  mirrorTables,
  type Row,
} from './domain/tables.ts';
/** What a connector throws. A copy of the class works, too: it is recognised by its name and `kind`. */
export { Failure } from './platform/failure.ts';

/**
 * The contract between the daemon and its connectors. A connector imports this file, `platform/` and `domain/` only;
 * packages from outside see it as `clinic-sync/connector`.
 *
 * The daemon expects: every method honours its `signal`; a failure is thrown as `Failure` (anything else counts as
 * transient); no method may block another connector. A connector that throws while being built is quarantined and shown.
 */
export interface ConnectorKind<Settings = unknown> {
  /** What `use:` says in the configuration. */
  readonly name: string;
  /** One line for `connectors list` and the documentation. */
  readonly summary: string;
  /** Its settings, snake_case, each with a description; `use` and the common settings are not part of it. */
  readonly settings: z.ZodType<Settings>;
  /** Names of settings that are secrets: masked wherever the configuration is shown. */
  readonly secrets: readonly string[];
  create(context: ConnectorContext<Settings>): Promise<Connector>;
  /**
   * A person signs in (`connectors login`), also before the daemon's first start; what comes of it is kept where the
   * settings say. Throws `Failure`, also for settings that need no sign-in.
   */
  login?(settings: Settings, options: LoginOptions, signal: AbortSignal): Promise<void>;
}

/** One configured connector. A member that is absent is an ability it does not have. */
export interface Connector {
  /** Receives single events, in order per thing. */
  readonly events?: EventDelivery;
  /** Keeps a file, a sheet or anything else with a state equal to the mirror. */
  readonly state?: StateDelivery;
  /** Takes bookings over HTTP at `/in/{connector}`. */
  readonly intake?: HttpIntake;
  /** What `connectors check` and `doctor` show. Changes nothing. Does not throw. */
  check(signal: AbortSignal): Promise<CheckLine[]>;
  /** Restores what people removed, such as a column (`connectors repair`). Throws `Failure`. */
  repair?(signal: AbortSignal): Promise<Converged>;
  /**
   * Removes erased people from everything it wrote and can still reach; the mirror no longer has them. Called in turn with
   * `state.converge`, also while the connector is paused, until it resolves; the same person may come twice. Throws
   * `Failure`. `erase` names a connector without it as a place that a person has to clean, unless it `holdsNothing`.
   */
  forget?(erased: ErasedPeople, mirror: MirrorView, signal: AbortSignal): Promise<void>;
  /** True: nothing about a person stays with it or where it writes. */
  readonly holdsNothing?: boolean;
  /** Deletes its own files that are older than `before`. Resolves to their number. Throws `Failure`. */
  tidy?(before: Instant, signal: AbortSignal): Promise<number>;
  /** Releases what it holds. No other method is called afterwards. Idempotent. */
  stop(): Promise<void>;
}

export interface LoginOptions {
  /** Of this machine, for the browser to come back to; 0: any free one. */
  port: number;
  /** Tells the person which address to open in a browser. */
  show(address: string): void;
  /** Lines that the person types: the address that their browser could not open, when it runs on another machine. */
  typed: AsyncIterable<string>;
}

/** People as a connector may still know them: by their bookings and appointments, never by name. */
export interface ErasedPeople {
  refs: readonly string[];
  appointments: readonly { clinic: string; appointment_id: number }[];
}

export interface CheckLine {
  level: 'ok' | 'warn' | 'fail';
  what: string;
  /** For warn and fail: what to do. */
  hint?: string;
}

/** The lines of a check. */
export const ok = (what: string): CheckLine => ({ level: 'ok', what });
export const warn = (what: string, hint?: string): CheckLine => ({
  level: 'warn',
  what,
  ...(hint !== undefined && { hint }),
});
export const fail = ({ message, hint }: { message: string; hint?: string | undefined }): CheckLine => ({
  level: 'fail',
  what: message,
  ...(hint !== undefined && { hint }),
});

/** At least once, in order per thing, the same id and bytes on every retry. */
export interface EventDelivery {
  /** Whether this change is for this connector. No I/O. */
  wants(change: Change): boolean | Promise<boolean>;
  /** The exact bytes to send. Called once per change; the result is stored and resent as it is. */
  encode(change: Change): string | Promise<string>;
  /**
   * Resolves when the receiver has it. Throws `Failure`: `transient` is retried, `refused` goes to a person at once;
   * `refused` with status 410 (gone) pauses the connector and keeps everything that waits.
   */
  deliver(event: OutgoingEvent, signal: AbortSignal): Promise<void>;
  /** Milliseconds to wait before attempt 2, 3, …; after the last one the delivery is dead. Jitter is added. */
  readonly schedule: readonly number[];
  /** True: a new connector first receives everything there is, as `created` and `updated` events. */
  readonly snapshot: boolean;
  /** Concurrent deliveries, of different records; default 8. */
  readonly concurrency?: number;
  /** Milliseconds after which a delivery is given up for this attempt; default 60 s. */
  readonly deadlineMs?: number;
  /** True: what piles up while nothing can be delivered becomes one event per thing. Bookings never do. */
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

/** State, not deltas: every call compares and writes what differs, so the next call repairs any accident. */
export interface StateDelivery {
  /** Called after changes, and at least this often (milliseconds) to repair drift and look for input. */
  readonly everyMs: number;
  /** Milliseconds after which a converge is given up; default 10 min. */
  readonly deadlineMs?: number;
  converge(mirror: MirrorView, signal: AbortSignal): Promise<Converged>;
}

export interface Converged {
  /** What was written, for people: `{ 'treatments.csv': 12 }`. */
  written: Record<string, number>;
  /** For the status page: what was skipped and what to do. */
  problems: Problem[];
  /** Milliseconds until the next call, when earlier than `everyMs`. */
  nextInMs?: number;
  /**
   * True: known work is left for the next call, not before `nextInMs`. The connector counts as behind until then.
   */
  unfinished?: boolean;
}

/** A consistent reading of the mirror. Without patient columns unless the connector is configured to `include` them. */
export interface MirrorView {
  /** The clinics this connector serves, as they are now: each run and each request gets a new view. */
  readonly clinics: readonly ClinicFacts[];
  /**
   * All rows in a stable order (by id; bookings by receipt), including removed ones with their `removed_at`. Read growing
   * tables with `page` instead.
   */
  rows(table: MirrorTable, clinic: string): Promise<Row[]>;
  /** The same rows in the same order, at most `limit`, after the row `after`. */
  page(table: GrowingTable, clinic: string, limit: number, after?: Row): Promise<Row[]>;
  /**
   * The present rows of what the change log names after `sequence`, each once, and the sequence that was read up to
   * (`sequence` itself: nothing new). Reads at most `limit` changes; ask again from `through`. A booking's count of
   * merged submissions is not in the log. A conversion that was taken back or made again comes with its former place alone
   * (`converted_at`, `ref`).
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
   * What became of the leads received from one instant until before another, by source, as the view `leads` counts them, and
   * how many of all there are in each state now. Counts only; those that were removed stay counted.
   */
  leadCounts(clinic: string, from: Instant, until: Instant): Promise<LeadCounts>;
  /** A month `YYYY-MM` of the clinic's own, as known at `now` (ms); undefined for one that has not begun. No patient data. */
  month(clinic: string, month: string, now: number): Promise<MonthPack | undefined>;
  freshness(
    clinic: string,
  ): Promise<{ poll: string; rows: number; as_of: Instant | null; next_due_at: Instant | null }[]>;
}

export interface LeadCounts {
  /** Cumulative: completed ones were booked. A source has a row for each currency of its value. */
  sources: {
    source: string;
    leads: number;
    booked: number;
    completed: number;
    /** The fees of completed visits. */
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
}

export interface IntakeRequest {
  method: 'GET' | 'POST';
  /** Path after `/in/{connector}`, without a leading slash. */
  path: string;
  query: URLSearchParams;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as received, at most 64 kB; signatures are over these. */
  body: Buffer;
  remoteAddress: string;
}

/** Refused before anything is stored. Never for the content of an authentic submission. */
export interface IntakeRefusal {
  kind: 'refused';
  status: 400 | 401 | 403 | 404 | 415 | 429;
  message: string;
  hint?: string;
}

export type IntakeResult =
  | {
      kind: 'submission';
      submission: Submission;
      /**
       * Where a browser (`Accept: text/html`) goes next, 303. From the configuration, never from the request.
       * `{ref}` in it becomes the booking's reference.
       */
      thanks?: string;
      /** Names of the fields that did not go into the submission, for whoever writes the mapping. */
      unused?: readonly string[];
      /** `accepted` is told under which reference this one was stored. */
      receipt?: string;
    }
  /** Answered 200 and not stored: a test ping, a bot in the honeypot. */
  | { kind: 'ignored'; message: string }
  /** Not stored: a browser gets this page, with what the visitor typed still in it, to send it again. */
  | { kind: 'page'; status: number; html: string }
  | IntakeRefusal;

/** Limits for senders who do not authenticate. */
export interface VisitorLimits {
  /** Of one visitor (an IPv4 address, a /64 of IPv6). */
  tenMinutes: number;
  day: number;
  /** Of all visitors together, in full; further ones are kept short, and held. */
  everybodyHour: number;
}

export interface IntakePage {
  status: number;
  html: string;
  /** What `html` is instead, to download or for another site; only from connectors that run within the daemon. */
  type?: 'text/calendar' | 'text/javascript';
}

export type PageSources = {
  readonly [directive in 'font-src' | 'script-src' | 'frame-src' | 'connect-src']?: readonly string[];
};

/** Nobody: what the nightly probe of a form is made of. */
export interface ProbeLead {
  /** Of the submission. */
  id: string;
  clinic: string;
  fields: Readonly<
    Record<'patient_name' | 'patient_phone' | 'appointment_date' | 'appointment_time', string>
  >;
}

export interface ProbeRequest {
  /** After `/in/{connector}`, without a leading slash. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** A page after `/in/{connector}` that its visitor would load first. */
  page?: string;
}

/** No clinic call, no waiting: authenticate, parse, map. */
export interface HttpIntake {
  /** Anyone may send here (a form in a web page). Absent: senders authenticate, and only failures count. */
  readonly visitors?: VisitorLimits;
  /** Websites that may show this connector's pages in a frame, as https://www.clinic.example. */
  readonly framedBy?: readonly string[];
  /**
   * What these pages may load besides their own styles and pictures, as sources of a content security policy. Only for
   * connectors that run within the daemon: its pages share an origin with the status page.
   */
  readonly pageSources?: PageSources;
  /** May this request read the state of this connector's bookings? */
  authorize(request: IntakeRequest): IntakeRefusal | undefined | Promise<IntakeRefusal | undefined>;
  receive(request: IntakeRequest, mirror?: MirrorView): Promise<IntakeResult>;
  /** The submission with this receipt was stored, or merged into the booking with this reference. Does not throw. */
  accepted?(receipt: string, ref: string): void | Promise<void>;
  /** The same mapping for a sample from a person at the command line: no authentication. */
  sample?(request: IntakeRequest): Promise<IntakeResult>;
  /**
   * The request that the tool would send for this lead, with its proof. The daemon sends it to its own door every night; it
   * is marked there and never stored.
   */
  probe?(lead: ProbeLead): ProbeRequest | Promise<ProbeRequest>;
  /** A page served under `GET /in/{connector}/…` (a form, a thank-you page); undefined: 404. */
  page?(request: IntakeRequest, mirror: MirrorView): Promise<IntakePage | undefined>;
}

/** Where connectors submit bookings. */
export interface BookingDoor {
  /**
   * Stores the submission durably before it resolves. Idempotent per (source, submission_id), and same content within
   * 15 minutes is merged: both give the first booking's ref. Throws `Failure` transient when it could not be stored.
   */
  accept(submission: Submission): Promise<AcceptedBooking>;
  /** The faults of a submission; stores nothing. */
  validate(submission: Submission): Promise<FieldFault[]>;
  /** Undefined when this source has no such booking. */
  find(source: string, ref: string): Promise<AcceptedBooking | undefined>;
}

/** What a source may know about its booking. */
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
  /** False when another submission made it, perhaps somebody else's: this one was merged into it. */
  own: boolean;
}

/** Small durable notes of one connector (claims, ids of tabs); JSON text, scoped to it. */
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
    /** Bookings further ahead are held (`bookings.horizon_days`). */
    horizonDays?: number;
  }[];
  /** True when patient data was asked for with `include: [patient]`. */
  includePatient: boolean;
  /** True when hashes of phone numbers were asked for with `include: [hashed_contacts]`. */
  includeHashed?: boolean;
  /** Identity of this installation's database, to mark what it owns. */
  instance: string;
  bookings: BookingDoor;
  memory: Memory;
  clock: Clock;
  log: Log;
  /** Asks for a run soon (the connector noticed something). */
  wake(): void;
}

/** Declares a kind with the type of its settings. */
export const defineConnector = <Settings>(kind: ConnectorKind<Settings>): ConnectorKind<Settings> => kind;
