import type { Instant } from '../../platform/clock.ts';

export interface RetentionVerbs {
  /**
   * Removes what is settled and older than the limits, in short transactions: never what waits for a person, a send or a
   * connector. Bookings stay counted in `totals`, and the change log keeps its numbers.
   */
  prune(keep: Keep, signal?: AbortSignal): Promise<Removed>;
}

/** Since when things are kept. Undefined: for ever. */
export interface Keep {
  now: Instant;
  /**
   * Delivered and skipped deliveries, closed guards, erasures that every connector has applied; everything that waits for a
   * connector not configured since then, with its notes.
   */
  deliveries: Instant;
  /** What was learned from reading appointments. */
  observations: Instant;
  /** Settled bookings with their appointments, once their date is over. */
  bookings?: Instant | undefined;
  /** Those among them that a person dropped. */
  dropped?: Instant | undefined;
  /** The beginning of the change log, and of the audit but for its last 31 days; of the organization's figures one a month stays. */
  changes?: Instant | undefined;
  /** The configured connectors: what one of them has not taken yet stays. Others hold nothing back. */
  connectors: readonly string[];
  /** Those that remove erased people from what they wrote: an erasure is kept until all of them have. */
  forgetting: readonly string[];
}

/** How many rows were removed. */
export interface Removed {
  bookings: number;
  appointments: number;
  changes: number;
  deliveries: number;
  other: number;
}
