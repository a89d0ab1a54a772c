import type { ListPoll } from '../../domain/resource.ts';
import type { Instant } from '../../platform/clock.ts';

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
  list(): Promise<Guard[]>;
}
