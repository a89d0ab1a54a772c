import type { Instant } from '../platform/clock.ts';

/** `statistics.total_appointments` as the clinic gave it. */
export interface Counter {
  value: number;
  at: Instant;
}

/** A database that was opened after a while without a daemon, with bookings waiting in it. */
export interface Unattended {
  at: Instant;
  /** The last stored reading, if any. */
  counter: Counter | null;
  /** The last sign of life is in the future: for how long no daemon ran is not known. */
  clock_set_back?: boolean;
  /** When the comparison ends at the latest, once it has begun. */
  until?: Instant | undefined;
}

/** The clinic may have bookings that this database forgot: what was received up to `at` may have been sent. */
export interface Doubt {
  at: Instant;
  /** What raised it, for a person. */
  sentence: string;
}

/** Key-value scope of all three. */
export const COUNTERS = 'bookings';
export const counterKey = (clinic: string): string => `counter:${clinic}`;
export const unattendedKey = (clinic: string): string => `unattended:${clinic}`;
export const doubtKey = (clinic: string): string => `doubt:${clinic}`;
