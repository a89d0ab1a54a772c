import type { ListPoll, Poll } from '../../domain/clinics/resource.ts';
import type { Instant } from '../../platform/clock.ts';
import type { Said } from '../../texts/texts.ts';

/** When a poll is due, and how the last ones went. */
export interface PollState {
  clinic: string;
  poll: Poll;
  next_due_at: Instant | null;
  last_success_at: Instant | null;
  /** When the poll last found nothing due: everything known is as fresh as planned, but nothing was read. */
  last_idle_at: Instant | null;
  last_error: string | null;
  /** The same for other languages. */
  said?: Said | undefined;
  failures: number;
  /** Rows in the mirror now; for appointments, all stored ones, tracked or not. */
  rows: number;
  /** Start of the current series of failures; meaningless if there is none. */
  failing_since: Instant | null;
  /** When something of this resource last changed. */
  last_change_at: Instant | null;
}

export interface PollVerbs {
  list(clinic?: string): Promise<PollState[]>;
  /** For appointments and failures; `MirrorVerbs.record` records the success of a list poll itself. */
  finished(
    clinic: string,
    poll: Poll,
    at: Instant,
    result: { error: string | null; said?: Said | undefined },
  ): Promise<void>;
  /** Records a run with nothing to do: neither a success nor a failure; both stay as they were. */
  idle(clinic: string, poll: Poll, at: Instant): Promise<void>;
  /** A request from outside the schedule, noticed within a minute. */
  due(clinic: string, poll: Poll, next: Instant): Promise<void>;
  /**
   * The schedule's own `due`. Keeps an earlier time that was requested since `known` was read or written, and is false
   * then.
   */
  plan(clinic: string, poll: Poll, next: Instant, known: Instant | null): Promise<boolean>;
  /** Moves times after `at` to `at`: the wall clock was set back, and the data would look fresh too long. */
  capTimes(clinic: string, poll: Poll, at: Instant): Promise<void>;
  /** Unreadable records, oldest first within each clinic and poll; of appointments, only tracked ones. */
  unreadable(clinic?: string): Promise<Unreadable[]>;
}

/**
 * A record that could not be read in the clinic's latest answer. Its row stays as it was, and this stays until the
 * record is read or gone.
 */
export interface Unreadable {
  clinic: string;
  poll: Poll;
  /** Null if not even the id can be read; then `position` identifies it. */
  id: string | null;
  /** Index in the list, from 0; null for an appointment, which is read by id. */
  position: number | null;
  /** The faulty field, such as `base_fee`; null for the whole record, or if there was no answer at all. */
  field: string | null;
  /** What is wrong with it: `is missing`. Quotes no value. */
  problem: string;
  /** Consecutive unreadable answers. */
  tries: number;
  first_at: Instant;
  last_at: Instant;
}

export type NewUnreadable = Pick<Unreadable, 'id' | 'position' | 'field' | 'problem'>;

/** An answer not applied because it would remove or change too much. */
export interface Guard {
  id: string;
  clinic: string;
  poll: ListPoll;
  kind: 'removed' | 'changed';
  /** Hash of the answer's effect; consecutive equal ones are applied, see `approval_only`. */
  fingerprint: string;
  seen: number;
  count: number;
  of: number;
  sentence: string;
  /** The first of the records that would be removed or changed. */
  things: { id: string; name: string | null }[];
  /** Only a user's approval applies it, however many answers agree. */
  approval_only: boolean;
  state: 'open' | 'approved' | 'passed' | 'withdrawn';
  first_at: Instant;
  last_at: Instant;
}

export interface GuardVerbs {
  /** The open or approved guard of this poll, if any. */
  current(clinic: string, poll: ListPoll): Promise<Guard | undefined>;
  /**
   * Counts an equal answer; a different one opens a new guard in place of the old one. `elapsedMs`: since this process
   * counted the previous one, by a clock that cannot be set; `first_at` moves with a wall clock that was set meanwhile.
   */
  raise(
    guard: Omit<Guard, 'id' | 'seen' | 'state' | 'first_at' | 'last_at'>,
    at: Instant,
    elapsedMs?: number,
  ): Promise<Guard>;
  close(id: string, state: 'passed' | 'withdrawn', at: Instant): Promise<void>;
  /** The answer is asked for again at once. False when there is no such open guard. */
  approve(id: string, at: Instant, by: string): Promise<boolean>;
  /** Guards that hold an answer or are approved, newest first. The cost does not grow with history. */
  open(): Promise<Guard[]>;
  /** `open` guards, then the newest of the others. */
  list(): Promise<Guard[]>;
}
