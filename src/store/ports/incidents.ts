import type { HealthReason } from '../../domain/status/report.ts';
import type { Instant } from '../../platform/clock.ts';

/** One cause of trouble with its beginning and end. */
export interface Incident extends Omit<HealthReason, 'since' | 'action'> {
  n: number;
  since: Instant;
  /** Null while it lasts. */
  ended_at: Instant | null;
}

export interface IncidentVerbs {
  /** Begins new causes and ends missing ones, given all at `at`. Removes those that ended 90 days ago. */
  settle(reasons: readonly HealthReason[], at: Instant): Promise<{ begun: Incident[]; ended: Incident[] }>;
  open(): Promise<Incident[]>;
  lastEnded(): Promise<Incident | undefined>;
  /** Newest first, of all clinics or one; `before`: only incidents older than the one with that number. */
  list(filter: { clinic?: string; before?: number; limit: number }): Promise<Incident[]>;
  /** Incidents of these clinics that lasted into the time since `since`, in order; the newest `limit` of them. */
  during(since: Instant, clinics: readonly string[], limit: number): Promise<Incident[]>;
}
