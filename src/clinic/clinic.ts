import type { BookingRequest, UnknownCause } from '../domain/bookings/booking.ts';
import type { Statistics } from '../domain/clinics/resource.ts';
import type { LimiterReport } from '../domain/status/report.ts';
import type { Instant } from '../platform/clock.ts';
import type { JsonObject } from '../platform/json.ts';
import type { SoftRefusal } from './http/soft-refusal.ts';

/**
 * Purpose of a call, most urgent first: bookings, reads that a booking or a person waits for, status reads, lists,
 * reconciliation probes.
 */
export type Priority = 'booking' | 'awaited' | 'status' | 'list' | 'probe';

/** One object of the clinic: a treatment, a dentist, its organization or website. */
export interface Received {
  id: string;
  /** Every field named in the specification (without `statistics`), null where nothing could be read. */
  fields: JsonObject;
  /** As received. */
  raw: JsonObject;
}

/** An object that cannot be read, because a required field is missing or wrong. */
export interface UnreadableRecord {
  /** Null when not even the id can be read. */
  id: string | null;
  /** Place in the list, from 0. */
  position: number;
  field: string | null;
  /** Such as `is missing`; never contains a value from the answer. */
  problem: string;
}

/** A complete answer. */
export interface Listing {
  records: Received[];
  unreadable: UnreadableRecord[];
  /** Digest of the list's bytes; lists only. */
  digest?: string;
  /** The bytes match the given digest, so they were not parsed. */
  isSame?: boolean;
}

/** Section 2.6; null where the answer lacks the field or has it in another form. */
export interface AppointmentStatus {
  status: string;
  name: string | null;
  date: string | null;
  time: string | null;
  raw: JsonObject;
}

/**
 * One clinic of the Clinic Practice API. Every call waits for its turn at the credential's limiter, carries a valid
 * token (one grant for all waiters, renewed early, and once more after a refusal that may concern it), has timeouts and
 * a size limit, follows no redirect and is never retried here: when to retry is the caller's policy.
 *
 * Reads are idempotent and throw `Failure`: `transient` (network, 429 with `retryAfterMs`, 5xx) or `refused` (401 after
 * a fresh token, other 4xx, an answer whose envelope cannot be read). An object that cannot be read does not fail
 * the others. `signal` aborts the wait and the call; then the signal's reason is thrown.
 */
export interface Clinic {
  /** The clinic's key in the configuration. */
  readonly key: string;
  /** At most one object. `statistics`: absent when the answer has none of the figures. */
  organization(signal: AbortSignal): Promise<Listing & { statistics?: Statistics }>;
  /**
   * Throws `Failure` transient while an organization other than this clinic's answers: other credentials, or another
   * server. Reads at most every 10 s, and after a new token, an error or an answer from a new address; an answer
   * without a readable `care_id` passes, since it proves nothing. `responseMs`: how long the answer may take; 30 s if
   * omitted.
   */
  confirmIdentity(signal: AbortSignal, responseMs?: number): Promise<void>;
  /**
   * Only `statistics.total_appointments`, with the priority of bookings; null when the clinic answers without it.
   * Throws as `confirmIdentity` does.
   */
  appointmentCount(signal: AbortSignal): Promise<number | null>;
  /** At most one object. `responseMs`: how long the answer may take; 30 s if omitted. */
  website(signal: AbortSignal, responseMs?: number): Promise<Listing>;
  /** Complete, or throws. An empty list is an answer (guards judge it). `known`: the digest of an earlier answer. */
  treatments(signal: AbortSignal, known?: string): Promise<Listing>;
  treatment(id: number, signal: AbortSignal): Promise<Received | undefined>;
  dentists(signal: AbortSignal, known?: string): Promise<Listing>;
  /**
   * Undefined when the clinic says there is no such appointment (404, 400 or `success:false`), which right after a
   * booking may only be early. Throws for anything else; with `fault` when the status cannot be read.
   */
  appointmentStatus(
    id: number,
    signal: AbortSignal,
    priority?: Priority,
  ): Promise<AppointmentStatus | undefined>;
  /**
   * POST /appointments/book. Not idempotent: at most one request per call, also after a 401: servers exist
   * that commit first. Never throws for anything on the wire: the outcome says what is certain.
   *
   * The identity is confirmed (as by `confirmIdentity`) at most 2 s before the socket opens; it is confirmed
   * again after a longer wait for the turn or for `beforeSend`.
   *
   * `beforeSend` must record the intent durably. It runs once the limiter and the token allow the call, before the
   * socket opens. If it throws, nothing was sent and its error is thrown.
   *
   * `mayStillSend` is asked where anything was waited for after `beforeSend`, immediately before the socket opens: a
   * machine may have been suspended meanwhile. If false, nothing more is sent.
   *
   * An abort of `signal` throws before the socket opens, and is `ambiguous` (`interrupted`) afterwards; between
   * `beforeSend` and the connection it is `never_sent`. Without a token, or when another clinic answers, the outcome is
   * `lane_refusal` (refused keys, 429) or `never_sent`; `beforeSend` has usually not run then.
   */
  book(
    request: BookingRequest,
    options: { signal: AbortSignal; beforeSend: () => Promise<void>; mayStillSend: () => boolean },
  ): Promise<BookingOutcome>;
  limiter(): LimiterReport;
  close(): Promise<void>;
}

/** The outcome of a POST to /appointments/book. Derived from what was observed, never from error codes. */
export type BookingOutcome =
  /**
   * No connection was ever made on a fresh socket: certainly not created. `lasting`: a user must change something
   * first, as with an untrusted certificate. `ours`: we did not even try, whatever the clinic does.
   */
  | { class: 'never_sent'; detail: string; lasting?: boolean; ours?: true }
  /** A complete 401, 403, 404, 405, 415 or 429: certainly not created; sending waits or stops. */
  | { class: 'lane_refusal'; status: number; message: string; retryAfterMs?: number }
  /** A complete 400, 409, 410, 413, 414, 422, 431, or 2xx with `success:false`: certainly not created. */
  | { class: 'refused'; status: number; message: string }
  /**
   * The same answers in the words of a throttle, of maintenance or of an expired token: not created, may be sent again.
   */
  | { class: 'deferred'; why: SoftRefusal; status: number; message: string; retryAfterMs?: number }
  /** 2xx, `success:true` and a positive integer id. */
  | { class: 'booked'; appointment_id: number; message: string }
  /** 2xx, `success:true`, but the id is missing or not a positive integer. */
  | { class: 'no_id'; message: string }
  /** Everything else: it may exist. `detail` is safe to show. */
  | { class: 'ambiguous'; cause: UnknownCause; detail: string; status?: number };

/** Stores what the limiter learned, for the next start. */
export interface LimiterMemory {
  load(): Promise<string | undefined>;
  save(state: string): Promise<void>;
  /** Another process may have called with the same key until a moment ago. */
  isShared?: boolean;
}

/** The learned limit or the token changed; for metrics and logs. */
export type ClinicEvent =
  | {
      kind: 'call';
      priority: Priority;
      endpoint: string;
      status: number | 'none';
      /** False: not even a connection was made. */
      connected: boolean;
      ms: number;
      at: Instant;
      /** The server's clock, milliseconds since the epoch. */
      serverTime?: number | undefined;
    }
  | { kind: 'token_granted'; expires_at: Instant }
  | { kind: 'blocked'; until: Instant };
