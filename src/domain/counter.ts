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
}

/** Key-value scope of both. */
export const COUNTERS = 'bookings';
export const counterKey = (clinic: string): string => `counter:${clinic}`;
export const unattendedKey = (clinic: string): string => `unattended:${clinic}`;
