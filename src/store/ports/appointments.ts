import type { StatusOutcome } from '../../domain/bookings/status-outcome.ts';
import type { Change, NewChange } from '../../domain/clinics/change.ts';
import type { ClockStep } from '../../domain/date-time.ts';
import type { Instant } from '../../platform/clock.ts';
import type { JsonObject } from '../../platform/json.ts';
import type { Unreadable } from './polls.ts';

/** An appointment whose status we track. */
export interface TrackedAppointment {
  clinic: string;
  appointment_id: number;
  /** Null until first read. */
  status: string | null;
  name: string | null;
  date: string | null;
  time: string | null;
  /** The booking behind it, if it was booked through us. */
  ref: string | null;
  /** When we last saw the status change. */
  status_changed_at: Instant | null;
  first_seen_at: Instant;
  seen_at: Instant | null;
  /** When to read it; of one that is done, only while its final status is read again. */
  next_due_at: Instant | null;
  /** No longer tracked: final, long past, or untracked by a user. */
  done: boolean;
  /** Since when it has been missing at the clinic, or before its first status, unknown there. */
  removed_at: Instant | null;
  /**
   * First of the present series of answers that the clinic does not know it, after a status was read, and their count.
   */
  missed_at: Instant | null;
  misses: number;
}

export interface AppointmentKey {
  clinic: string;
  appointment_id: number;
}

export interface AppointmentVerbs {
  /** Starts tracking; a no-op if it is tracked already (and not done). Records `appointment.tracked`. */
  track(clinic: string, ids: readonly number[], at: Instant): Promise<number>;
  untrack(clinic: string, ids: readonly number[], at: Instant): Promise<number>;
  /** Not done, by ascending number, at most `limit`, starting after `after`. */
  pending(clinic: string, limit: number, after?: number): Promise<TrackedAppointment[]>;
  /** Due at `until` or earlier, most overdue first, at most `limit`. */
  due(clinic: string, until: Instant, limit: number): Promise<TrackedAppointment[]>;
  /** The appointments with these ids. */
  list(clinic: string, ids: readonly number[]): Promise<TrackedAppointment[]>;
  /** By ascending number, at most `limit`, starting after `after`. Fewer means the end. */
  page(clinic: string, limit: number, after?: number): Promise<TrackedAppointment[]>;
  /** Number of tracked appointments by clinic; no entry for none. */
  pendingCounts(): Promise<ReadonlyMap<string, number>>;
  /** Those that are done because of a date that lies ahead again, as the clock was set back, are pending again. */
  resume(clinic: string, at: Instant): Promise<void>;
  /**
   * One status read: new values, next due time and changes in one transaction, with the consequence for the lead:
   * `lead.converted` or `lead.conversion_retracted`. Of an appointment that has another patient's name than its
   * booking, nothing is stored: a user is asked. A user is also asked about one that is `missing`, until it is read
   * again.
   */
  observe(observation: Observation): Promise<Change[]>;
  /**
   * A status read that failed for this appointment alone. The appointment stays as it was, is due again at
   * `next_due_at`, and is listed in `unreadable` until the next `observe` or until it is `done`.
   */
  unread(
    unread: Pick<Unreadable, 'clinic' | 'field' | 'problem'> &
      Pick<Observation, 'appointment_id' | 'at' | 'next_due_at' | 'done' | 'followed_until'>,
  ): Promise<void>;
  /**
   * Stores the present meaning of each status that the clinic has used, and converts the leads whose visits it
   * completes. For a status without any meaning so far, conversions are not logged as changes. A user is asked about
   * leads that were merged into a visit of which only its new meaning tells that it was off. Idempotent.
   */
  applyOutcomes(outcomes: {
    clinic: string;
    at: Instant;
    outcomeOf: (status: string) => StatusOutcome;
    visitAt: (date: string | null, time: string | null) => Instant | undefined;
  }): Promise<void>;
  /** Stores the clinic's UTC offsets, by which its days are counted. Writes only new ones. */
  applyClock(clinic: string, steps: readonly ClockStep[]): Promise<void>;
  /** Intervals between reads, with and without a change, to learn change rates. Oldest first, at most `limit`. */
  observations(
    clinic: string,
    after: Pick<ObservedInterval, 'to' | 'n'>,
    limit: number,
  ): Promise<ObservedInterval[]>;
}

export interface Observation {
  clinic: string;
  appointment_id: number;
  at: Instant;
  /** Null: the clinic does not know this id. */
  seen: {
    status: string;
    name: string | null;
    date: string | null;
    time: string | null;
    raw: JsonObject;
    /** The meaning of the status; unchanged if omitted. */
    outcome?: StatusOutcome;
    /** Time of the visit, if its date can be read. */
    visit_at?: Instant | undefined;
  } | null;
  next_due_at: Instant | null;
  done: boolean;
  /** Set when it is done because of its date: see `resume`. */
  followed_until?: Instant | null;
  /** With `seen: null`: counts of the answers that it is unknown, and whether they prove that it is gone. */
  missed?: { missed_at: Instant; misses: number; missing: boolean };
  changes: NewChange[];
}

export interface ObservedInterval {
  /** Ascending; 0 is before the first. */
  n: number;
  appointment_id: number;
  status: string;
  date: string;
  time: string;
  from: Instant;
  to: Instant;
  changed: boolean;
}
