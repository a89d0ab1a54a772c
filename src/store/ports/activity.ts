import type { Instant } from '../../platform/clock.ts';

/** What one series did within an hour. */
export interface Activity {
  /** `clinic/main`, `connector/crm`, or `clinics` for all of them together. */
  series: string;
  /** When the hour began. */
  at: Instant;
  /** Calls to the clinic that were answered; those it refused (429), and those that failed. */
  answered: number;
  refused: number;
  failed: number;
  /** Milliseconds of the answered calls together. */
  total_ms: number;
  /** Milliseconds of the slowest answered call; of a connector, the most changes that it was behind. */
  most: number;
}

/** A week of hours, for the charts: as many rows for each series after ten years as after one week. */
export interface ActivityVerbs {
  /** Adds to the hours, and removes those before `keptSince`. */
  add(rows: readonly Activity[], keptSince: Instant): Promise<void>;
  /** The hours of a series from `since` on, in order; those in which nothing was are missing. */
  list(series: string, since: Instant): Promise<Activity[]>;
}
