import type { Instant } from '../platform/clock.ts';

/** `statistics.total_appointments` as the clinic gave it. */
export interface Counter {
  value: number;
  at: Instant;
}

/** A database was opened after a while without a daemon, and bookings waited in it. */
export interface Unattended {
  /** When it was opened. */
  at: Instant;
  /** The last reading that it knows of; null: none. */
  counter: Counter | null;
}

/** Scope of the store's memory in which both are kept. */
export const COUNTERS = 'bookings';
export const counterKey = (clinic: string): string => `counter:${clinic}`;
export const unattendedKey = (clinic: string): string => `unattended:${clinic}`;
