import type { HealthReason } from '../../domain/report.ts';
import type { Instant } from '../../platform/clock.ts';

/** One cause of trouble, from when to when. */
export interface Incident extends Omit<HealthReason, 'since' | 'action'> {
  n: number;
  since: Instant;
  /** Null while it lasts. */
  ended_at: Instant | null;
}

export interface IncidentVerbs {
  /** Everything that is wrong at `at`: new causes begin, missing ones end. What ended 90 days ago is removed. */
  settle(reasons: readonly HealthReason[], at: Instant): Promise<{ begun: Incident[]; ended: Incident[] }>;
  open(): Promise<Incident[]>;
  lastEnded(): Promise<Incident | undefined>;
  /** The newest first, of all clinics or one; `before`: only those older than the one of that number. */
  list(filter: { clinic?: string; before?: number; limit: number }): Promise<Incident[]>;
  /** Those that lasted at some time since, of these clinics, in order; the newest `limit` of them. */
  during(since: Instant, clinics: readonly string[], limit: number): Promise<Incident[]>;
}
