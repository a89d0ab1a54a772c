import type { Change, NewChange } from '../../domain/change.ts';
import type { ClockStep } from '../../domain/date-time.ts';
import type { StatusOutcome } from '../../domain/outcome.ts';
import type { Instant } from '../../platform/clock.ts';
import type { JsonObject } from '../../platform/json.ts';
import type { Unreadable } from './polls.ts';

/** An appointment whose status we follow. */
export interface TrackedAppointment {
  clinic: string;
  appointment_id: number;
  /** Null until first read. */
  status: string | null;
  name: string | null;
  date: string | null;
  time: string | null;
  /** The booking it came from, if it was booked through us. */
  ref: string | null;
  /** When we last saw the status change. */
  status_changed_at: Instant | null;
  first_seen_at: Instant;
  seen_at: Instant | null;
  next_due_at: Instant | null;
  /** No longer followed: final, long past, or untracked. */
  done: boolean;
}

export interface AppointmentKey {
  clinic: string;
  appointment_id: number;
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
  /** Not done, ordered by number, at most `limit`: those above `after`; without it, from the first. */
  pending(clinic: string, limit: number, after?: number): Promise<TrackedAppointment[]>;
  /** Not done and due at `until` or before, the most overdue first, at most `limit`. */
  due(clinic: string, until: Instant, limit: number): Promise<TrackedAppointment[]>;
  /** Those with these ids. */
  list(clinic: string, ids: readonly number[]): Promise<TrackedAppointment[]>;
  /** Ordered by number, at most `limit`: those above `after`; without it, from the first. Fewer means the end. */
  page(clinic: string, limit: number, after?: number): Promise<TrackedAppointment[]>;
  /** How many are followed, by clinic; none for a clinic that is not in it. */
  pendingCounts(): Promise<ReadonlyMap<string, number>>;
  /**
   * One status read: new values, next due time and changes in one transaction, and what it means for the lead:
   * `lead.converted` and `lead.conversion_retracted`.
   */
  observe(observation: Observation): Promise<Change[]>;
  /**
   * A status read that failed for this appointment alone. The appointment stays as it was, is due again at `next_due_at`
   * and is listed in `unreadable` until the next `observe` or until it is `done`.
   */
  unread(
    unread: Pick<Unreadable, 'clinic' | 'field' | 'problem'> &
      Pick<Observation, 'appointment_id' | 'at' | 'next_due_at' | 'done'>,
  ): Promise<void>;
  /**
   * Says what each status that the clinic has used means now, and converts the leads whose visits are completed by it. A
   * status of which nothing was ever said converts without a change in the log. Idempotent.
   */
  applyOutcomes(outcomes: {
    clinic: string;
    at: Instant;
    outcomeOf: (status: string) => StatusOutcome;
    visitAt: (date: string | null, time: string | null) => Instant | undefined;
  }): Promise<void>;
  /** Says by which clock the clinic counts days, from its first step on. Writes only what is new. */
  applyClock(clinic: string, steps: readonly ClockStep[]): Promise<void>;
  /** Readings that found a change or none, for learning when statuses move. Oldest first, at most `limit` after a place. */
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
    /** What the status means; left out: as before. */
    outcome?: StatusOutcome;
    /** When the visit is or was, where its date can be read. */
    visit_at?: Instant | undefined;
  } | null;
  next_due_at: Instant | null;
  done: boolean;
  changes: NewChange[];
}

export interface ObservedInterval {
  /** Counts up; 0 is before the first. */
  n: number;
  appointment_id: number;
  status: string;
  date: string;
  time: string;
  from: Instant;
  to: Instant;
  changed: boolean;
}
