import type { Instant } from '../../platform/clock.ts';

/** `statistics.total_appointments` as returned by the clinic. */
export interface Counter {
  value: number;
  at: Instant;
}

/** Set when a database was opened after some time without a daemon, with bookings waiting in it. */
export interface Unattended {
  at: Instant;
  /** The last stored reading, if any. */
  counter: Counter | null;
  /** The last heartbeat lies in the future, so the time without a daemon is unknown. */
  clock_set_back?: boolean;
  /** The files were put in place since they were written. */
  copied?: boolean;
  /** The clock leapt while the daemon ran. */
  leapt?: boolean;
  /** Deadline of the comparison, once it has begun. */
  until?: Instant | undefined;
}

/** The clinic may have bookings that this database forgot: anything received up to `at` may have been sent. */
export interface Doubt {
  at: Instant;
  /** What raised it, for users. */
  sentence: string;
}

/** Key-value scope of the counter, the doubt and the unattended state. */
export const COUNTERS = 'bookings';
export const counterKey = (clinic: string): string => `counter:${clinic}`;
export const unattendedKey = (clinic: string): string => `unattended:${clinic}`;
export const doubtKey = (clinic: string): string => `doubt:${clinic}`;
