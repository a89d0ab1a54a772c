import type { ListPoll, Poll } from '../../domain/resource.ts';
import type { Instant } from '../../platform/clock.ts';

/** When a poll is due and how the last ones went. */
export interface PollState {
  clinic: string;
  poll: Poll;
  next_due_at: Instant | null;
  last_success_at: Instant | null;
  /** Last time the poll found nothing due: then everything known is as fresh as planned, but nothing was read. */
  last_idle_at: Instant | null;
  last_error: string | null;
  failures: number;
  /** Rows in the mirror now; for appointments, all that are stored, followed or not. */
  rows: number;
  /** When the first of the failures in a row was; meaningless while there is none. */
  failing_since: Instant | null;
  /** When something of this resource last changed. */
  last_change_at: Instant | null;
}

export interface PollVerbs {
  list(clinic?: string): Promise<PollState[]>;
  /** `MirrorVerbs.record` already notes the success of a list poll; this is for appointments and for failures. */
  finished(clinic: string, poll: Poll, at: Instant, result: { error: string | null }): Promise<void>;
  /** Records a run that had nothing to do: neither a success nor a failure; both stay as they were. */
  idle(clinic: string, poll: Poll, at: Instant): Promise<void>;
  due(clinic: string, poll: Poll, next: Instant): Promise<void>;
  /** Moves times after `at` to `at`: the wall clock was set back, and such data would look fresh for as long. */
  capTimes(clinic: string, poll: Poll, at: Instant): Promise<void>;
  /** Records that cannot be read: the oldest first within each clinic and poll; of appointments only those still followed. */
  unreadable(clinic?: string): Promise<Unreadable[]>;
}

/**
 * A record that could not be read in the clinic's newest answer. Its row stays as it was, and this stays until the
 * record is read or gone.
 */
export interface Unreadable {
  clinic: string;
  poll: Poll;
  /** Null when not even the id can be read; then `position` says which it is. */
  id: string | null;
  /** Place in the list, from 0; null for an appointment, which is asked for by its id. */
  position: number | null;
  /** The faulty field, `base_fee`; null when it is the whole record, or no answer came at all. */
  field: string | null;
  /** What is wrong with it, for a person: `is missing`. Quotes no value. */
  problem: string;
  /** Answers in a row that could not be read. */
  tries: number;
  first_at: Instant;
  last_at: Instant;
}

export type NewUnreadable = Pick<Unreadable, 'id' | 'position' | 'field' | 'problem'>;

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
  /** The first of the records that would go or change. */
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
  /** Counts an equal answer, or opens a new guard in place of one for a different answer. */
  raise(guard: Omit<Guard, 'id' | 'seen' | 'state' | 'first_at' | 'last_at'>, at: Instant): Promise<Guard>;
  close(id: string, state: 'passed' | 'withdrawn', at: Instant): Promise<void>;
  /** False when there is no such open guard. */
  approve(id: string, at: Instant, by: string): Promise<boolean>;
  /** All that hold an answer, or let the next one through, the newest first. Costs the same after years. */
  open(): Promise<Guard[]>;
  /** `open` ones, then the newest of the others. */
  list(): Promise<Guard[]>;
}
