import type { Poll } from '../../domain/resource.ts';
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

export interface RunVerbs {
  list(clinic?: string): Promise<PollState[]>;
  /** `MirrorVerbs.record` already notes the success of a list poll; this is for appointments and for failures. */
  finished(clinic: string, poll: Poll, at: Instant, result: { error: string | null }): Promise<void>;
  /** Records a run that had nothing to do: neither a success nor a failure; both stay as they were. */
  idle(clinic: string, poll: Poll, at: Instant): Promise<void>;
  due(clinic: string, poll: Poll, next: Instant): Promise<void>;
}
