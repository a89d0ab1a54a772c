import type { Instant } from '../../platform/clock.ts';

/** What one series did within an hour. */
export interface Activity {
  /** `clinic/main`, `connector/crm`, or `clinics` for the sum of all. */
  series: string;
  /** When the hour began. */
  at: Instant;
  /** Calls answered by the clinic; `refused`: with 429; and those that failed. */
  answered: number;
  refused: number;
  failed: number;
  /** Total milliseconds of the answered calls. */
  total_ms: number;
  /** Milliseconds of the slowest answered call; for a connector, the largest number of changes it was behind. */
  most: number;
}

/** Hours of one week, for the charts, so that a series never has more rows. */
export interface ActivityVerbs {
  /** Adds to the hours, and removes those before `keptSince`. */
  add(rows: readonly Activity[], keptSince: Instant): Promise<void>;
  /** The hours of a series from `since` on, in order; hours without activity are missing. */
  list(series: string, since: Instant): Promise<Activity[]>;
}
