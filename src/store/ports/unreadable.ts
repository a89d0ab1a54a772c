import type { Poll } from '../../domain/resource.ts';
import type { Instant } from '../../platform/clock.ts';

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

export interface UnreadableVerbs {
  /** The oldest first within each clinic and poll; of appointments only those still followed. */
  list(clinic?: string): Promise<Unreadable[]>;
}
